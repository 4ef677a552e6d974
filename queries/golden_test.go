package queries

import (
	"strings"
	"testing"
	"time"

	"officeconsole/queries/queriestest/golden"
)

func TestGoldenPartitions(t *testing.T) {
	var text strings.Builder
	for _, month := range []time.Time{
		time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC),
	} {
		for _, table := range byMonth {
			text.WriteString(partitionStatement(table+month.Format("_2006_01"), table, month) + ";\n")
		}
	}
	golden.Compare(t, "testdata/partitions.sql", text.String())
}
