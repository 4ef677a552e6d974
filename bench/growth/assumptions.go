package growth

import "time"

// Everything in this file is assumed, none of it measured. Replace what you know better
// and run go test ./bench/growth -update.

const (
	workdays = 250  // a year
	atWork   = 0.85 // share of the people who clock in on a workday

	// batchEvery is how long the messenger collects the clock events of a company
	// before it sends them.
	batchEvery = 2 * time.Second

	pagesADay   = 2.0 // that a person opens on a workday
	busiestHour = 0.2 // share of a day's pages and log rows that come in one hour

	// Companies that have a messenger of their own keep one event stream open each.
	streamsPerCompany = 1.0
	messagesADay      = 0.2 // on the stream, for each person

	// used is the share of a machine's processors that the busiest minute may take.
	used = 0.6

	consoleCores    = 4.0  // of a machine that runs one console, at most
	consoleGB       = 1.0  // of memory for each of them
	consolesEach    = 2.0  // of each database, at least
	databaseCores   = 16.0 // of a machine that runs one database, at most
	databaseGB      = 4.0  // of memory for each of them
	smallestCores   = 2.0  // of any machine
	databaseTB      = 4.0  // of its disk
	fullDisk        = 0.8  // share of the disk that may be filled
	connectionsEach = 17.0 // of a console: its pool, and one that listens
	poolerAbove     = 300  // connections to one database

	// filling is how much larger indexes are that rows are added to in any order, than
	// those of the measured company, which were built at once.
	filling = 1.4

	yearsStored       = 3.0
	standbys          = 1.0 // copies of each database that can take over
	compressedWAL     = 0.35
	archiveDays       = 14.0 // for which the log is stored, so that each moment can be restored, beside two full backups
	fullBackups       = 2.0
	compressedBackup  = 0.3
	walOfOtherRows    = 2.0 // bytes of log for a byte of a row and its indexes, for rows other than clock events
	shardsPerMachine  = 8   // so that the machines can be doubled three times
	smallestShards    = 32
	partitionsAhead   = 3
	partitionedTables = 10

	avatarKB       = 30.0 // of a person, in all its sizes
	withAvatar     = 0.8
	blobsCompanyMB = 8.0 // banners, and files of the notices of two weeks
)

// rows are the rows that a person adds. Tables whose rows do not grow with time have
// fixed rows.
var rows = []struct {
	table   string
	workday float64 // on a workday
	year    float64 // besides
	fixed   float64
	is      string
}{
	{"clock_events", 2, 0, 0, "an arrival and a departure"},
	{"day_records", 0, 365, 0, "one for every date"},
	{"attendance_months", 0, 12, 0, ""},
	{"access_events", 2, 0, 0, "a sign-in and its end"},
	{"client_events", 1, 0, 0, ""},
	{"saved_files", 4, 0, 0, ""},
	{"saved_file_receivers", 6, 0, 0, "those files, by who received them"},
	{"reads", 0, 20, 0, "200 by each of ten managers and administrators of a hundred people"},
	{"changes", 0, 5, 0, "edits, corrections, policies, moves"},
	{"change_hashes", 0, 5, 0, ""},
	{"change_texts", 0, 5, 0, ""},
	{"notice_reads", 0, 24, 0, ""},
	{"outbox", 0, 0, messagesADay * 21, "a month of messages"},
	{"users", 0, 0, 1, ""},
	{"installations", 0, 0, 2, "a computer and a phone"},
	{"client_people", 0, 0, 2, ""},
	{"sign_ins", 0, 0, 20, "a month of ended ones"},
}

// class is how many of a million companies have a size.
type class struct {
	companies float64
	people    float64
}

// classes follow what is known of firms: as many companies are at least ten times as
// large as there are a tenth of them. A million have 100 people each on average.
var classes = []class{
	{20, 100_000},
	{400, 20_000},
	{3_000, 5_000},
	{20_000, 1_000},
	{100_000, 200},
	{436_710, 60},
	{439_870, 20},
}

// zone is a share of the companies, and how many hours they are behind the first.
type zone struct {
	share  float64
	behind int
}

// Korea and Japan share a time zone, which is the hardest case.
var (
	oneZone  = []zone{{1, 0}}
	sixZones = []zone{{0.40, 0}, {0.10, 2}, {0.15, 4}, {0.15, 8}, {0.15, 14}, {0.05, 17}}
)

// habit is when a share of the people arrives: around a minute of the day.
type habit struct {
	share, around, deviation float64
}

// habits: most begin at nine and come some minutes before, the others choose.
var habits = []habit{{0.7, 8*60 + 52, 9}, {0.3, 9*60 + 15, 45}}

// prices are of a month, in whatever currency the reader thinks in.
var prices = []struct {
	name  string
	price float64
}{
	{"core", 20},
	{"GB of RAM", 3},
	{"TB of SSD", 90},
	{"TB of object storage", 22},
	{"TB sent to the internet", 50},
}
