package notice

import "context"

// Full is a notice with everything that belongs to it.
type Full struct {
	Notice
	Targets     Targets
	Attachments []Attachment
	Author      string
	Readers     int
	Recipients  int
}

// Full returns a notice that is not deleted with everything that belongs to it.
func (s *Store) Full(ctx context.Context, companyID, id int64) (f Full, err error) {
	if f.Notice, err = s.Notice(ctx, NoticeParams{companyID, id}); err != nil {
		return f, err
	}
	if f.Targets, err = s.targetsOf(ctx, f.Notice); err != nil {
		return f, err
	}
	if f.Attachments, err = s.Attachments(ctx, AttachmentsParams{companyID, &id}); err != nil {
		return f, err
	}
	if f.Author, err = s.userName(ctx, userNameParams{companyID, f.AuthorID}); err != nil {
		return f, err
	}
	counts, err := s.ReaderCounts(ctx, ReaderCountsParams{CompanyID: companyID, NoticeIds: []int64{id}})
	if err != nil {
		return f, err
	}
	for _, c := range counts {
		f.Readers = int(c.Readers)
	}
	recipients, err := s.Recipients(ctx, companyID, f.Notice)
	f.Recipients = recipients[id]
	return f, err
}
