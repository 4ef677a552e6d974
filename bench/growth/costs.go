// Package growth calculates what the console needs for a number of companies: from
// the costs that the part "costs" of the benchmarks measured on one machine, and from
// assumptions about people that assumptions.go names.
package growth

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Costs are what was measured on one machine.
type Costs struct {
	// Machine describes the machine, and Fill the company that was measured.
	Machine string `json:"machine"`
	Fill    string `json:"fill"`

	Tables []TableSize `json:"tables"`

	// A call with one clock event, and one with as many as a call may have.
	Single Call `json:"single"`
	Batch  Call `json:"batch"`

	Page      Work    `json:"page"`
	PageBytes float64 `json:"page_bytes"` // as sent, compressed

	// Stream is the work of an open event stream a second, Company that of the jobs
	// for a company in which nothing happens, by each console and second.
	Stream  Work `json:"stream"`
	Company Work `json:"company"`

	ConsoleMiB    float64 `json:"console_mib"`    // memory of a console under load
	StreamKiB     float64 `json:"stream_kib"`     // memory of a console for each open stream
	ConnectionMiB float64 `json:"connection_mib"` // memory of the server for each connection
	MessageBytes  float64 `json:"message_bytes"`  // of a message on the stream
}

// Work is processor time in microseconds.
type Work struct {
	Console  float64 `json:"console"`
	Database float64 `json:"database"`
}

// Call is what a call with a number of clock events costs.
type Call struct {
	Events   int     `json:"events"`
	Work     Work    `json:"work"`
	WALBytes float64 `json:"wal_bytes"`
}

// TableSize is the size of a table's rows in bytes a row.
type TableSize struct {
	Name    string  `json:"name"`
	Rows    int64   `json:"rows"` // that were measured
	Table   float64 `json:"table"`
	Indexes float64 `json:"indexes"`
}

//go:embed costs.json
var measured []byte

// Measured returns the costs in costs.json.
func Measured() (Costs, error) {
	var c Costs
	if err := json.Unmarshal(measured, &c); err != nil {
		return c, fmt.Errorf("costs.json: %w", err)
	}
	return c, nil
}

func (w Work) plus(other Work) Work {
	return Work{w.Console + other.Console, w.Database + other.Database}
}

func (w Work) times(n float64) Work { return Work{w.Console * n, w.Database * n} }

// furtherEvent is what each event of a call costs beyond the first: a line through both
// measured calls.
func (c Costs) furtherEvent() Call {
	n := float64(c.Batch.Events - c.Single.Events)
	return Call{
		Events:   1,
		Work:     c.Batch.Work.plus(c.Single.Work.times(-1)).times(1 / n),
		WALBytes: (c.Batch.WALBytes - c.Single.WALBytes) / n,
	}
}

// size returns the size of a table's rows.
func (c Costs) size(name string) (TableSize, error) {
	for _, t := range c.Tables {
		if t.Name == name {
			return t, nil
		}
	}
	return TableSize{}, fmt.Errorf("costs.json lacks the table %s", name)
}
