package queriestest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
)

// StatementLog records the statements that are sent to a database.
type StatementLog struct {
	mutex      sync.Mutex
	statements []string
}

// LogStatements records the statements that are sent to a database from now on.
func LogStatements(t testing.TB, db *areas.Areas) *StatementLog {
	t.Helper()
	log := &StatementLog{}
	db.Trace(log)
	return log
}

// TraceQueryStart implements pgx.QueryTracer.
func (l *StatementLog) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	first, _, _ := strings.Cut(data.SQL, "\n")
	l.statements = append(l.statements, first)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (l *StatementLog) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Take returns the first lines of the statements since the last call.
func (l *StatementLog) Take() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	taken := l.statements
	l.statements = nil
	return taken
}

// TakeCount returns how many statements since the last call ran the statement of
// a name: "visibleDepartments".
func (l *StatementLog) TakeCount(name string) int {
	count := 0
	for _, statement := range l.Take() {
		if strings.HasPrefix(statement, "-- name: "+name+" ") {
			count++
		}
	}
	return count
}
