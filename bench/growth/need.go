package growth

import "math"

// need is what a number of companies needs.
type need struct {
	count  float64 // of companies
	people float64

	busiest     minute
	pages, logs float64 // a second
	streams     float64
	work        Work // of the busiest minute, in cores

	consoles  float64
	databases float64 // machines, without standbys
	byDisk    bool    // their number follows from the disk, not from the cores

	disk    float64 // bytes on the databases after yearsStored
	walPeak float64 // bytes a second
	walDay  float64 // bytes
	blobs   float64 // bytes
	objects float64 // bytes in object storage: blobs, archived log and backups
	sent    float64 // bytes a month to browsers and messengers
}

// needOf calculates the need of companies in time zones.
func needOf(c Costs, companies []class, zones []zone) (need, error) {
	n := need{people: peopleOf(companies), busiest: morning(companies, zones)}
	for _, class := range companies {
		n.count += class.companies
	}
	n.streams = n.count * streamsPerCompany
	n.pages = n.people * pagesADay * busiestHour / 3600
	n.logs = n.people * logRowsADay() * busiestHour / 3600
	if err := n.store(c); err != nil {
		return n, err
	}
	n.place(c)
	return n, nil
}

// workWith returns the cores that the busiest minute takes when each company has a
// number of consoles, because the jobs of every console look at all companies.
func (n *need) workWith(c Costs, consoles float64) Work {
	further := c.furtherEvent().Work
	return c.Single.Work.times(n.busiest.calls).
		plus(further.times(n.busiest.events - n.busiest.calls)).
		plus(further.times(n.logs)). // more than they cost, because nothing is derived from them
		plus(c.Page.times(n.pages)).
		plus(c.Stream.times(n.streams)).
		plus(c.Company.times(n.count * consoles)).
		times(1e-6)
}

// place finds the number of machines.
func (n *need) place(c Costs) {
	byDisk := math.Ceil(n.disk / (databaseTB * 1e12 * fullDisk))
	machines := func() (consoles, databases float64) {
		databases = max(1, byDisk, math.Ceil(n.work.Database/(databaseCores*used)))
		return max(consolesEach*databases, math.Ceil(n.work.Console/(consoleCores*used))), databases
	}
	n.work = n.workWith(c, consolesEach)
	consoles, databases := machines()
	n.work = n.workWith(c, consoles/databases)
	n.consoles, n.databases = machines()
	n.byDisk = n.databases > 1 && n.databases == byDisk
}

// coresOf returns the cores of each of a number of machines that do some work together:
// two, four, eight or so, up to the most.
func coresOf(work, machines, most float64) float64 {
	return min(most, max(smallestCores, math.Exp2(math.Ceil(math.Log2(work/machines/used)))))
}

// store calculates what is stored and sent.
func (n *need) store(c Costs) error {
	year, fixed, err := c.diskOf()
	if err != nil {
		return err
	}
	n.disk = n.people * (fixed.inUse() + yearsStored*year.inUse())

	n.walPeak = n.busiest.calls*c.Single.WALBytes + (n.busiest.events-n.busiest.calls)*c.furtherEvent().WALBytes
	events, err := c.size("clock_events")
	if err != nil {
		return err
	}
	others := year.table + year.indexes - 2*workdays*(events.Table+events.Indexes)
	n.walDay = 2*n.people*atWork*n.walPeak/n.busiest.events + n.people*others/workdays*walOfOtherRows

	n.blobs = n.people*withAvatar*avatarKB*1e3 + n.count*blobsCompanyMB*1e6
	n.objects = n.blobs + n.walDay*compressedWAL*archiveDays + n.disk*compressedBackup*fullBackups

	const month = 30 * 24 * 3600
	n.sent = n.people*workdays/12*(pagesADay*c.PageBytes+messagesADay*c.MessageBytes) + n.streams*beatBytes*month/beatSeconds
	return nil
}

// A quiet stream sends a comment of this many bytes this often, see heartbeat of
// handlers/api.
const (
	beatBytes   = 14.0
	beatSeconds = 15.0
)

// reach returns the largest number of people whose busiest minute takes no more than
// the used share of the cores of one machine, with the database and one console on it.
func reach(c Costs, cores float64, companiesFor func(people float64) []class) (float64, error) {
	least, most := 1.0, 1e8
	for most-least > least/1000 {
		people := (least + most) / 2
		n, err := needOf(c, companiesFor(people), oneZone)
		if err != nil {
			return 0, err
		}
		if work := n.workWith(c, 1); work.Console+work.Database > cores*used {
			most = people
		} else {
			least = people
		}
	}
	return least, nil
}

// usualCompanies returns companies of the usual sizes with so many people together.
func usualCompanies(people float64) []class {
	all := make([]class, len(classes))
	for i, c := range classes {
		all[i] = class{c.companies * people / peopleOf(classes), c.people}
	}
	return all
}

func oneCompany(people float64) []class { return []class{{1, people}} }

// clockLanes is how many transactions store events of one company at the same time, as
// package attendance divides its people.
const clockLanes = 2

// fastestCompany returns the events a second of one company, whose other transactions
// wait: a core at most works for each, in the console or in the database.
func fastestCompany(c Costs) float64 {
	return clockLanes * float64(c.Batch.Events) / (c.Batch.Work.Console + c.Batch.Work.Database) * 1e6
}

// largestCompany returns the people of a company whose events arrive so fast in the
// busiest minute.
func largestCompany(c Costs) float64 {
	return fastestCompany(c) / morning(oneCompany(1), oneZone).events
}

// mostCompanies returns the companies whose jobs one console does within a minute: it
// looks at one after the other, and begins again every minute.
func mostCompanies(c Costs) float64 {
	const minute = 60e6 // microseconds
	return minute / ((c.Company.Console + c.Company.Database) * 60)
}

// mostStreams returns the streams that the used share of the cores of a console serves.
func mostStreams(c Costs) float64 { return consoleCores * used * 1e6 / c.Stream.Console }
