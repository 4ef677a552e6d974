package main

import (
	"bufio"
	"encoding/json"
	"os"
)

const (
	longestError = 160
	mostErrors   = 12
)

// loggedErrors returns the errors that the consoles of a site have logged, with how
// often.
func (s *site) loggedErrors() map[string]int {
	times := map[string]int{}
	for _, p := range s.programs {
		file, err := os.Open(p.log)
		if err != nil {
			continue
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Level, Msg, Err, Job string }
			if json.Unmarshal(lines.Bytes(), &line) != nil || line.Level != "ERROR" {
				continue
			}
			text := line.Msg + " " + line.Job + " " + line.Err
			text = text[:min(len(text), longestError)]
			if _, known := times[text]; known || len(times) < mostErrors {
				times[text]++
			}
		}
	}
	return times
}
