package handlers_test

import (
	"testing"

	"officeconsole/queries/queriestest"
)

// Every page has the words for a session that somebody else has ended.
func TestPageSaysWhySessionEnded(t *testing.T) {
	employee := newSite(t).as(queriestest.Employee)
	for prefix, text := range map[string]string{"": "관리자가 종료했거나", "/en": "by an administrator", "/ja": "管理者による終了"} {
		employee.get(prefix+"/logs/workingattitude/day").want(200).shows(`data-revoked="`, text)
	}
}

// The commands for the first company work beside the running server.
func TestSignInPageKeepsServerRunning(t *testing.T) {
	s := newSite(t)
	s.exec("begin; set local session_replication_role = replica; truncate companies cascade; commit") // the change log refuses it otherwise
	for prefix, texts := range map[string][2]string{"": {"서버를 멈추지 않아도 됩니다", "멈춘 뒤"}, "/en": {"The server can keep running", "stop the server"}, "/ja": {"停止する必要はありません", "停止してから"}} {
		s.nobody().get(prefix + "/login").want(200).shows(texts[0]).hides(texts[1])
	}
}
