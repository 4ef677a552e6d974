package notice

import (
	"context"
	"fmt"
	"time"

	"officeconsole/queries/cache"
)

// formerReadersKey identifies the readers of a notice who are not its recipients in a
// version of the company's directory. Only recipients become readers, so within a version
// they stay the same.
type formerReadersKey struct{ company, version, notice int64 }

// maxFormerReaders is the size of the cache: some two hundred pages of the list.
const maxFormerReaders = 10_000

func newFormerReaders(now func() time.Time) *cache.Cache[formerReadersKey, int] {
	return cache.New[formerReadersKey](cache.Options[int]{Name: "former_readers", Size: maxFormerReaders, Now: now})
}

// formerReadersOf returns how many have read each of some notices and are not among its
// recipients any more, by the ids of the notices. The stored counts of readers only grow,
// because hiding or moving somebody would have to change those of every notice that they
// have read.
func (s *Store) formerReadersOf(ctx context.Context, companyID, version int64, rows []Row) (map[int64]int, error) {
	former, arg := map[int64]int{}, formerReadersParams{CompanyID: companyID}
	for _, r := range rows {
		if r.Readers == 0 {
			continue
		}
		readers, found := s.former.Peek(formerReadersKey{companyID, version, r.ID})
		switch {
		case found:
			former[r.ID] = readers
		case r.Everyone:
			arg.ForEveryone = append(arg.ForEveryone, r.ID)
		default:
			arg.WithTargets = append(arg.WithTargets, r.ID)
		}
	}
	if len(arg.ForEveryone)+len(arg.WithTargets) == 0 {
		return former, nil
	}
	counts, err := s.formerReaders(ctx, arg)
	if err != nil {
		return nil, fmt.Errorf("former readers: %w", err)
	}
	for _, c := range counts {
		former[c.NoticeID] = int(c.Readers)
	}
	for _, id := range append(arg.ForEveryone, arg.WithTargets...) {
		s.former.Put(formerReadersKey{companyID, version, id}, former[id])
	}
	return former, nil
}
