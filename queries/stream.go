package queries

import "sync"

// streams signals new messages to the followers of companies. All of them share
// the connection of Listen.
type streams struct {
	mutex     sync.Mutex
	followers map[chan struct{}]int64 // companies by follower
	ended     bool
}

// Follow returns a channel that gets a signal when a company may have new
// messages; the receiver then calls MessagesAfter. Signals that have not been
// received yet are merged into one. leave and EndStreams close the channel.
func (db *DB) Follow(companyID int64) (signals <-chan struct{}, leave func()) {
	s := &db.streams
	s.mutex.Lock()
	defer s.mutex.Unlock()
	follower := make(chan struct{}, 1)
	if s.ended {
		close(follower)
		return follower, func() {}
	}
	if s.followers == nil {
		s.followers = map[chan struct{}]int64{}
	}
	s.followers[follower] = companyID
	db.Listen()
	return follower, func() { s.leave(follower) }
}

// EndStreams closes the channels of all followers, also of later ones, because
// the program stops.
func (db *DB) EndStreams() {
	s := &db.streams
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ended = true
	for follower := range s.followers {
		s.remove(follower)
	}
}

func (s *streams) leave(follower chan struct{}) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if _, following := s.followers[follower]; following {
		s.remove(follower)
	}
}

func (s *streams) remove(follower chan struct{}) {
	delete(s.followers, follower)
	close(follower)
}

// count returns the number of followers.
func (s *streams) count() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.followers)
}

func (s *streams) signal(n notification) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for follower, companyID := range s.followers {
		if n.companyID != 0 && n.companyID != companyID {
			continue
		}
		select {
		case follower <- struct{}{}:
		default:
		}
	}
}
