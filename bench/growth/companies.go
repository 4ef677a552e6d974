package growth

import "math"

// scales are the numbers of companies that the tables are about.
var scales = []int{1_000, 10_000, 100_000, 1_000_000}

// companiesOf returns how many companies of each size there are among a number of them.
func companiesOf(total int) []class {
	all := make([]class, len(classes))
	for i, c := range classes {
		all[i] = class{math.Round(c.companies * float64(total) / 1e6), c.people}
	}
	return all
}

func peopleOf(companies []class) (people float64) {
	for _, c := range companies {
		people += c.companies * c.people
	}
	return people
}

// largest returns the people of the largest company.
func largest(companies []class) (people float64) {
	for _, c := range companies {
		if c.companies > 0 {
			people = max(people, c.people)
		}
	}
	return people
}

// rowsADay returns the rows that people add to all tables on a workday, and in a year.
func rowsOf(people float64) (workday, year float64) {
	for _, r := range rows {
		workday += people * (r.workday + r.year/365)
		year += people * (r.workday*workdays + r.year)
	}
	return workday, year
}

// logRowsADay returns the rows of a person on a workday besides those of clock events,
// which the messenger sends in batches and nothing is derived from.
func logRowsADay() (count float64) {
	for _, r := range rows {
		if r.table != "clock_events" {
			count += r.workday
		}
	}
	return count
}

// disk is bytes of a person: of tables and of indexes as they were measured.
type disk struct{ table, indexes float64 }

// diskOf returns what a person adds in a year, and has besides.
func (c Costs) diskOf() (year, fixed disk, err error) {
	for _, r := range rows {
		size, err := c.size(r.table)
		if err != nil {
			return year, fixed, err
		}
		added := r.workday*workdays + r.year
		year.table += added * size.Table
		year.indexes += added * size.Indexes
		fixed.table += r.fixed * size.Table
		fixed.indexes += r.fixed * size.Indexes
	}
	return year, fixed, nil
}

// inUse is the size with indexes that have been filled in any order.
func (d disk) inUse() float64 { return d.table + d.indexes*filling }

// Tables returns the tables whose rows are calculated with.
func Tables() (names []string) {
	for _, r := range rows {
		names = append(names, r.table)
	}
	return names
}
