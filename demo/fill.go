package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"officeconsole/blobs"
	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/identity"
	"officeconsole/search"
)

// ErrNotEmpty is the refusal to add demo data to a database with other
// companies.
var ErrNotEmpty = errors.New("the demo needs an empty database: this one holds a company")

// Fill fills an empty database with the demo companies: directory, accounts,
// policies, attendance, links, notices and a service bot. files stores the pictures
// of people, the banners of links and the files of notices; with nil they have none. Fill stores
// all of it or nothing, except that content may remain in files after an error, and that the
// imports of attendance come after everything else.
// The same options give the same data, except for the salts of passwords and the
// tokens of the bot.
func Fill(ctx context.Context, db *queries.DB, options Options, files blobs.Store) error {
	ctx = queries.WithStatementTimeout(ctx, queries.BulkTimeout)
	companies, err := Companies(options)
	if err != nil {
		return err
	}
	err = db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		q := directory.New(tx)
		if err := q.LockCompanies(ctx); err != nil {
			return err
		}
		if taken, err := q.HasCompany(ctx); err != nil {
			return err
		} else if taken {
			return ErrNotEmpty
		}
		if _, err := tx.Exec(ctx, loadSettings); err != nil {
			return err
		}
		f := &filler{tx: tx, files: files}
		if files != nil {
			if f.avatars, err = drawAvatars(); err != nil {
				return err
			}
		}
		if err := f.companies(ctx, companies); err != nil {
			return err
		}
		if err := q.AdvanceIDs(ctx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "select setval('saved_files_id', greatest(1, $1::bigint))", f.savedFileIDs); err != nil {
			return err
		}
		return f.bot(ctx, companies[0])
	})
	if err == nil {
		err = importAttendance(ctx, db, companies[0])
	}
	if err != nil {
		return fmt.Errorf("fill demo: %w", err)
	}
	if err := directory.NewStore(db).VacuumAnalyze(ctx); err != nil || options.Days == 0 {
		return err
	}
	return analyzeAttendance(ctx, db, options.Employees*options.Days)
}

// More memory for sorting creates indexes faster. The commit is synchronous,
// because only pages whose transaction has reached the disk can be marked as
// visible to all afterwards.
const loadSettings = `set local work_mem = '256MB'; set local maintenance_work_mem = '256MB'; set local synchronous_commit = on`

// filler fills the tables. The id of a row is its number in package demo plus
// that of the rows before.
type filler struct {
	tx        queries.Tx
	files     blobs.Store // for pictures, banners and files of notices; nil for none
	companyID int64
	avatars   []avatar // of people, by their number less 1; none without files

	departments, ranks, roles, users, policies int64 // the highest ids of the companies filled before
	savedFileIDs                               int64 // the highest id of the files filled so far
}

// companies fills all companies, one after another. The dates of their
// attendance are the same.
func (f *filler) companies(ctx context.Context, all []*Company) error {
	first, last := all[0].Period()
	if first <= last {
		if err := queries.New(f.tx).EnsurePartitionsFrom(ctx, (first - 1).Time(), all[0].Now()); err != nil {
			return err
		}
	}
	if err := queries.New(f.tx).EnsurePartitionsOf(ctx, "changes", all[0].Now().AddDate(0, 0, -changeDays), all[0].Now()); err != nil {
		return err
	}
	return f.withoutIndexes(ctx, first <= last, func() error {
		for _, company := range all {
			if err := f.company(ctx, company); err != nil {
				return fmt.Errorf("%s: %w", company.Name, err)
			}
		}
		return nil
	})
}

func (f *filler) company(ctx context.Context, c *Company) error {
	var maps directory.MapLicenses
	for _, m := range c.Maps {
		maps = append(maps, directory.MapLicense(m))
	}
	row, err := directory.New(f.tx).InsertCompany(ctx, directory.InsertCompanyParams{
		Name: c.Name, Host: c.Host, TimeZone: c.TimeZone, OrganizationURL: c.OrganizationURL,
		ProductSettings: directory.ProductSettings{AdminManualURL: c.AdminManualURL, UserManualURL: c.UserManualURL}, MapLicenses: maps,
	})
	if err != nil {
		return err
	}
	f.companyID = row.ID
	if err := f.organization(ctx, c); err != nil {
		return err
	}
	if err := f.people(ctx, c); err != nil {
		return err
	}
	if err := f.allPolicies(ctx, c); err != nil {
		return err
	}
	if err := f.links(ctx, c); err != nil { // before the attendance, which takes longest
		return err
	}
	if err := f.notices(ctx, c); err != nil {
		return err
	}
	if err := f.signIns(ctx, c); err != nil {
		return err
	}
	if err := f.serviceTokens(ctx, c); err != nil {
		return err
	}
	loader, err := f.loader(ctx, c)
	if err != nil {
		return err
	}
	if err := f.viewers(ctx, c, loader); err != nil {
		return err
	}
	if err := f.attendance(ctx, c, loader); err != nil {
		return fmt.Errorf("attendance: %w", err)
	}
	if err := f.savedFiles(ctx, c); err != nil {
		return fmt.Errorf("saved files: %w", err)
	}
	if err := f.clients(ctx, c); err != nil {
		return fmt.Errorf("clients: %w", err)
	}
	if err := f.access(ctx, c); err != nil {
		return fmt.Errorf("access history: %w", err)
	}
	if err := f.reads(ctx, c); err != nil {
		return fmt.Errorf("log of reads: %w", err)
	}
	f.departments += int64(len(c.Departments))
	f.ranks += int64(len(c.Ranks))
	f.roles += int64(len(c.Roles))
	f.users += int64(c.Size())
	f.policies += int64(len(c.Policies))
	return nil
}

func (f *filler) organization(ctx context.Context, c *Company) error {
	_, err := f.copy(ctx, "departments", []string{"company_id", "id", "parent_id", "name", "search_text"}, func(yield func([]any) bool) {
		for i, d := range c.Departments {
			text, _ := search.Key(d.Name)
			if !yield([]any{f.companyID, f.departments + int64(i) + 1, after(f.departments, d.Parent), d.Name, text}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := f.titles(ctx, "ranks", f.ranks, c.Ranks); err != nil {
		return err
	}
	return f.titles(ctx, "roles", f.roles, c.Roles)
}

func (f *filler) titles(ctx context.Context, table string, before int64, names []string) error {
	_, err := f.copy(ctx, table, []string{"company_id", "id", "name", "position"}, func(yield func([]any) bool) {
		for i, name := range names {
			if !yield([]any{f.companyID, before + int64(i) + 1, name, int32(i + 1)}) {
				return
			}
		}
	})
	return err
}

// people copies all people in one COPY, and holds only the rows of other tables
// that few people have.
func (f *filler) people(ctx context.Context, c *Company) error {
	var few personRows
	columns := []string{"company_id", "id", "department_id", "rank_id", "role_id", "name", "email", "employee_id", "company_phone",
		"personal_phone", "bot", "is_admin", "image_hash", "hidden_at", "created_at", "updated_at", "search_text", "search_grams", "location_consent_at"}
	_, err := f.copy(ctx, "users", columns, func(yield func([]any) bool) {
		for p := range c.People() {
			id := f.users + int64(p.Number)
			few.keep(f, id, p)
			text, grams := search.Key(p.Name, p.Email, p.EmployeeID)
			if !yield([]any{f.companyID, id, after(f.departments, p.Department), after(f.ranks, p.Rank), after(f.roles, p.Role), p.Name, p.Email,
				p.EmployeeID, p.CompanyPhone, p.PersonalPhone, p.Bot, p.Admin, f.avatar(p.Avatar), p.Hidden, p.Joined, p.Joined, text, grams, p.Consents()}) {
				return
			}
		}
	})
	if err := errors.Join(err, f.storeAvatars(ctx)); err != nil {
		return err
	}
	if err := few.insert(ctx, f); err != nil {
		return err
	}
	if err := f.recordConsents(ctx); err != nil {
		return err
	}
	return f.recordHidings(ctx)
}

// personRows are the rows of some people in other tables.
type personRows struct {
	further, controls, hidings [][]any
	accounts                   []account
	administrator              *Person // the first one, who hid people
}

type account struct {
	id     int64
	joined time.Time
}

func (b *personRows) keep(f *filler, id int64, p *Person) {
	for _, d := range p.Further {
		b.further = append(b.further, []any{f.companyID, id, f.departments + int64(d)})
	}
	for _, c := range p.Controls {
		ids := make([]int64, len(c.Departments))
		for i, d := range c.Departments {
			ids[i] = f.departments + int64(d)
		}
		b.controls = append(b.controls, []any{f.companyID, id, c.Type, c.Role, ids})
	}
	if p.Admin && b.administrator == nil {
		b.administrator = p
	}
	if p.Hidden != nil {
		kind, reason, until := p.HiddenBecause()
		b.hidings = append(b.hidings, []any{f.companyID, id, kind, reason, until, p.Hidden, idOf(f.users, b.administrator.Number), b.administrator.Name, -id})
	}
	if p.Account {
		b.accounts = append(b.accounts, account{id, p.Joined})
	}
}

func (b *personRows) insert(ctx context.Context, f *filler) error {
	var passwords [][]any
	for _, a := range b.accounts {
		hash, err := identity.HashPassword(ctx, Password)
		if err != nil {
			return err
		}
		passwords = append(passwords, []any{f.companyID, a.id, hash, a.joined})
	}
	return f.copyTables(ctx, []demoTable{
		{"user_departments", []string{"company_id", "user_id", "department_id"}, b.further},
		{"permission_controls", []string{"company_id", "user_id", "type", "role", "department_ids"}, b.controls},
		{"hidings", []string{"company_id", "user_id", "kind", "reason", "show_again_on", "hidden_at", "hidden_by", "hidden_by_name", "hidden_in"}, b.hidings},
		{"passwords", []string{"company_id", "user_id", "hash", "changed_at"}, passwords},
	})
}

// after returns the id of a number of package demo, or nil for 0.
func after(before int64, number int) *int64 { return queries.OrNil(idOf(before, number)) }

// idOf returns the id of a number of package demo, or 0 for 0.
func idOf(before int64, number int) int64 {
	if number == 0 {
		return 0
	}
	return before + int64(number)
}
