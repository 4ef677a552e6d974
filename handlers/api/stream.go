package api

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzhttp"

	"officeconsole/queries/areas"
)

type streamInput struct {
	CompanyPath
	LastEventID   int64  `header:"Last-Event-ID" minimum:"0" doc:"The last id that was read."`
	Authorization string `header:"Authorization"`
	goesOn        bool
}

// Resolve stores whether there is a Last-Event-ID, which may be 0.
func (in *streamInput) Resolve(ctx huma.Context) []error {
	in.goesOn = ctx.Header("Last-Event-ID") != ""
	return nil
}

// heartbeat is the interval after which a quiet stream sends a comment, so that
// proxies do not close it, and checks the token again.
const heartbeat = 15 * time.Second

// comeBack is how many milliseconds a client waits at least before it connects again.
const comeBack = 1000

// streamPage is the number of messages read at once.
const streamPage = 100

// stream sends a company's messages until the client disconnects, its token
// ends or the program stops. A client that reconnects sends the last id that it
// received, so that no message is lost.
func (c *calls) stream(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	last, err := c.db.LastMessageID(ctx, in.CompanyID)
	if err != nil {
		return nil, err
	}
	after := in.LastEventID
	switch {
	case !in.goesOn:
		after = last
	case after > last:
		// The database was restored to a time before that message, or it and all before
		// it are deleted: the messages that are left follow, as for an id that is too old.
		after = 0
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		hctx.SetHeader("Content-Type", "text/event-stream")
		hctx.SetHeader("Cache-Control", "no-store")
		hctx.SetHeader("X-Accel-Buffering", "no") // of nginx
		hctx.SetHeader(gzhttp.HeaderNoCompression, "1")
		hctx.SetStatus(http.StatusOK)
		if hctx.Method() == http.MethodHead {
			return // the body would have no end
		}
		s := events{c.db, hctx.BodyWriter(), in.CompanyID, after, func() { setDeadlines(hctx, time.Time{}, time.Now().Add(2*heartbeat)) }}
		if err := s.run(hctx, in.Authorization, c); err != nil && hctx.Context().Err() == nil {
			slog.WarnContext(hctx.Context(), "event stream interrupted", "err", err)
		}
	}}, nil
}

type events struct {
	db        *areas.Areas
	out       io.Writer
	companyID int64
	after     int64
	extend    func() // gives the next write its time
}

func (s *events) run(hctx huma.Context, authorization string, c *calls) error {
	ctx := hctx.Context()
	signals, leave := s.db.Follow(s.companyID)
	defer leave()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	// The compression holds the header back until the first bytes are written: a
	// client of a quiet stream would not know that it is connected. An id without data
	// is no event, but clients that reconnect before the first one send it.
	if err := s.write(fmt.Sprintf(": connected\nid: %d\n\n", s.after)); err != nil {
		return err
	}
	for {
		if err := s.sendNew(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case _, following := <-signals:
			if !following {
				return s.sendAway()
			}
		case <-beat.C:
			if _, err := c.bearer(hctx, authorization); err != nil {
				return err
			}
			if err := s.write(": still here\n\n"); err != nil {
				return err
			}
		}
	}
}

func (s *events) sendNew(ctx context.Context) error {
	for {
		messages, err := s.db.MessagesAfter(ctx, s.companyID, s.after, streamPage)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if err := s.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", m.ID, m.Type, m.Payload)); err != nil {
				return err
			}
			s.after = m.ID
		}
		if len(messages) < streamPage {
			return s.flush()
		}
	}
}

// sendAway tells a client to connect again, because the program stops: after a second
// or two, so that not all clients of a program come to the next one at once.
func (s *events) sendAway() error {
	return s.write(fmt.Sprintf(": the server is stopping\nretry: %d\n\n", comeBack+rand.IntN(comeBack)))
}

func (s *events) write(text string) error {
	s.extend()
	if _, err := io.WriteString(s.out, text); err != nil {
		return err
	}
	return s.flush()
}

func (s *events) flush() error {
	s.extend()
	flusher, ok := s.out.(http.Flusher)
	if !ok {
		return fmt.Errorf("%T cannot send a stream", s.out)
	}
	flusher.Flush()
	return nil
}
