package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/gzhttp"

	"officeconsole/locales"
	"officeconsole/queries/areas"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/queries/policy"
	"officeconsole/static"
	"officeconsole/views"
	policyviews "officeconsole/views/policy"
)

// floor serves the policy list with the minimum of work: one query for the
// session, one query for fifty rows in the order of an index, the same view and
// the same compression. It checks and logs nothing.
type floor struct {
	pool *pgxpool.Pool
	view policyviews.List // all but the rows
}

// The floor's tables have all columns that the page shows, so that no join is
// needed.
const floorTables = `
drop schema if exists floor cascade;
create schema floor;
create table floor.sessions (token text primary key, company_id bigint not null, user_id bigint not null, expires_at timestamptz not null);
create table floor.policies (
  company_id bigint not null, place integer not null, id bigint not null, is_default boolean not null, name text not null,
  description text not null, enabled boolean not null, in_force boolean not null, configured_at timestamptz not null,
  last_modified timestamptz not null, planned_at timestamptz, owner_name text not null, target_count integer not null,
  department_ids bigint[] not null, user_ids bigint[] not null, target_names text[] not null,
  primary key (company_id, place)
);
insert into floor.sessions values ('floor', 1, 1, now() + interval '1 day');`

const (
	floorSession = `select company_id, user_id, expires_at from floor.sessions where token = $1`
	floorSelect  = `select id, is_default, name, description, enabled, in_force, configured_at, last_modified, coalesce(planned_at, '0001-01-01 00:00:00+00'),
  owner_name, target_count, department_ids, user_ids, target_names from floor.policies where company_id = $1 order by place limit 50`
)

// newFloor serves the floor for the page that the console shows.
func newFloor(ctx context.Context, database string, db *areas.Areas) (*site, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(database)
	if err != nil {
		return nil, err
	}
	config.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	f := &floor{pool: pool}
	if err := f.prepare(ctx, db, assets); err != nil {
		pool.Close()
		return nil, err
	}
	compressed, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(1), gzhttp.MinSize(1024))
	if err != nil {
		return nil, err
	}
	s, err := serve(compressed(f))
	if err != nil {
		return nil, err
	}
	end := s.close
	s.close = func() { end(); pool.Close() }
	s.cookie = "floor=floor"
	return s, nil
}

func (f *floor) prepare(ctx context.Context, db *areas.Areas, assets static.Assets) error {
	person, err := db.Directory.Person(ctx, directory.PersonParams{CompanyID: 1, ID: 1})
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(person.TimeZone)
	if err != nil {
		return err
	}
	filter := policy.Filter{Order: policy.ByModified, Descending: true, Limit: 50}
	page, err := db.Policies.List(ctx, person, "communication", filter)
	if err != nil {
		return err
	}
	if len(page.Rows) != 50 {
		return fmt.Errorf("cannot compare with the floor: the company has %d policies, less than a page of 50", page.Total)
	}
	f.view = policyviews.List{
		Frame: views.Frame{
			Version: "bench", Asset: assets.Path, Path: policiesPath, Now: db.Now().In(zone),
			Person: &identity.SignedIn{Person: person, IdleSeconds: 3600},
		},
		Filter: filter, Page: page,
	}
	if _, err := f.pool.Exec(ctx, floorTables); err != nil {
		return err
	}
	_, err = f.pool.CopyFrom(ctx, pgx.Identifier{"floor", "policies"}, []string{"company_id", "place", "id", "is_default", "name", "description",
		"enabled", "in_force", "configured_at", "last_modified", "planned_at", "owner_name", "target_count", "department_ids", "user_ids", "target_names"},
		pgx.CopyFromSlice(len(page.Rows), func(i int) ([]any, error) { return floorRow(i, page.Rows[i]), nil }))
	if err != nil {
		return err
	}
	_, err = f.pool.Exec(ctx, "analyze floor.policies, floor.sessions")
	return err
}

func floorRow(place int, p policy.Summary) []any {
	departments, users, names := []int64{}, []int64{}, []string{}
	for _, t := range p.Targets {
		departments, users, names = append(departments, t.DepartmentID), append(users, t.UserID), append(names, t.Name)
	}
	var planned *time.Time
	if !p.PlannedAt.IsZero() {
		planned = &p.PlannedAt
	}
	return []any{int64(1), int32(place), p.ID, p.IsDefault, p.Name, p.Description, p.Enabled, p.InForce, p.ConfiguredAt, p.LastModified, planned,
		p.OwnerName, int32(p.TargetCount), departments, users, names}
}

func (f *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := f.answer(w, r); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (f *floor) answer(w http.ResponseWriter, r *http.Request) error {
	cookie, err := r.Cookie("floor")
	if err != nil {
		return err
	}
	var companyID, userID int64
	var expires time.Time
	if err := f.pool.QueryRow(r.Context(), floorSession, cookie.Value).Scan(&companyID, &userID, &expires); err != nil {
		return err
	}
	rows, err := f.pool.Query(r.Context(), floorSelect, companyID)
	if err != nil {
		return err
	}
	view := f.view
	if view.Page.Rows, err = pgx.CollectRows(rows, floorSummary); err != nil {
		return err
	}
	body := templ.GetBuffer()
	defer templ.ReleaseBuffer(body)
	if err := policyviews.ListPage(view).Render(locales.NewContext(r.Context(), locales.Korean), body); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	_, err = body.WriteTo(w)
	return err
}

func floorSummary(row pgx.CollectableRow) (p policy.Summary, err error) {
	var departments, users []int64
	var names []string
	err = row.Scan(&p.ID, &p.IsDefault, &p.Name, &p.Description, &p.Enabled, &p.InForce, &p.ConfiguredAt, &p.LastModified, &p.PlannedAt,
		&p.OwnerName, &p.TargetCount, &departments, &users, &names)
	for i, name := range names {
		p.Targets = append(p.Targets, policy.ListedTarget{DepartmentID: departments[i], UserID: users[i], Name: name})
	}
	return p, err
}
