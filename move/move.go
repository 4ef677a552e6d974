// Package move copies the console's database into an empty one, which may be on another
// machine and of another version of PostgreSQL, and proves that both have the same rows.
package move

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// Progress says what a move has done.
type Progress struct {
	Step  Step
	Table string
	Rows  int64   // of the table so far
	Share float64 // of the step, from 0 to 1
}

// Step is a step of a move.
type Step string

// The steps of a move.
const (
	Copied   Step = "copied"
	Compared Step = "compared"
)

// Result is what both databases have after a move.
type Result struct {
	Tables  int // a partition counts as a table
	Rows    int64
	LeftOut []string // tables and sequences of the source that are not the program's
}

// Copy copies the database at from into the empty one at to, and compares the two.
// Nothing but Copy can write to the source meanwhile, which it does not change. If it is
// cut off, a second Copy of the same source goes on with the tables that are missing.
func Copy(ctx context.Context, from, to string, report func(Progress)) (r Result, err error) {
	source, err := openSource(ctx, from)
	if err != nil {
		return r, fmt.Errorf("the source of the move: %w", err)
	}
	defer source.close()
	target, err := openTarget(ctx, to, source.version)
	if err != nil {
		return r, fmt.Errorf("the target of the move: %w", err)
	}
	defer target.close()
	m := mover{source: source, target: target, report: report}
	if err := m.prepare(ctx); err != nil {
		return r, err
	}
	if err := m.run(ctx); err != nil {
		return r, explain(err)
	}
	return Result{Tables: len(m.tables), Rows: m.rows, LeftOut: m.leftOut}, nil
}

// Difference is the error of a move after which a table of the target is not as in the
// source.
type Difference struct {
	Table          string
	Source, Target Sum
}

// Error implements error.
func (d Difference) Error() string {
	return fmt.Sprintf("the table %s of the target, with %d rows, is not as in the source, with %d rows: one of the two was changed since it was copied, so repeat the move into a new, empty database", d.Table, d.Target.Rows, d.Source.Rows)
}

// explain says how to go on after an error.
func explain(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, new(Difference)) {
		return err
	}
	if errors.As(err, &refused) && refused.Code == "53100" { // disk_full
		err = fmt.Errorf("a disk is full: %w", err)
	}
	return fmt.Errorf("the move is unfinished, the source is as it was, and the same move goes on where this one ended: %w", err)
}

// mover copies the tables of a source into a target.
type mover struct {
	source    *source
	target    *target
	report    func(Progress)
	tables    []table // in the order in which they are copied
	sequences []string
	leftOut   []string
	rows      int64
}

// prepare finds out what is to be copied, and creates partitions in the target.
func (m *mover) prepare(ctx context.Context) (err error) {
	if m.tables, err = m.source.readTables(ctx); err != nil {
		return fmt.Errorf("read the tables of the source: %w", err)
	}
	if m.sequences, err = m.source.readSequences(ctx); err != nil {
		return fmt.Errorf("read the sequences of the source: %w", err)
	}
	known, err := m.target.readNames(ctx)
	if err != nil {
		return fmt.Errorf("read the tables of the target: %w", err)
	}
	m.tables = m.knownTables(m.tables, known)
	m.sequences = m.knownSequences(m.sequences, known)
	for _, t := range m.tables {
		if t.Partition == "" || known[t.Name] {
			continue
		}
		if _, err := m.target.conn.Exec(ctx, t.Partition); err != nil {
			return fmt.Errorf("create the partition %s: %w", t.Name, err)
		}
	}
	return nil
}

// knownTables returns the tables that the program has, and notes the others as left out.
func (m *mover) knownTables(tables []table, known map[string]bool) (copied []table) {
	for _, t := range tables {
		if known[t.Root] {
			copied = append(copied, t)
		} else {
			m.leftOut = append(m.leftOut, t.Name)
		}
	}
	return copied
}

// knownSequences does the same with sequences.
func (m *mover) knownSequences(names []string, known map[string]bool) (copied []string) {
	for _, name := range names {
		if known[name] {
			copied = append(copied, name)
		} else {
			m.leftOut = append(m.leftOut, name)
		}
	}
	return copied
}

func (m *mover) run(ctx context.Context) error {
	copied, err := m.target.readCopied(ctx)
	if err != nil {
		return err
	}
	var before []table
	for _, t := range m.tables {
		if copied[t.Name] {
			before = append(before, t)
		}
	}
	// What was copied earlier is compared first: only with the same source can the rest
	// belong to it.
	if err := m.compare(ctx, before, func(Progress) {}); err != nil {
		return err
	}
	if err := m.copyTables(ctx, copied); err != nil {
		return err
	}
	if err := m.copySequences(ctx); err != nil {
		return err
	}
	if _, err := m.target.conn.Exec(ctx, "vacuum (analyze)"); err != nil { // for the planner, and for reads of indexes alone
		return fmt.Errorf("analyze the target: %w", err)
	}
	if err := m.compare(ctx, m.tables, m.report); err != nil {
		return err
	}
	if err := m.source.refuseOthers(ctx); err != nil {
		return fmt.Errorf("the source of the move: %w", err)
	}
	return m.target.finish(ctx)
}
