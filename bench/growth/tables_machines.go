package growth

import "math"

// shardsFor returns the shards of Citus for a number of databases: a power of two, so
// that their number can be doubled without splitting shards.
func shardsFor(databases float64) float64 {
	return max(smallestShards, math.Exp2(math.Ceil(math.Log2(databases*shardsPerMachine))))
}

func partitionsTable(needs []need) string {
	t := newTable("companies", "shards", "partitions of a table", "day records in a partition", "in a shard of it", "partitions on a machine, all tables")
	partitions := yearsStored*12 + partitionsAhead
	for _, n := range needs {
		records := n.people * 365 / 12
		shards := 1.0
		if n.databases > 1 {
			shards = shardsFor(n.databases)
		}
		t.row(whole(n.count), whole(shards), whole(partitions), quantity(records), quantity(records/shards), whole(partitions*partitionedTables*shards/n.databases))
	}
	return t.text.String()
}

// price is what a need costs a month, by the units of prices.
type price struct{ cores, memory, disk, objects, sent float64 }

func priceOf(n need) price {
	copies := 1 + standbys
	consoles := n.consoles * coresOf(n.work.Console, n.consoles, consoleCores)
	databases := n.databases * coresOf(n.work.Database, n.databases, databaseCores) * copies
	return price{
		cores:   consoles + databases,
		memory:  consoles*consoleGB + databases*databaseGB,
		disk:    n.disk / 1e12 / fullDisk * copies,
		objects: n.objects / 1e12,
		sent:    n.sent / 1e12,
	}
}

func (p price) units() []float64 { return []float64{p.cores, p.memory, p.disk, p.objects, p.sent} }

func (p price) sum() (sum float64) {
	for i, units := range p.units() {
		sum += units * prices[i].price
	}
	return sum
}

func priceTable(needs []need) string {
	head := []string{"companies"}
	each := []string{"price of one, a month"}
	for _, p := range prices {
		head = append(head, p.name)
		each = append(each, digits(p.price))
	}
	t := newTable(append(head, "a month", "a month for 1,000 people")...)
	t.row(append(each, "", "")...)
	for _, n := range needs {
		p := priceOf(n)
		cells := []string{whole(n.count)}
		for _, units := range p.units() {
			cells = append(cells, digits(units))
		}
		t.row(append(cells, quantity(p.sum()), digits(p.sum()/n.people*1e3))...)
	}
	return t.text.String()
}
