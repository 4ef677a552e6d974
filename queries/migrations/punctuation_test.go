package migrations_test

import (
	"context"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
	"officeconsole/queries/queriestest"
	"officeconsole/search"
)

// Names and texts that were stored before search.Key knew typographic punctuation, and
// names without their punctuation, are found as those that are stored now.
func TestStoredTextsAreFoundByPunctuation(t *testing.T) {
	url := queriestest.EmptyURL(t)
	if err := migrations.RunTo(t.Context(), url, 67); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, statement := range []string{
		"insert into companies (id, name, host) overriding system value values (1, 'A', 'a.example')",
		"insert into departments (company_id, id, name, search_text) overriding system value values (1, 1, 'R&D–Seoul', 'r&d–seoul')",
		`insert into users (company_id, id, department_id, name, email, employee_id, search_text, search_grams) overriding system value values
			(1, 1, 1, 'O’Brien, Mary-Jane', 'o.b@a.example', 'A-12', E'o’brien, mary-jane\no.b@a.example\na-12', '{o’,ary,mar,rie,ien}'),
			(1, 2, 1, '고 길동(영업)', 'k@a.example', '', E'고 길동(영업)\nᄀ ᄀᄃ(ᄋᄋ)\n고길동(영업)\nᄀᄀᄃ(ᄋᄋ)\nk@a.example', '{길동,동(}'),
			(1, 3, 1, 'Olivia Martin', 'o-m@a.example', '', E'olivia martin\no-m@a.example', '{ol}')`,
		"insert into policies (company_id, id, kind, is_default) overriding system value values (1, 1, 'communication', false)",
		"insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, search_text, created_at) values (1, 1, 1, now(), true, 'O’Brien', 'o’brien', now())",
		"insert into notices (company_id, title, body, search_text, everyone, publish_at, author_id, created_at, updated_at) values (1, 'O’Brien', 'x', 'o’brien', true, now(), 1, now(), now())",
		"create table files_of_2026 partition of saved_files for values from ('2026-01-01') to ('2027-01-01')",
		`insert into saved_files (company_id, saved_at, event_id, user_id, department_id, receiver_ids, room, folder, name, deceptive, size, sha256, platform, received_at, search_text, search_grams)
			values (1, '2026-11-02', 'e', 1, 1, '{}', 'r', 'f', 'O’Brien.pdf', false, 1, '', 'pc', now(), 'o’brien.pdf', '{}')`,
		"create table texts_of_2026 partition of change_texts for values from ('2026-01-01') to ('2027-01-01')",
		"insert into change_texts (company_id, at, change_id, text, grams) values (1, '2026-11-02', 1, 'o’brien', '{}')",
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := migrations.Run(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ typed, from string }{
		{"O’Brien", "users where search_text like $1 and search_grams @> $2"},
		{"o'brien", "users where search_text like $1 and search_grams @> $2"},
		{"OBrien", "users where search_text like $1 and search_grams @> $2"},
		{"maryjane", "users where search_text like $1 and search_grams @> $2"},
		{"a12", "users where search_text like $1 and search_grams @> $2"},
		{"고길동영업", "users where search_text like $1 and search_grams @> $2"},
		{"ㄷㅇㅇ", "users where search_text like $1 and search_grams @> $2"},
		{"r&d-seoul", "departments where search_text like $1 and $2::text[] is not null"},
		{"r&dseoul", "departments where search_text like $1 and $2::text[] is not null"},
		{"o'brien", "policy_versions where search_text like $1 and $2::text[] is not null"},
		{"o'brien", "notices where search_text like $1 and $2::text[] is not null"},
		{"o'brien.pdf", "saved_files where search_text like $1 and search_grams @> $2"},
		{"o'brien", "change_texts where text like $1 and grams @> $2"},
	} {
		s, refused := search.Parse(test.typed)
		if refused != "" {
			t.Fatalf("%s: %s", test.typed, refused)
		}
		grams := any(s.Grams)
		if slices.Contains([]string{"saved_files where search_text like $1 and search_grams @> $2", "change_texts where text like $1 and grams @> $2"}, test.from) {
			grams = s.GramNumbers()
		}
		var found int
		if err := conn.QueryRow(t.Context(), "select count(*) from "+test.from, s.Keywords[0].Pattern(), grams).Scan(&found); err != nil || found != 1 {
			t.Errorf("%s finds %d rows of %s (%v)", test.typed, found, test.from, err)
		}
	}
	var text string
	if err := conn.QueryRow(t.Context(), "select search_text from users where id = 3").Scan(&text); err != nil || text != "olivia martin\no-m@a.example" {
		t.Errorf("a name that needs no other spelling is stored as %q (%v)", text, err)
	}
}
