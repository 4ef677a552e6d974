package queries

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// namePartSize is how many people a part of the list of names has when it is
// cut. A search reads whole parts; with half as many people in each, there are
// twice as many bits to look through. At 16 a common syllable of given names,
// which is in many parts but has few people in each, is found about twice as
// fast as at 64, and one person among a million no slower.
const namePartSize = 16

// cutNames cuts the list of names of a company into parts of size people and
// notes which grams occur in which.
func (q *Queries) cutNames(ctx context.Context, companyID int64, size int) error {
	if _, err := q.lockCompany(ctx, companyID); err != nil {
		return err
	}
	if err := q.deleteNameParts(ctx, companyID); err != nil {
		return err
	}
	if err := q.deleteGramParts(ctx, companyID); err != nil {
		return err
	}
	const readParts = 64
	cut := nameCut{grams: map[string][]byte{}}
	next := nextNamesParams{CompanyID: companyID, Size: int32(readParts * size)}
	for {
		people, err := q.nextNames(ctx, next)
		if err != nil {
			return err
		}
		for part := range slices.Chunk(people, size) {
			cut.add(part)
		}
		if len(people) < readParts*size {
			return cut.insert(ctx, q, companyID)
		}
		last := people[len(people)-1]
		next.AfterName, next.AfterID = last.Name, last.ID
	}
}

// cutOutgrownNames cuts the names of a company anew when many people have come.
func (q *Queries) cutOutgrownNames(ctx context.Context, companyID int64) error {
	parts, err := q.countNameParts(ctx, companyID)
	if err != nil {
		return err
	}
	many, err := q.hasMorePeople(ctx, hasMorePeopleParams{CompanyID: companyID, Count: 2 * namePartSize * max(parts, 1)})
	if err != nil || !many {
		return err
	}
	return q.cutNames(ctx, companyID, namePartSize)
}

// cutAllNames is for people whom an earlier schema holds.
func cutAllNames(ctx context.Context, url string) error {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	delete(config.RuntimeParams, acquireOption)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	companies, err := New(conn).companyIDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range companies {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return New(tx).cutOutgrownNames(ctx, id) })
		if err != nil {
			return fmt.Errorf("cut the names of company %d: %w", id, err)
		}
	}
	return nil
}

// nameCut is a list of names that has been cut so far.
type nameCut struct {
	ends  []DirectoryPlace  // of each part: its last person
	grams map[string][]byte // the parts where a gram occurs, a bit for each from the highest of the first byte
}

func (c *nameCut) add(part []nextNamesRow) {
	no, last := len(c.ends), part[len(part)-1]
	c.ends = append(c.ends, DirectoryPlace{last.Name, last.ID})
	for _, person := range part {
		for _, gram := range gramsOf(person.SearchText) {
			set := c.grams[gram]
			if missing := no/8 + 1 - len(set); missing > 0 {
				set = append(set, make([]byte, missing)...)
				c.grams[gram] = set
			}
			set[no/8] |= 0x80 >> (no % 8)
		}
	}
}

func (c *nameCut) insert(ctx context.Context, q *Queries, companyID int64) error {
	parts := insertNamePartsParams{CompanyID: companyID}
	var begin DirectoryPlace
	for no, end := range c.ends {
		parts.Nos, parts.Names, parts.Ids = append(parts.Nos, int32(no)), append(parts.Names, begin.Name), append(parts.Ids, begin.ID)
		begin = end
	}
	if err := q.insertNameParts(ctx, parts); err != nil {
		return err
	}
	for grams := range slices.Chunk(slices.Collect(maps.Keys(c.grams)), 1000) {
		sets := make([]pgtype.Bits, len(grams))
		for i, gram := range grams {
			set := append(c.grams[gram], make([]byte, (len(c.ends)+7)/8-len(c.grams[gram]))...)
			sets[i] = pgtype.Bits{Bytes: set, Len: int32(len(c.ends)), Valid: true}
		}
		if err := q.insertGramParts(ctx, insertGramPartsParams{companyID, grams, sets}); err != nil {
			return err
		}
	}
	return nil
}
