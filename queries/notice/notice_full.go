package notice

import "context"

// Full is a notice with everything that belongs to it.
type Full struct {
	Notice
	Targets     Targets
	Attachments []Attachment
	Author      string
	Readers     int // of the recipients
	Recipients  int
}

// Notice returns one notice. It returns Gone for a deleted one.
func (s *Store) Notice(ctx context.Context, companyID, id int64) (Notice, error) {
	n, err := s.anyNotice(ctx, anyNoticeParams{companyID, id})
	if err == nil && n.DeletedAt != nil {
		err = s.gone(ctx, n, s.db.Now())
	}
	return n, err
}

// Full returns a notice with everything that belongs to it. It returns Gone for a
// deleted one.
func (s *Store) Full(ctx context.Context, companyID, id int64) (f Full, err error) {
	if f.Notice, err = s.Notice(ctx, companyID, id); err != nil {
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
	readers, err := s.readCount(ctx, readCountParams{companyID, id})
	if err != nil {
		return f, err
	}
	rows := []Row{{ID: id, Everyone: f.Everyone, Readers: int(readers)}}
	err = s.addReach(ctx, companyID, rows)
	f.Readers, f.Recipients = rows[0].Readers, rows[0].Recipients
	return f, err
}
