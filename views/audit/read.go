package audit

import (
	"context"
	"strconv"
	"strings"
	"time"

	"officeconsole/locales"
	"officeconsole/queries/audit"
	"officeconsole/queries/lists"
	"officeconsole/views"
)

// ReadsPath is the address of the log of reads, without language prefix.
const ReadsPath = "/manage/security/reads"

// Reads is the page of the log of reads.
type Reads struct {
	Frame views.Frame
	audit.ReadsFilter
	Refused string // the message id of a refused period; "" for none
	Page    lists.Page[audit.ReadRow]
	Names   audit.Names
	Readers []audit.Reader
	Subject string // the name of the user of the filter; "" for none
}

func (l Reads) pager(ctx context.Context) views.Pager {
	return views.NewPager(ctx, l.Page, "change.range", func(cursor string) string {
		return views.ListURL(ReadsPath, l.Values(), "cursor", cursor)
	}).Exported()
}

func (l Reads) readers(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "read.reader.any")}}
	for _, r := range l.Readers {
		options = append(options, views.Option{Value: views.IDText(r.ID), Text: r.Name})
	}
	return options
}

func (l Reads) kinds(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "read.kind.any")}}
	for _, kind := range audit.ReadKinds {
		options = append(options, views.Option{Value: string(kind), Text: kindText(ctx, kind)})
	}
	return options
}

func (l Reads) vias(ctx context.Context) []views.Option {
	options := []views.Option{{Text: locales.T(ctx, "read.via.any")}}
	for _, via := range audit.ReadVias {
		options = append(options, views.Option{Value: string(via), Text: viaText(ctx, via)})
	}
	return options
}

func kindText(ctx context.Context, kind audit.ReadKind) string {
	return locales.T(ctx, "read.kind."+string(kind))
}

func viaText(ctx context.Context, via audit.ReadVia) string {
	return locales.T(ctx, "read.via."+string(via))
}

func (l Reads) at(r audit.ReadRow) time.Time { return r.At.In(l.Frame.Zone()) }

// subjectText is the name of the user whom a read is about.
func subjectText(ctx context.Context, r audit.ReadRow) string {
	if r.SubjectName == "" {
		return locales.T(ctx, "file.user.gone", "ID", strconv.FormatInt(*r.SubjectID, 10))
	}
	return r.SubjectName
}

// subjectURL is the list of what was read of a user.
func (l Reads) subjectURL(r audit.ReadRow) string {
	return views.ListURL(ReadsPath, l.Values(), "subject", views.IDText(*r.SubjectID))
}

// whatPath is the page that shows what was read; "" if it has none of its own.
func whatPath(r audit.ReadRow) string {
	const attendance = "/logs/workingattitude/"
	query := r.Filter()
	switch r.Kind {
	case audit.ReadDay, audit.ReadWeek, audit.ReadMonth, audit.ReadManagement:
		if r.SubjectID != nil {
			query.Set("user_id", views.IDText(*r.SubjectID))
		}
		return views.WithQuery(attendance+string(r.Kind), query)
	case audit.ReadPayroll:
		return views.WithQuery(attendance+"month/payroll", query)
	case audit.ReadDesk:
		query.Set("view", "desk")
		return views.WithQuery(attendance+"day", query)
	case audit.ReadRecord:
		return attendance + "day/" + r.Object
	case audit.ReadCorrections:
		return attendance + "day/corrections"
	case audit.ReadFiles:
		return views.WithQuery("/logs/communication/file", query)
	case audit.ReadFile:
		return "/logs/communication/file/" + r.Object
	case audit.ReadClients:
		platform := query.Get("platform")
		query.Del("platform")
		return views.WithQuery("/manage/use/agent/"+platform, query)
	case audit.ReadAccess:
		return views.WithQuery("/manage/security/access", query)
	case audit.ReadChanges:
		return views.WithQuery(Path, query)
	case audit.ReadReads:
		return views.WithQuery(ReadsPath, query)
	}
	return ""
}

// whatText says which part of a list was read, or names the record or file.
func (l Reads) whatText(ctx context.Context, r audit.ReadRow) string {
	switch r.Kind {
	case audit.ReadRecord:
		if at, err := time.Parse(time.DateOnly, recordDate(r.Object)); err == nil {
			return locales.T(ctx, "read.record", "Date", locales.ShortDate(ctx, at, l.Frame.Now))
		}
		return r.Object
	case audit.ReadFile:
		return r.ObjectName
	}
	return filterText(ctx, r.Filter(), l.Names, l.Frame.Now)
}

// recordDate is the date in the key of a record: "6-2026-11-20".
func recordDate(key string) string {
	_, date, _ := strings.Cut(key, "-")
	return date[:min(len(date), len(time.DateOnly))]
}
