package handlers_test

import (
	"fmt"
	"strings"
	"testing"

	"officeconsole/queries/queriestest"
)

// Every form that asks for a reason refuses one that is too long and shows it
// again whole, and asks before it is left.
func TestLongReasonsAreNotLost(t *testing.T) {
	s := lateSite(t)
	s.asKim().post(kimFriday+"/correction", "arrival", "09:34", "departure", "19:20", "reason", "회의", "last_edit", "0").want(303)
	decision := fmt.Sprintf("%s/correction/%d/decision", kimFriday, s.count("select max(id) from attendance_corrections"))
	admin := s.as(queriestest.Admin)
	admin.post(recordLog+"/locks", "month", "2026-10", "confirmed", "1").want(303)
	policy := admin.formOf(salesPath).with("session_time_sec", "30")
	asked := admin.post(salesPath, append(policy, "action", "review")...).want(200)
	text := strings.Repeat("사유 ", 666) + "끝"
	for name, f := range map[string]struct {
		path string
		form form
	}{
		"an edit of a record":          {kimFriday + "/edit", form{"arrival", "09:00", "departure", "18:02", "reason", text, "last_edit", "0"}},
		"an edit of a record above":    {kimFriday + "/edit", form{"arrival", "09:00", "departure", "18:02", "reason", text, "last_edit", "0", "back", dayLog}},
		"the deletion of a record":     {kimFriday + "/delete", form{"reason", text, "last_edit", "0", "back", dayLog}},
		"the answer to a correction":   {decision, form{"decision", "refuse", "answer", text, "last_edit", "0", "back", dayLog}},
		"an answer on the page of all": {decision, form{"decision", "refuse", "answer", text, "last_edit", "0", "back", requests}},
		"unlocking a month":            {recordLog + "/locks/2026-10/delete", form{"reason", text}},
		"hiding people":                {hiddenPath, form{"new", "1", "state", "hidden", "user_ids", "2", "kind", "retired", "reason", text}},
		"a decision at the desk":       {reviews, form{"decision", "rejected", "item", kimsItem, "comment", text, "question", "1", "back", deskHome}},
		"a policy":                     {salesPath, policy.with("reason", text, "action", "apply", "reviewed", asked.field("reviewed"))},
	} {
		t.Run(name, func(t *testing.T) {
			admin.post(f.path, f.form...).want(422).shows(text, `data-guard="dirty"`, "200자")
		})
	}
}
