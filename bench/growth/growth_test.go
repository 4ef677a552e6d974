package growth

import (
	"math"
	"os"
	"testing"

	"officeconsole/queries/queriestest/golden"
)

// The tables in docs/scaling.md are what is calculated from costs.json and the
// assumptions. After a change of either: go test ./bench/growth -update.
func TestDocumentHasTheTables(t *testing.T) {
	const path = "../../docs/scaling.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := Measured()
	if err != nil {
		t.Fatal(err)
	}
	calculated, err := Document(string(text), costs)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, path, calculated)
}

func TestDocumentRefusesUnknownTables(t *testing.T) {
	if _, err := Document("<!-- growth: nothing -->\n<!-- end -->\n", example()); err == nil {
		t.Error("a table that does not exist was accepted")
	}
}

// example has round costs: an event costs 100 and 200 µs with its call and 10 and 20
// without, and every row has 150 bytes.
func example() Costs {
	c := Costs{
		Single:    Call{Events: 1, Work: Work{100, 200}, WALBytes: 1_000},
		Batch:     Call{Events: 101, Work: Work{1_100, 2_200}, WALBytes: 11_000},
		Page:      Work{1_000, 3_000},
		PageBytes: 10_000,
		Stream:    Work{5, 50},
		Company:   Work{2, 3},
	}
	for _, name := range Tables() {
		c.Tables = append(c.Tables, TableSize{Name: name, Rows: 1, Table: 100, Indexes: 50})
	}
	return c
}

func isNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-4*math.Abs(want) {
		t.Errorf("%s: %g, not %g", what, got, want)
	}
}

func TestFurtherEvent(t *testing.T) {
	if got := example().furtherEvent(); got.Work != (Work{10, 20}) || got.WALBytes != 100 {
		t.Errorf("got %+v", got)
	}
}

func TestCompanies(t *testing.T) {
	for i, want := range []float64{90_020, 980_000, 10_000_000, 100_000_000} {
		companies := companiesOf(scales[i])
		var count float64
		for _, c := range companies {
			count += c.companies
		}
		if count != float64(scales[i]) || peopleOf(companies) != want {
			t.Errorf("%d companies: %.0f with %.0f people, not %.0f", scales[i], count, peopleOf(companies), want)
		}
	}
	if got := largest(companiesOf(1_000)); got != 5_000 {
		t.Errorf("the largest of 1,000 companies has %.0f people", got)
	}
}

func TestMorning(t *testing.T) {
	var day float64
	for at := range 24 * 60 {
		day += arriving(at)
	}
	isNear(t, "arrivals of a day", day, 1)
	// From 8:52 to 8:53: 0.7 of Φ(1/9) - Φ(0) = 0.044236, and 0.3 of
	// Φ(-22/45) - Φ(-23/45) = 0.0078231.
	isNear(t, "arrivals of the busiest minute", arriving(8*60+52), 0.7*0.044236+0.3*0.0078231)

	// A thousand people: 850 at work, 0.033312 of them in a minute, by the second.
	busiest := morning(oneCompany(1_000), oneZone)
	if busiest.at != 8*60+52 {
		t.Errorf("the busiest minute is %s", clock(busiest.at))
	}
	isNear(t, "events", busiest.events, 850*0.033312/60)
	// In two seconds there is a call unless there is no event: 1 - exp(-2 · 0.47192).
	isNear(t, "calls", busiest.calls, 0.305428)

	// In six time zones the largest has four tenths, and two others are near.
	spread := morning(oneCompany(1_000), sixZones)
	if share := spread.events / busiest.events; share < 0.4 || share > 0.42 {
		t.Errorf("%.3f of the events are in the busiest minute of six time zones", share)
	}
}

func TestNeed(t *testing.T) {
	n, err := needOf(example(), oneCompany(1_000), oneZone)
	if err != nil {
		t.Fatal(err)
	}
	isNear(t, "pages", n.pages, 0.111111) // 1,000 · 2 · 0.2 / 3,600
	isNear(t, "log rows", n.logs, 0.722222)
	if n.consoles != 2 || n.databases != 1 || n.byDisk {
		t.Errorf("%.0f consoles and %.0f databases", n.consoles, n.databases)
	}
	// Calls, further events, log rows, pages, the stream, and the jobs of two consoles.
	isNear(t, "consoles", n.work.Console*1e6, 0.305428*100+0.166492*10+0.722222*10+0.111111*1_000+5+2*2)
	isNear(t, "database", n.work.Database*1e6, 0.305428*200+0.166492*20+0.722222*20+0.111111*3_000+50+3*2)
	// A year has 4,186 rows a person, with indexes 100 + 1.4 · 50 bytes each; 29.2 rows stay.
	isNear(t, "disk", n.disk, 1_000*170*(3*4_186+29.2))
	isNear(t, "log a second", n.walPeak, 0.305428*1_000+0.166492*100)
	isNear(t, "files", n.blobs, 1_000*0.8*30e3+8e6)
}

func TestNeedOfManyDatabases(t *testing.T) {
	c := example()
	n, err := needOf(c, companiesOf(1_000_000), oneZone)
	if err != nil {
		t.Fatal(err)
	}
	// 100 million people with 2,139,824 bytes each, on disks of 4 TB that are filled to 0.8.
	if !n.byDisk || n.databases != 67 || n.consoles < 134 {
		t.Errorf("%.0f databases, %.0f consoles", n.databases, n.consoles)
	}
	if shards := shardsFor(n.databases); shards != 1_024 {
		t.Errorf("%.0f shards", shards)
	}
	c.Single.Work.Database *= 100
	if n, err = needOf(c, companiesOf(1_000_000), oneZone); err != nil || n.byDisk {
		t.Errorf("%.0f databases because of the disk, not the cores (%v)", n.databases, err)
	}
}

func TestReach(t *testing.T) {
	c := example()
	people, err := reach(c, 2, usualCompanies)
	if err != nil {
		t.Fatal(err)
	}
	n, err := needOf(c, usualCompanies(people), oneZone)
	if err != nil {
		t.Fatal(err)
	}
	work := n.workWith(c, 1)
	if cores := work.Console + work.Database; cores > 1.2 || cores < 1.19 {
		t.Errorf("%.0f people take %.3f of two cores", people, cores)
	}
	// Two batches take 3.3 ms for 101 events each, and a person sends 0.85 · 0.033312 / 60 a second.
	isNear(t, "largest company", largestCompany(c), 2*101/0.0033/(0.85*0.033312/60))
	// Five microseconds each second and company, four cores of which 0.6 are used.
	isNear(t, "companies", mostCompanies(c), 1e6/5)
	isNear(t, "streams", mostStreams(c), 4*0.6*1e6/5)
}

func TestPrice(t *testing.T) {
	n := need{people: 1_000, consoles: 2, databases: 1, disk: 0.8e12, objects: 3e12, sent: 1e12, work: Work{0.1, 2}}
	// Two consoles of two cores with a gigabyte each, a database of four cores (2 / 0.6)
	// with four gigabytes each and its standby, and both their disks.
	want := price{cores: 2*2 + 2*4, memory: 2*2 + 2*4*4, disk: 2, objects: 3, sent: 1}
	got := priceOf(n)
	if got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	isNear(t, "sum", got.sum(), 12*20+36*3+2*90+3*22+50)
}

func TestNumbers(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.0512: "0.0512", 12.345: "12.3", 999.7: "1,000", 9.996: "10", 90_020: "90,000", 1_234_567: "1.23 million", 9_999_900: "10 million", 2.5e9: "2.5 billion"} {
		if got := quantity(n); got != want {
			t.Errorf("%g: %s, not %s", n, got, want)
		}
	}
	for n, want := range map[float64]string{14: "14 B", 1_500: "1.5 KB", 2.139e14: "214 TB", 3e15: "3 PB"} {
		if got := bytes(n); got != want {
			t.Errorf("%g: %s, not %s", n, got, want)
		}
	}
}
