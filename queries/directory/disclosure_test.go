package directory_test

import (
	"errors"
	"testing"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	"officeconsole/queries/queriestest"
)

func TestDisclosure(t *testing.T) {
	db := queriestest.New(t)
	by := queriestest.AdminActor(t, db)
	expect := func(step string, company, user int64, phones, devices bool) {
		t.Helper()
		d, err := db.Directory.DisclosureTo(t.Context(), queriestest.Person(t, db, company, user))
		if err != nil || d.PersonalPhones != phones || d.DeviceIDs != devices || d.IPAddresses != devices {
			t.Errorf("%s: %+v, %v", step, d, err)
		}
	}
	expect("a manager at first", queriestest.Hanbit, queriestest.Manager, false, false)
	expect("an administrator", queriestest.Hanbit, queriestest.Admin, true, true)
	version := queriestest.LookUp(t, db, "select directory_version from companies where id = 1")
	if err := db.Directory.SaveDisclosure(t.Context(), by, 0, directory.Disclosure{PersonalPhones: true}); err != nil {
		t.Fatal(err)
	}
	expect("a manager", queriestest.Hanbit, queriestest.Manager, true, false)
	if err := db.Directory.SaveDisclosure(t.Context(), by, 0, directory.Disclosure{}); !errors.As(err, new(queries.Conflict)) {
		t.Errorf("saving over a change: %v", err)
	}
	for _, next := range []directory.Disclosure{{PersonalPhones: true}, {DeviceIDs: true, IPAddresses: true}} { // the same once more changes nothing
		if err := db.Directory.SaveDisclosure(t.Context(), by, 1, next); err != nil {
			t.Fatal(err)
		}
	}
	expect("a viewer", queriestest.Hanbit, queriestest.Viewer, false, true)
	if stored, err := db.Directory.Disclosure(t.Context(), queriestest.Other); err != nil || stored.VersionNo != 0 || stored.DeviceIDs {
		t.Errorf("another company has %+v, %v", stored, err)
	}
	if queriestest.LookUp(t, db, "select directory_version from companies where id = 1") == version {
		t.Error("lists of people that clients have are still valid")
	}
	const changes = "select string_agg(old->>'device_ids' || ' ' || (new->>'device_ids') || ' ' || actor_name, ', ' order by id) from changes where action = 'disclosure.updated'"
	if got := queriestest.LookUp(t, db, changes); got != "false false 김서연, false true 김서연" {
		t.Errorf("the change log has %s", got)
	}
}
