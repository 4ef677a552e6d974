package main

import (
	"context"
	"net/http"
)

// readPaths are the pages that readers open.
var readPaths = []string{"/logs/workingattitude/day", "/policies/communication/management", "/notice"}

// readPages opens pages one after the other, as an administrator's browser does.
func (l *load) readPages(ctx, going context.Context, reader int) {
	s := l.session(reader)
	defer s.close()
	for n := reader; l.admit(going); {
		if s.cookie == "" {
			if a := s.enter(ctx); s.cookie == "" {
				l.tally.notePage(a)
				if !wait(going, retryPause) {
					return
				}
			}
			continue
		}
		a := s.do(ctx, http.MethodGet, readPaths[n%len(readPaths)], browser(s.cookie), nil)
		pause := l.pace.pagePause
		switch {
		case a.status == http.StatusSeeOther: // the session has ended
			s.cookie = ""
		case a.outcome == done:
			l.tally.notePage(a)
			n++
		default:
			l.tally.notePage(a)
			pause = retryPause
		}
		if !wait(going, pause) {
			return
		}
	}
}
