package queries

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"officeconsole/workday"
)

// invalidField is the refusal of what cannot have been chosen.
const invalidField = Invalid("api.field.invalid")

// addressReader reads what was chosen from an address and gathers refusals.
type addressReader struct {
	query   url.Values
	refused FieldErrors
}

func (r *addressReader) refuse(name string) { r.refuseAs(name, invalidField) }

func (r *addressReader) refuseAs(name string, why Invalid) {
	if r.refused == nil {
		r.refused = FieldErrors{}
	}
	r.refused[name] = why
}

func (r *addressReader) err() error {
	if r.refused == nil {
		return nil
	}
	return r.refused
}

// id reads the id of a row; 0 without one.
func (r *addressReader) id(name string) int64 {
	text := r.query.Get(name)
	if text == "" {
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		r.refuse(name)
		return 0
	}
	return id
}

// number reads one of some numbers; 0 without one.
func (r *addressReader) number(name string, among []int) int {
	text := r.query.Get(name)
	if text == "" {
		return 0
	}
	number, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(among, number) {
		r.refuse(name)
		return 0
	}
	return number
}

// oneOf reads one of some words; "" without one.
func oneOf[Word ~string](r *addressReader, name string, among []Word) Word {
	word := Word(r.query.Get(name))
	if word != "" && !slices.Contains(among, word) {
		r.refuse(name)
		return ""
	}
	return word
}

// date reads a date; otherwise without one.
func (r *addressReader) date(name string, otherwise workday.Date) workday.Date {
	text := r.query.Get(name)
	if text == "" {
		return otherwise
	}
	date, err := workday.ParseDate(text)
	if err != nil || !inRange(date) {
		r.refuse(name)
		return otherwise
	}
	return date
}

// month reads the first day of a month, "2026-11"; otherwise without one.
func (r *addressReader) month(name string, otherwise workday.Date) workday.Date {
	text := r.query.Get(name)
	if text == "" {
		return otherwise
	}
	first, err := time.Parse("2006-01", text)
	if err != nil || !inRange(workday.DateOf(first)) {
		r.refuse(name)
		return otherwise
	}
	return workday.DateOf(first)
}

// inRange reports whether there are pages of the date.
func inRange(date workday.Date) bool { return date.Year() >= 1900 && date.Year() <= 2200 }

// search reads what is searched for, as typed and parsed.
func (r *addressReader) search(name string) (string, Search) {
	text := r.query.Get(name)
	search, refused := readSearch(text)
	if refused != "" {
		r.refuseAs(name, Invalid(refused))
	}
	return text, search
}

// ParseSearch reads the text of a search box. What it refuses is Invalid.
func ParseSearch(text string) (Search, error) {
	search, refused := readSearch(text)
	if refused != "" {
		return search, Invalid(refused)
	}
	return search, nil
}

// cursor reads where the page is; nil without one.
func (r *addressReader) cursor(list string) *Cursor {
	c, err := ParseCursor(r.query.Get("cursor"))
	if err == nil {
		err = c.Check(list)
	}
	if err != nil {
		r.refuse("cursor")
		return nil
	}
	return c
}

// setText writes a value to an address, "" to none.
func setText(query url.Values, name, text string) {
	if text != "" {
		query.Set(name, text)
	}
}

// setID writes the id of a row to an address, 0 to none.
func setID(query url.Values, name string, id int64) {
	if id != 0 {
		query.Set(name, strconv.FormatInt(id, 10))
	}
}
