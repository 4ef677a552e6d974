package handlers

import (
	"encoding/json"
	"time"

	"github.com/alexedwards/scs/v2"
)

// sessionCodec stores sessions of ids and texts as JSON. The default gob codec
// writes its type descriptions into every session; decoding them took as long
// as a statement. The statement signedInBySession reads ids from it, too.
type sessionCodec struct{ scs.GobCodec }

type storedSession struct {
	Deadline time.Time         `json:"deadline"`
	IDs      map[string]int64  `json:"ids"`
	Texts    map[string]string `json:"texts,omitempty"`
}

func (c sessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	s := storedSession{deadline, map[string]int64{}, map[string]string{}}
	for key, value := range values {
		switch value := value.(type) {
		case int64:
			s.IDs[key] = value
		case string:
			s.Texts[key] = value
		default:
			return c.GobCodec.Encode(deadline, values)
		}
	}
	return json.Marshal(s)
}

func (c sessionCodec) Decode(stored []byte) (time.Time, map[string]any, error) {
	if len(stored) == 0 || stored[0] != '{' {
		return c.GobCodec.Decode(stored)
	}
	var s storedSession
	if err := json.Unmarshal(stored, &s); err != nil {
		return time.Time{}, nil, err
	}
	values := make(map[string]any, len(s.IDs)+len(s.Texts))
	for key, value := range s.IDs {
		values[key] = value
	}
	for key, value := range s.Texts {
		values[key] = value
	}
	return s.Deadline, values, nil
}
