package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
)

const departmentsPath = "/api/v1/companies/1/users/1/organizations/departments"

// treeData prints the size of the department list, and when it is sent again.
func treeData(ctx context.Context, b *bench, c *company) error {
	bytes, tag, status, err := c.request(ctx, departmentsPath, "")
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("request departments: status %d, %w", status, err)
	}
	b.table.row("the tree's data, KB compressed", "≤ 150", kilobytes(float64(bytes)))
	answers := ""
	for _, changed := range []bool{false, true} {
		if changed {
			if _, err := c.site.db.Pool().Exec(ctx, "update companies set directory_version = directory_version + 1 where id = 1"); err != nil {
				return err
			}
		}
		if bytes, _, status, err = c.request(ctx, departmentsPath, tag); err != nil {
			return err
		}
		answers += fmt.Sprintf("%d with %d bytes; ", status, bytes)
	}
	b.table.row("requested again, unchanged and after a change of the directory", "304; 200", answers)
	return nil
}

// request sends a request for a path with compression and an optional ETag.
func (c *company) request(ctx context.Context, path, tag string) (bytes int64, etag string, status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.site.address+path, nil)
	if err != nil {
		return 0, "", 0, err
	}
	r.Header.Set("Cookie", c.site.cookie)
	r.Header.Set("Accept-Encoding", "gzip")
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return 0, "", 0, err
	}
	defer answer.Body.Close()
	bytes, err = io.Copy(io.Discard, answer.Body)
	return bytes, answer.Header.Get("ETag"), answer.StatusCode, err
}

// dialogTimes is the output of bench/page/dialog.mjs, each time in milliseconds
// for every visit.
type dialogTimes struct {
	Open, Again spread // from the click to the painted tree: the first and the second time on a page
	Filter      spread // from the last key to the painted departments
	People      spread // from the end of the response to the painted users
	Busy        spread // processor time of scripts, styles and layout for that search
}

// targetDialog measures the target dialog in a browser.
func targetDialog(ctx context.Context, b *bench, c *company) error {
	command := exec.CommandContext(ctx, "node", "bench/page/dialog.mjs", "http://"+c.site.address+"/policies/communication", c.site.cookie)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("measure the target dialog: %w", err)
	}
	var m dialogTimes
	if err := json.Unmarshal(out, &m); err != nil {
		return err
	}
	b.table.row("target dialog, ms from a click to the painted tree", "", m.Open.String())
	b.table.row("the same, opened a second time", "", m.Again.String())
	b.table.row("search of people, ms from the answer to the painted hits", "≤ 33", m.People.String())
	b.table.row("the same: processor time of scripts, styles and layout, ms", "", m.Busy.String())
	b.table.row("filter of "+strconv.Itoa(treeSize)+" departments, ms from the letter to the paint", "", m.Filter.String())
	return nil
}
