package attendance

import (
	"context"

	"officeconsole/queries/attendance"
	"officeconsole/views"
)

// peopleProps are the properties of the island in which people are chosen.
func (f ViewerForm) peopleProps(ctx context.Context) views.PickerProps {
	props := views.PickerProps{
		Name: "users", Types: []string{"user"}, UsersURL: views.OrganizationURL(f.Frame.Person, "users"), Max: attendance.MaxViewerPeople,
		Targets: []views.PickerTarget{},
		Texts:   views.PeopleTexts(ctx, "viewer.people.choose", "viewer.people.choose.text", "viewer.people.none"),
	}
	for _, p := range f.Chosen {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "user", ID: p.ID, Name: p.Name, Path: personPlace(p.Department, p.Position), IncludeChildren: true})
	}
	return props
}

// departmentProps are the properties of the island in which departments are
// chosen.
func (f ViewerForm) departmentProps(ctx context.Context, p viewerPicker) views.PickerProps {
	props := views.PickerProps{
		Name: p.Name, Types: []string{"department"}, DepartmentsURL: views.OrganizationURL(f.Frame.Person, "departments"), Max: p.Max,
		Targets: []views.PickerTarget{},
		Texts:   views.PickerTexts(ctx, p.Title, p.Text, p.Empty),
	}
	for _, d := range p.Chosen {
		props.Targets = append(props.Targets, views.PickerTarget{Type: "department", ID: d.ID, Name: d.Name, Path: views.SpacedPath(d.Path), IncludeChildren: d.IncludeChildren})
	}
	return props
}

// personPlace is the department and the position of a person, as far as they
// are known.
func personPlace(department, position string) string {
	switch {
	case department == "":
		return position
	case position == "":
		return department
	}
	return department + " · " + position
}
