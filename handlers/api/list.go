package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/queries/directory"
	"officeconsole/queries/lists"
	"officeconsole/search"
)

// list is the response of every list.
type list[T any] struct {
	Data []T  `json:"data" nullable:"false"`
	Meta meta `json:"meta"`
}

type meta struct {
	NextCursor *string `json:"next_cursor" doc:"Where the next page begins; null on the last one."`
	Notes      []note  `json:"notes,omitempty" nullable:"false" doc:"What a reader of the list should know. Missing where there is nothing."`
}

// note is a sentence about a list that pages show beside it.
type note struct {
	Code    string `json:"code" doc:"search.ignored: q has more than three keywords, and the others were left out."`
	Message string `json:"message" doc:"The same in the language of Accept-Language."`
}

// searchNotes returns what a list says about the text that it was searched for.
func searchNotes(ctx context.Context, q string) []note {
	const id = "search.ignored"
	if parsed, _ := search.Parse(q); parsed.Ignored > 0 {
		return []note{{id, locales.T(ctx, id)}}
	}
	return nil
}

// PageInput is the input of every list. It is exported, as OwnPath and
// SearchInput are, because huma ignores unexported embedded structs.
type PageInput struct {
	OwnPath
	Limit       int      `query:"limit" minimum:"1" maximum:"500" doc:"Rows of a page. Without it the list answers whole."`
	Cursor      cursor   `query:"cursor" doc:"next_cursor of the page before."`
	IfNoneMatch []string `header:"If-None-Match" doc:"ETag of the list as it is known; if it is still so, the answer is 304."`
	query       string
	notes       []note
}

// Resolve stores the query, which is part of the ETag, and the notes about it. These have
// a language, and so are another state of the list in each.
func (in *PageInput) Resolve(ctx huma.Context) []error {
	url := ctx.URL()
	in.query = url.Path + "?" + url.RawQuery
	if in.notes = searchNotes(ctx.Context(), ctx.Query("q")); len(in.notes) > 0 {
		in.query += " " + string(locales.FromContext(ctx.Context()))
	}
	return nil
}

// cursor is a lists.Cursor as clients see it: an opaque string, only forward.
type cursor struct{ *lists.Cursor }

// UnmarshalText decodes the client's string.
func (c *cursor) UnmarshalText(word []byte) (err error) {
	c.Cursor, err = lists.ParseCursor(string(word))
	return err
}

// Schema describes a cursor as a string.
func (c cursor) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeString} }

// metaOf returns the cursor of the next page, without its page number and the
// previous cursor, which clients do not need.
func metaOf(next *lists.Cursor) meta {
	if next == nil {
		return meta{}
	}
	plain := *next
	plain.First, plain.Trail = 0, nil
	word := plain.String()
	return meta{NextCursor: &word}
}

// wholePage is the number of rows read at once for a whole list. Reading page
// by page keeps neither the list in memory nor a database connection waiting
// for a slow client.
const wholePage = 1000

// answer streams a list. fetch returns the rows of a page.
func answer[T any](c *calls, in PageInput, scope directory.Scope, fetch fetcher[T]) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		tag := etag(callerOf(ctx.Context()), scope, in.query)
		s := stream{ctx: ctx, tag: tag}
		if in.Limit == 0 {
			allowLongAnswer(ctx)
		}
		if matches(in.IfNoneMatch, tag) {
			s.begin(http.StatusNotModified)
			return
		}
		if err := writeRows(&s, in, fetch); err != nil {
			c.fail(&s, err)
		}
	}}
}

// fetcher reads a page of a list; at is nil for the first page.
type fetcher[T any] func(ctx context.Context, at *lists.Cursor, limit int) (lists.Page[T], error)

// pageOf converts the rows of a page to those of the API.
func pageOf[Row, T any](page lists.Page[Row], known func(Row) T) lists.Page[T] {
	rows := make([]T, len(page.Rows))
	for i, row := range page.Rows {
		rows[i] = known(row)
	}
	return lists.Page[T]{Rows: rows, Next: page.Next}
}

// listed returns the response for a page.
func listed[Row, T any](page lists.Page[Row], known func(Row) T) list[T] {
	return list[T]{Data: pageOf(page, known).Rows, Meta: metaOf(page.Next)}
}

// searched adds the notes about the text that a list was searched for.
func (l list[T]) searched(ctx context.Context, q string) list[T] {
	l.Meta.Notes = searchNotes(ctx, q)
	return l
}

func writeRows[T any](s *stream, in PageInput, fetch fetcher[T]) error {
	limit := wholePage
	if in.Limit > 0 {
		limit = in.Limit
	}
	next, written := in.Cursor.Cursor, 0
	s.text(`{"data":[`)
	for {
		page, err := fetch(s.ctx.Context(), next, limit)
		if err != nil {
			return err
		}
		for _, row := range page.Rows {
			if written++; written > 1 {
				s.text(",")
			}
			if err := s.row(row); err != nil {
				return err
			}
		}
		if next = page.Next; next == nil || in.Limit > 0 {
			break
		}
	}
	s.text(`],"meta":`)
	end := metaOf(next)
	end.Notes = in.notes
	if err := s.row(end); err != nil {
		return err
	}
	s.text("}\n")
	return s.flush()
}

// stream buffers a response and sends it in parts.
type stream struct {
	ctx  huma.Context
	tag  string
	out  bytes.Buffer
	sent bool
}

const streamBuffer = 32 << 10

func (s *stream) text(text string) { s.out.WriteString(text) }

func (s *stream) row(row any) error {
	encoder := json.NewEncoder(&s.out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(row); err != nil {
		return fmt.Errorf("encode row: %w", err)
	}
	s.out.Truncate(s.out.Len() - 1) // the encoder ends every value with a new line
	if s.out.Len() < streamBuffer {
		return nil
	}
	return s.flush()
}

func (s *stream) flush() error {
	if !s.sent {
		s.ctx.SetHeader("Content-Type", "application/json")
		s.begin(http.StatusOK)
	}
	if _, err := s.out.WriteTo(s.ctx.BodyWriter()); err != nil {
		return fmt.Errorf("send list: %w", err)
	}
	return nil
}

func (s *stream) begin(status int) {
	s.ctx.SetHeader("ETag", s.tag)
	s.ctx.SetHeader("Cache-Control", "private, no-cache")
	s.ctx.SetStatus(status)
	s.sent = true
}

// fail answers with the error if nothing is sent yet. Otherwise it closes the
// connection, so that the client does not take a part for the whole list.
func (c *calls) fail(s *stream, err error) {
	if s.sent {
		slog.WarnContext(s.ctx.Context(), "list interrupted, closing the connection", "path", s.ctx.URL().Path, "err", err)
		panic(http.ErrAbortHandler)
	}
	c.refuse(s.ctx, err)
}

// etag returns a weak tag of a list's state: of the directory and of what the
// caller may see in it. It is weak because compression changes the bytes.
func etag(who caller, scope directory.Scope, query string) string {
	var department int64
	if who.DepartmentID != nil {
		department = *who.DepartmentID
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %d %d %t %v %s",
		who.CompanyID, who.ID, who.DirectoryVersion, department, scope.Everybody, scope.DepartmentIDs, query))
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}
