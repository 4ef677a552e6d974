package move

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// Sum stands for the rows of a table, in any order.
type Sum struct {
	Rows int64
	Sum  string // of the first 64 bits of the SHA-256 of each row's text
}

// sumStatement computes the Sum of a table. SHA-256 is the same on every machine and in
// every version, unlike the database's own hashes, and is not switched off where MD5 is.
func sumStatement(t table) string {
	return "select count(*), coalesce(sum(('x' || left(encode(sha256(convert_to(row(" + strings.Join(t.Columns, ", ") +
		")::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint), 0)::text from only " + t.Name
}

// compare returns a Difference if a table of the target is not as in the source.
func (m *mover) compare(ctx context.Context, of []table, report func(Progress)) error {
	m.rows = 0
	shares := newShares(of)
	for _, t := range of {
		var ours, theirs Sum
		group, both := errgroup.WithContext(ctx)
		group.Go(func() error {
			return m.source.inSnapshot(both, func(conn *pgx.Conn) error {
				return conn.QueryRow(both, sumStatement(t)).Scan(&ours.Rows, &ours.Sum)
			})
		})
		group.Go(func() error {
			return m.target.conn.QueryRow(both, sumStatement(t)).Scan(&theirs.Rows, &theirs.Sum)
		})
		if err := group.Wait(); err != nil {
			return fmt.Errorf("compare the table %s: %w", t.Name, err)
		}
		if ours != theirs {
			return Difference{Table: t.Name, Source: ours, Target: theirs}
		}
		m.rows += ours.Rows
		report(Progress{Compared, t.Name, ours.Rows, shares.after(t)})
	}
	return nil
}
