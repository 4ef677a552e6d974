package migrations_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// Names and texts that were stored before search.Key knew variants of kanji, and names
// without their spaces, are found as those that are stored now.
func TestStoredTextsAreFoundByVariants(t *testing.T) {
	url := queriestest.EmptyURL(t)
	if err := migrations.RunTo(t.Context(), url, 64); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, statement := range []string{
		"insert into companies (id, name, host) overriding system value values (1, '会社', 'a.example')",
		"insert into departments (company_id, id, name, search_text) overriding system value values (1, 1, '廣島 支社', '廣島 支社')",
		`insert into users (company_id, id, department_id, name, email, search_text, search_grams) overriding system value values
			(1, 1, 1, '髙橋 花子', 'h@a.example', E'髙橋 花子\nh@a.example', '{髙橋,花子,h@}'),
			(1, 2, 1, '고 길동', 'k@a.example', E'고 길동\nᄀ ᄀᄃ\nk@a.example', '{길동,ᄀᄃ,k@}'),
			(1, 3, 1, 'Olivia Martin', 'o@a.example', E'olivia martin\no@a.example', '{ol}')`,
		"insert into policies (company_id, id, kind, is_default) overriding system value values (1, 1, 'communication', false)",
		"insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, search_text, created_at) values (1, 1, 1, now(), true, '濱松', '濱松', now())",
		"insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at) values (1, '渡邉', 'x', '渡邉', true, now(), 1, now(), now())",
		"create table files_of_2026 partition of saved_files for values from ('2026-01-01') to ('2027-01-01')",
		`insert into saved_files (company_id, saved_at, event_id, user_id, department_id, receiver_ids, room, folder, name, deceptive, size, sha256, platform, received_at, search_text, search_grams)
			values (1, '2026-11-02', 'e', 1, 1, '{}', 'r', 'f', '山﨑.pdf', false, 1, '', 'pc', now(), '山﨑.pdf', '{}')`,
		"create table texts_of_2026 partition of change_texts for values from ('2026-01-01') to ('2027-01-01')",
		"insert into change_texts (company_id, at, change_id, text, grams) values (1, '2026-11-02', 1, '齋藤', '{}')",
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := migrations.Run(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ typed, from string }{
		{"高橋花子", "users where search_text like $1 and search_grams @> $2"},
		{"髙橋", "users where search_text like $1 and search_grams @> $2"},
		{"橋花", "users where search_text like $1 and search_grams @> $2"},
		{"고길동", "users where search_text like $1 and search_grams @> $2"},
		{"ㄱㄱㄷ", "users where search_text like $1 and search_grams @> $2"},
		{"고ㄱㄷ", "users where search_text like $1 and search_grams @> $2"},
		{"広島支社", "departments where search_text like $1 and $2::text[] is not null"},
		{"浜松", "policy_versions where search_text like $1 and $2::text[] is not null"},
		{"渡辺", "notices where search_text like $1 and $2::text[] is not null"},
		{"山崎.", "saved_files where search_text like $1 and search_grams @> $2"},
		{"斎藤", "change_texts where text like $1 and grams @> $2"},
	} {
		s, refused := search.Parse(test.typed)
		if refused != "" {
			t.Fatalf("%s: %s", test.typed, refused)
		}
		grams := any(s.Grams)
		if test.typed == "山崎." || test.typed == "斎藤" {
			grams = s.GramNumbers()
		}
		var found int
		if err := conn.QueryRow(t.Context(), "select count(*) from "+test.from, s.Keywords[0].Pattern(), grams).Scan(&found); err != nil || found != 1 {
			t.Errorf("%s finds %d rows (%v)", test.typed, found, err)
		}
	}
	var text string
	if err := conn.QueryRow(t.Context(), "select search_text from users where id = 3").Scan(&text); err != nil || text != "olivia martin\no@a.example" {
		t.Errorf("a name that needs no other spelling is stored as %q (%v)", text, err)
	}
}
