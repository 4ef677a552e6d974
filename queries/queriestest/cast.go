package queriestest

import (
	"context"
	_ "embed"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/areas"
	"officeconsole/search"
)

//go:embed cast.go
var castSource string

// The cast, by the ids of their rows. Department names are explained by their
// paths.
const (
	Hanbit = int64(1)
	Other  = int64(2)

	Root       = int64(1) // 한빛테크
	Sales      = int64(2) // 한빛테크/영업본부
	Domestic   = int64(3) // 한빛테크/영업본부/국내영업팀
	Overseas   = int64(4) // 한빛테크/영업본부/해외영업팀
	Research   = int64(5) // 한빛테크/연구소
	Messenger  = int64(6) // 한빛테크/연구소/메신저팀
	Japan      = int64(7) // 한빛테크/일본지사
	OtherRoot  = int64(8) // 다른컴퍼니
	OtherSales = int64(9) // 다른컴퍼니/영업팀

	Admin      = int64(1) // 김서연, of 한빛테크
	Employee   = int64(2) // 이준호, of 메신저팀
	Viewer     = int64(3) // 박지민, may look at 영업본부 and below
	Manager    = int64(4) // 최유진, may look at and edit the same
	Hidden     = int64(5) // 정하윤, of 연구소
	Kim        = int64(6) // 김철수, of 국내영업팀
	Foreigner  = int64(7) // Olivia Martin, of 해외영업팀
	Japanese   = int64(8) // 佐藤ひろし, of 일본지사
	Bot        = int64(9) // 공지봇
	OtherAdmin = int64(10)
	OtherKim   = int64(11) // 김철수 of the other company

	// Password is the password of all users who have one: the first five and
	// the other administrator.
	Password = "Console!2026"
)

// Email returns the email of a user of the cast.
func Email(id int64) string { return people[id-1].email }

var departments = []struct {
	id, company int64
	parent      int64
	name        string
}{
	{Root, Hanbit, 0, "한빛테크"},
	{Sales, Hanbit, Root, "영업본부"},
	{Domestic, Hanbit, Sales, "국내영업팀"},
	{Overseas, Hanbit, Sales, "해외영업팀"},
	{Research, Hanbit, Root, "연구소"},
	{Messenger, Hanbit, Research, "메신저팀"},
	{Japan, Hanbit, Root, "일본지사"},
	{OtherRoot, Other, 0, "다른컴퍼니"},
	{OtherSales, Other, OtherRoot, "영업팀"},
}

var people = []struct {
	id, company, department int64
	name, email, employeeID string
	rank                    int64 // 0: none
}{
	{Admin, Hanbit, Root, "김서연", "admin@hanbit.example", "H0001", 1},
	{Employee, Hanbit, Messenger, "이준호", "employee@hanbit.example", "H0002", 3},
	{Viewer, Hanbit, Sales, "박지민", "viewer@hanbit.example", "H0003", 2},
	{Manager, Hanbit, Sales, "최유진", "manager@hanbit.example", "H0004", 2},
	{Hidden, Hanbit, Research, "정하윤", "hidden@hanbit.example", "H0005", 3},
	{Kim, Hanbit, Domestic, "김철수", "kim.cs@hanbit.example", "H0006", 3},
	{Foreigner, Hanbit, Overseas, "Olivia Martin", "olivia@hanbit.example", "H0007", 3},
	{Japanese, Hanbit, Japan, "佐藤ひろし", "sato@hanbit.example", "H0008", 2},
	{Bot, Hanbit, 0, "공지봇", "", "", 0},
	{OtherAdmin, Other, OtherRoot, "한도윤", "admin@other.example", "O0001", 0},
	{OtherKim, Other, OtherSales, "김철수", "kim.cs@other.example", "O0002", 0},
}

// passwordHash is of Password, with less work than the hashes of the console, because
// most tests sign somebody in.
const passwordHash = "$argon2id$v=19$m=64,t=1,p=1$5LVi+m5ARBIEOiA+w2QndQ$Th84sP8jl/mkpy+FMMR6RrlHOVFdEPVMkPFY1tCBYG0"

const before = `
insert into companies (id, name, host, organization_url, map_licenses) overriding system value values
  (1, '한빛테크', 'hanbit.example', 'https://org.hanbit.example/', '[{"provider":"tiles","key":"k1","tile_url":"https://tiles.example/{z}/{x}/{y}.png","attribution":"© tiles"}]'),
  (2, '다른컴퍼니', 'other.example', 'https://org.other.example/', '[]');
insert into ranks (company_id, id, name, position) overriding system value values
  (1, 1, '이사', 1), (1, 2, '부장', 2), (1, 3, '사원', 3);
insert into roles (company_id, id, name, position) overriding system value values
  (1, 1, '본부장', 1), (1, 2, '팀장', 2);`

const after = `
update users set is_admin = true where id in (1, 10);
update users set bot = true where id = 9;
update users set hidden_at = '2026-11-01' where id = 5;
insert into hidings (company_id, user_id, kind, reason, hidden_at, hidden_by, hidden_by_name, hidden_in) values (1, 5, 'leave', '육아휴직', '2026-11-01', 1, '김서연', nextval('hiding_sets'));
update users set role_id = 1 where id = 4;
update users set location_consent_at = '2026-01-01' where id = 6;
insert into location_consents (company_id, user_id, at, given, source, received_at) values (1, 6, '2026-01-01', true, 'messenger', '2026-01-01');
insert into user_departments values (1, 6, 4);
insert into permission_controls (company_id, id, user_id, type, role, department_ids) overriding system value values
  (1, 1, 3, 'commute', '', '{2}'), (1, 2, 4, 'commute', 'ROLE_W_COMMUTE', '{2}');
insert into policies (company_id, id, kind, is_default, owner_user_id, owner_department_id) overriding system value values
  (1, 1, 'communication', true, null, null), (1, 2, 'workingattitude', true, null, null),
  (2, 3, 'communication', true, null, null), (2, 4, 'workingattitude', true, null, null),
  (1, 5, 'communication', false, 1, null), (1, 6, 'communication', false, null, 5), (1, 7, 'communication', false, 4, null),
  (2, 8, 'communication', false, 10, null);
insert into policy_versions (company_id, policy_id, no, effective_from, enabled, name, description, settings, search_text, created_by, created_at) values
  (1, 1, 1, '2026-01-01', true, '기본 정책', '지정 대상 외 모든 직원의 기준', '{}', '기본 정책', 1, '2026-01-01'),
  (1, 2, 1, '2026-01-01', true, '기본 근태 정책', '', '{}', '기본 근태 정책', 1, '2026-01-01'),
  (2, 3, 1, '2026-01-01', true, '기본 정책', '', '{}', '기본 정책', 10, '2026-01-01'),
  (2, 4, 1, '2026-01-01', true, '기본 근태 정책', '', '{}', '기본 근태 정책', 10, '2026-01-01'),
  (1, 5, 1, '2026-03-01', true, '영업본부 외근 정책', '모바일 중심', '{}', '영업본부 외근 정책', 1, '2026-02-25'),
  (1, 5, 2, '2026-06-01', true, '영업본부 외근 정책', '모바일 중심 · 로그인 유지 60일', '{"session_time_sec": 600}', '영업본부 외근 정책', 4, '2026-05-28'),
  (1, 6, 1, '2026-04-01', true, '연구소 보안 정책', '소스 유출 방지', '{"session_time_sec": 1800}', '연구소 보안 정책', 1, '2026-04-01'),
  (1, 6, 2, '2026-12-01', true, '연구소 보안 정책', '소스 유출 방지', '{"session_time_sec": 300}', '연구소 보안 정책', 1, '2026-11-18'),
  (1, 7, 1, '2026-08-11', false, '감사 대응 정책', '워터마크 적용', '{}', '감사 대응 정책', 1, '2026-08-11'),
  (2, 8, 1, '2026-08-11', true, '영업팀 정책', '', '{}', '영업팀 정책', 10, '2026-08-11');
insert into policy_targets (company_id, policy_id, no, department_id, user_id) values
  (1, 5, 1, 3, null), (1, 5, 2, 3, null), (1, 5, 2, 4, null), (1, 6, 1, 5, null), (1, 6, 2, 5, null), (1, 6, 1, null, 8), (1, 6, 2, null, 8),
  (2, 8, 1, 9, null);
do $$ declare t text; begin
  foreach t in array array['companies', 'departments', 'ranks', 'roles', 'users', 'permission_controls', 'policies'] loop
    execute format('select setval(pg_get_serial_sequence(%L, ''id''), 1000)', t);
  end loop;
end $$;`

func fill(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, before); err != nil {
		return err
	}
	for _, d := range departments {
		text, _ := search.Key(d.name)
		if _, err := conn.Exec(ctx, `insert into departments (company_id, id, parent_id, name, search_text)
			overriding system value values ($1, $2, nullif($3, 0), $4, $5)`, d.company, d.id, d.parent, d.name, text); err != nil {
			return err
		}
	}
	for _, p := range people {
		text, grams := search.Key(p.name, p.email, p.employeeID)
		if _, err := conn.Exec(ctx, `insert into users (company_id, id, department_id, rank_id, bot, name, email, employee_id, search_text, search_grams)
			overriding system value values ($1, $2, nullif($3, 0), nullif($4, 0), $3 = 0, $5, $6, $7, $8, $9)`,
			p.company, p.id, p.department, p.rank, p.name, p.email, p.employeeID, text, grams); err != nil {
			return err
		}
	}
	for _, id := range []int64{Admin, Employee, Viewer, Manager, Hidden, OtherAdmin} {
		if _, err := conn.Exec(ctx, "insert into passwords (company_id, user_id, hash) values ($1, $2, $3)", people[id-1].company, id, passwordHash); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, after); err != nil {
		return err
	}
	db, err := areas.Open(ctx, url, func() time.Time { return Now })
	if err != nil {
		return err
	}
	defer db.Close()
	return db.EnsurePartitions(ctx)
}
