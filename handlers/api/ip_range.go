package api

import (
	"cmp"
	"context"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"officeconsole/locales"
	"officeconsole/settings"
)

// writtenRange is a row of address ranges as it was typed.
type writtenRange struct {
	LocationName string `json:"location_name,omitempty" maxLength:"1000"`
	Range        string `json:"range" maxLength:"1000"`
}

type checkRangesInput struct {
	OwnPath
	Body struct {
		Ranges []writtenRange `json:"ranges,omitempty" maxItems:"1000" doc:"Rows to check."`
		Lines  string         `json:"lines,omitempty" doc:"Or pasted lines of a place and its range, in either order."`
	}
	address netip.Addr
}

// Resolve stores the client's IP address.
func (in *checkRangesInput) Resolve(ctx huma.Context) []error {
	in.address = addressOf(ctx)
	return nil
}

// checkedRange is the meaning of a row or a line.
type checkedRange struct {
	Number       int      `json:"number" doc:"Of the row or the line, from 1; empty lines count but are left out."`
	LocationName string   `json:"location_name" doc:"The place; in a line without one the text of the range."`
	Range        string   `json:"range" doc:"As it was written."`
	Start        string   `json:"start,omitempty"`
	End          string   `json:"end,omitempty"`
	Addresses    int64    `json:"addresses" doc:"How many; 0 where the range is refused."`
	IsOwn        bool     `json:"is_own" doc:"The address that the call comes from is in the range."`
	Error        string   `json:"error" doc:"Why the range is refused, else empty."`
	IsUnfinished bool     `json:"is_unfinished" doc:"What is refused may become a range by typing on."`
	Warnings     []string `json:"warnings" nullable:"false" doc:"What should be looked at, overlaps with other rows for one. None for lines."`
}

type checkRangesOutput struct {
	Body struct {
		Data []checkedRange `json:"data" nullable:"false"`
	}
}

// checkRanges parses address ranges as saving a policy does, without saving.
func (c *calls) checkRanges(ctx context.Context, in *checkRangesInput) (*checkRangesOutput, error) {
	out := &checkRangesOutput{}
	out.Body.Data = []checkedRange{}
	add := func(line settings.Line) *checkedRange {
		out.Body.Data = append(out.Body.Data, newCheckedRange(ctx, line, in.address))
		return &out.Body.Data[len(out.Body.Data)-1]
	}
	for _, line := range settings.ParseLines(in.Body.Lines) {
		line.Name = cmp.Or(line.Name, line.Text)
		add(line)
	}
	ranges := make([]settings.Range, len(in.Body.Ranges))
	codes := make([]string, len(in.Body.Ranges))
	for i, row := range in.Body.Ranges {
		ranges[i], codes[i] = settings.ParseRange(row.Range)
	}
	for i, row := range in.Body.Ranges {
		checked := add(settings.Line{Number: i + 1, Name: row.LocationName, Text: row.Range, Range: ranges[i], Code: codes[i]})
		if codes[i] != "" {
			continue
		}
		if ranges[i].Private() {
			checked.Warnings = append(checked.Warnings, locales.T(ctx, "setting.warning.private_range"))
		}
		for j, other := range ranges {
			if j != i && codes[j] == "" && ranges[i].Overlaps(other) {
				checked.Warnings = append(checked.Warnings, locales.T(ctx, "range.overlaps", "Count", j+1))
				break
			}
		}
	}
	return out, nil
}

func newCheckedRange(ctx context.Context, line settings.Line, from netip.Addr) checkedRange {
	checked := checkedRange{Number: line.Number, LocationName: line.Name, Range: line.Text, Warnings: []string{}}
	if line.Code != "" {
		checked.Error, checked.IsUnfinished = locales.T(ctx, line.Code), settings.IsUnfinishedRange(line.Text)
		return checked
	}
	checked.Start, checked.End = line.Range.Start.String(), line.Range.End.String()
	checked.Addresses, checked.IsOwn = line.Range.Size(), line.Range.Contains(from)
	return checked
}
