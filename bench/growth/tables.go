package growth

import "fmt"

// tableNames are the tables in the order of the document.
var tableNames = []string{"reach", "costs", "rows", "people", "disk", "morning", "machines", "limits", "connections", "partitions", "traffic", "price"}

// allTables returns every table by its name.
func allTables(c Costs) (map[string]string, error) {
	var needs []need
	for _, count := range scales {
		n, err := needOf(c, companiesOf(count), oneZone)
		if err != nil {
			return nil, err
		}
		needs = append(needs, n)
	}
	reach, err := reachTable(c)
	if err != nil {
		return nil, err
	}
	rows, err := rowsTable(c)
	if err != nil {
		return nil, err
	}
	morning, err := morningTable(c)
	if err != nil {
		return nil, err
	}
	disk, err := diskTable(c, needs)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"reach": reach, "costs": costsTable(c), "rows": rows, "people": peopleTable(), "disk": disk, "morning": morning,
		"machines": machinesTable(needs), "limits": limitsTable(c), "connections": connectionsTable(c, needs), "partitions": partitionsTable(needs),
		"traffic": trafficTable(c, needs), "price": priceTable(needs),
	}, nil
}

func reachTable(c Costs) (string, error) {
	t := newTable("cores of one machine", "people in companies of all sizes", "people in one company", "disk for a year")
	year, fixed, err := c.diskOf()
	if err != nil {
		return "", err
	}
	for _, cores := range []float64{2, 8, 32} {
		usual, err := reach(c, cores, usualCompanies)
		if err != nil {
			return "", err
		}
		one, err := reach(c, cores, oneCompany)
		if err != nil {
			return "", err
		}
		one = min(one, largestCompany(c))
		t.row(whole(cores), quantity(usual), quantity(one), bytes(usual*(year.inUse()+fixed.inUse())))
	}
	return t.text.String(), nil
}

func costsTable(c Costs) string {
	t := newTable("measured", "console", "database", "log of the database")
	micro := func(n float64) string { return digits(n) + " µs" }
	for _, call := range []Call{c.Single, c.Batch} {
		name := "a call with one clock event"
		if call.Events > 1 {
			name = fmt.Sprintf("a call with %d clock events", call.Events)
		}
		t.row(name, micro(call.Work.Console), micro(call.Work.Database), bytes(call.WALBytes))
	}
	t.row("a page", micro(c.Page.Console), micro(c.Page.Database), "")
	t.row("an open event stream, each second", micro(c.Stream.Console), micro(c.Stream.Database), "")
	t.row("the jobs for a quiet company, each second and console", micro(c.Company.Console), micro(c.Company.Database), "")
	t.row("memory of a console under load", digits(c.ConsoleMiB)+" MiB", "", "")
	t.row("memory of an open event stream", digits(c.StreamKiB)+" KiB", "", "")
	t.row("memory of a connection to the database", "", digits(c.ConnectionMiB)+" MiB", "")
	t.row("a page as sent; a message on the stream", bytes(c.PageBytes)+"; "+bytes(c.MessageBytes), "", "")
	return t.text.String()
}

func rowsTable(c Costs) (string, error) {
	t := newTable("table", "bytes a row", "with indexes", "rows of a person in a year", "KB of a person in a year")
	var sum float64
	for _, r := range rows {
		size, err := c.size(r.table)
		if err != nil {
			return "", err
		}
		count := r.workday*workdays + r.year
		each, kilobytes := whole(count), count*(size.Table+size.Indexes*filling)/1e3
		if r.fixed > 0 {
			each = digits(r.fixed) + " at any time"
			kilobytes = 0
		}
		sum += kilobytes
		t.row("`"+r.table+"`", whole(size.Table), whole(size.Table+size.Indexes), each, digits(kilobytes))
	}
	t.row("together", "", "", "", digits(sum))
	return t.text.String(), nil
}

func peopleTable() string {
	t := newTable("companies", "people", "the largest has", "rows a workday", "rows a year")
	for _, count := range scales {
		companies := companiesOf(count)
		workday, year := rowsOf(peopleOf(companies))
		t.row(whole(float64(count)), quantity(peopleOf(companies)), whole(largest(companies)), quantity(workday), quantity(year))
	}
	return t.text.String()
}

func diskTable(c Costs, needs []need) (string, error) {
	year, _, err := c.diskOf()
	if err != nil {
		return "", err
	}
	t := newTable("companies", "a year, tables", "a year, with indexes", fmt.Sprintf("after %.0f years", yearsStored), "files")
	for _, n := range needs {
		t.row(whole(n.count), bytes(n.people*year.table), bytes(n.people*year.inUse()), bytes(n.disk), bytes(n.blobs))
	}
	return t.text.String(), nil
}

func morningTable(c Costs) (string, error) {
	t := newTable("companies", "busiest minute", "clock events a second", "in calls a second", "pages a second", "cores of consoles", "cores of databases")
	for _, zones := range []struct {
		name string
		all  []zone
	}{{"", oneZone}, {" in six time zones", sixZones}} {
		for _, count := range scales {
			n, err := needOf(c, companiesOf(count), zones.all)
			if err != nil {
				return "", err
			}
			t.row(whole(n.count)+zones.name, clock(n.busiest.at), quantity(n.busiest.events), quantity(n.busiest.calls), quantity(n.pages), digits(n.work.Console), digits(n.work.Database))
		}
	}
	return t.text.String(), nil
}

func machinesTable(needs []need) string {
	t := newTable("companies", "databases, each with a standby", "because of", "consoles", "companies each", "people each")
	for _, n := range needs {
		why := "cores"
		switch {
		case n.databases == 1:
			why = "one suffices"
		case n.byDisk:
			why = "disk"
		}
		t.row(whole(n.count), whole(n.databases), why, whole(n.consoles), quantity(n.count/n.databases), quantity(n.people/n.databases))
	}
	return t.text.String()
}

func limitsTable(c Costs) string {
	t := newTable("limit", "at")
	t.row("clock events of one company, stored by two transactions at a time", quantity(fastestCompany(c))+" a second")
	t.row("people of one company who arrive as fast in the busiest minute", quantity(largestCompany(c)))
	t.row("companies of one database whose jobs a console does within their minute", quantity(mostCompanies(c)))
	t.row(fmt.Sprintf("open streams of a console with %.0f cores", consoleCores), quantity(mostStreams(c)))
	return t.text.String()
}

func connectionsTable(c Costs, needs []need) string {
	t := newTable("companies", "consoles of a database", "connections to it", "their memory", "pooler")
	for _, n := range needs {
		each := n.consoles / n.databases
		connections := each * connectionsEach
		pooler := "not needed"
		if connections > poolerAbove {
			pooler = "needed"
		}
		t.row(whole(n.count), digits(each), whole(connections), bytes(connections*c.ConnectionMiB*(1<<20)), pooler)
	}
	return t.text.String()
}

func trafficTable(c Costs, needs []need) string {
	t := newTable("companies", "log a second at nine", "log a day", "archived log and backups", "open streams", "their memory", "token checks a second")
	for _, n := range needs {
		t.row(whole(n.count), bytes(n.walPeak), bytes(n.walDay), bytes(n.objects-n.blobs), quantity(n.streams), bytes(n.streams*c.StreamKiB*(1<<10)), quantity(n.streams/beatSeconds))
	}
	return t.text.String()
}
