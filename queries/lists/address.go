package lists

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"officeconsole/queries"
	"officeconsole/search"
	"officeconsole/workday"
)

// invalidField is the refusal of a value that no control of a page offers.
const invalidField = queries.Invalid("api.field.invalid")

// AddressReader reads the parameters of a URL and collects refusals by their names.
type AddressReader struct {
	Query   url.Values
	refused queries.FieldErrors
}

// Refuse adds a refusal of a parameter.
func (r *AddressReader) Refuse(name string) { r.refuseAs(name, invalidField) }

func (r *AddressReader) refuseAs(name string, why queries.Invalid) {
	if r.refused == nil {
		r.refused = queries.FieldErrors{}
	}
	r.refused[name] = why
}

// Err returns the refusals as FieldErrors, nil without any.
func (r *AddressReader) Err() error {
	if r.refused == nil {
		return nil
	}
	return r.refused
}

// Id reads the id of a row; 0 if the parameter is missing or refused.
func (r *AddressReader) Id(name string) int64 {
	text := r.Query.Get(name)
	if text == "" {
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		r.Refuse(name)
		return 0
	}
	return id
}

// Number reads one of some numbers; 0 if the parameter is missing or refused.
func (r *AddressReader) Number(name string, among []int) int {
	text := r.Query.Get(name)
	if text == "" {
		return 0
	}
	number, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(among, number) {
		r.Refuse(name)
		return 0
	}
	return number
}

// OneOf reads one of some words; "" if the parameter is missing or refused.
func OneOf[Word ~string](r *AddressReader, name string, among []Word) Word {
	word := Word(r.Query.Get(name))
	if word != "" && !slices.Contains(among, word) {
		r.Refuse(name)
		return ""
	}
	return word
}

// Date reads a date; fallback if the parameter is missing.
func (r *AddressReader) Date(name string, fallback workday.Date) workday.Date {
	text := r.Query.Get(name)
	if text == "" {
		return fallback
	}
	date, err := workday.ParseDate(text)
	if err != nil || !inRange(date) {
		r.Refuse(name)
		return fallback
	}
	return date
}

// ReversedPeriod is the refusal of a period that ends before it begins.
const ReversedPeriod = queries.Invalid("search.period.reversed")

// Period reads the first and the last date of a log, from and to; 0 for no limit.
func (r *AddressReader) Period() (from, to workday.Date) {
	from, to = r.Date("from", 0), r.Date("to", 0)
	if from != 0 && to != 0 && to < from {
		r.refuseAs("to", ReversedPeriod)
	}
	return from, to
}

// Month reads a month like "2026-11" as its first day; fallback if the parameter
// is missing.
func (r *AddressReader) Month(name string, fallback workday.Date) workday.Date {
	text := r.Query.Get(name)
	if text == "" {
		return fallback
	}
	first, err := time.Parse("2006-01", text)
	if err != nil || !inRange(workday.DateOf(first)) {
		r.Refuse(name)
		return fallback
	}
	return workday.DateOf(first)
}

// inRange reports whether there are pages for a date.
func inRange(date workday.Date) bool { return date.Year() >= 1900 && date.Year() <= 2200 }

// Search reads the text of a search box and returns it as typed and parsed.
func (r *AddressReader) Search(name string) (string, search.Search) {
	text := r.Query.Get(name)
	search, refused := search.Parse(text)
	if refused != "" {
		r.refuseAs(name, queries.Invalid(refused))
	}
	return text, search
}

// ParseSearch parses the text of a search box. It refuses with Invalid.
func ParseSearch(text string) (search.Search, error) {
	search, refused := search.Parse(text)
	if refused != "" {
		return search, queries.Invalid(refused)
	}
	return search, nil
}

// Cursor reads the cursor of a list; nil if the parameter is missing or
// refused.
func (r *AddressReader) Cursor(list string) *Cursor {
	c, err := ParseCursor(r.Query.Get("cursor"))
	if err == nil {
		err = c.Check(list)
	}
	if err != nil {
		r.Refuse("cursor")
		return nil
	}
	return c
}

// SetText sets a parameter unless the text is empty.
func SetText(query url.Values, name, text string) {
	if text != "" {
		query.Set(name, text)
	}
}

// SetID sets a parameter to the id of a row unless it is 0.
func SetID(query url.Values, name string, id int64) {
	if id != 0 {
		query.Set(name, strconv.FormatInt(id, 10))
	}
}
