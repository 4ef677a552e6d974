package handlers

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"officeconsole/queries"
	"officeconsole/queries/directory"
	attendanceviews "officeconsole/views/attendance"
)

// mapServices shows the services that provide the company's maps.
func (h *handlers) mapServices(w http.ResponseWriter, r *http.Request) error {
	stored, err := h.db.Directory.Maps(r.Context(), person(r).CompanyID)
	if err != nil {
		return err
	}
	return h.showMapServices(w, r, http.StatusOK, attendanceviews.MapServices{Stored: stored, Rows: attendanceviews.MapServiceRows(stored.Licenses), Version: stored.VersionNo})
}

// saveMapServices replaces the services by those of the form. Empty rows and those to
// delete are left out.
func (h *handlers) saveMapServices(w http.ResponseWriter, r *http.Request) error {
	if err := readForm(r); err != nil {
		return err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 32)
	if err != nil {
		return queries.Invalid("error.unreadable")
	}
	page := attendanceviews.MapServices{Rows: readMapServices(r.PostForm), Version: int32(version)}
	var licenses directory.MapLicenses
	for _, row := range page.Rows {
		licenses = append(licenses, row.License())
	}
	err = h.db.Directory.SaveMaps(r.Context(), actor(r), page.Version, licenses)
	status := http.StatusUnprocessableEntity
	switch {
	case errors.As(err, &page.Refused):
	case errors.As(err, new(queries.Conflict)):
		page.Conflict, status = true, http.StatusConflict
	case err != nil:
		return err
	default:
		return h.redirectWithToast(w, r, attendanceviews.MapServicePath, "map.service.saved")
	}
	if page.Stored, err = h.db.Directory.Maps(r.Context(), person(r).CompanyID); err != nil {
		return err
	}
	if page.Conflict {
		page.Version = page.Stored.VersionNo
	}
	return h.showMapServices(w, r, status, page)
}

// readMapServices reads the rows of the form.
func readMapServices(form url.Values) (rows []attendanceviews.MapServiceRow) {
	for i := range directory.MaxMaps {
		field := func(name string) string { return form.Get(fmt.Sprintf("%d.%s", i, name)) }
		row := attendanceviews.MapServiceRow{Service: field("service"), MapLicense: directory.MapLicense{
			Provider: field("provider"), Key: field("key"), TileURL: field("tile_url"), Attribution: field("attribution"),
		}}
		if !row.IsEmpty() && field("delete") == "" {
			rows = append(rows, row)
		}
	}
	return rows
}

func (h *handlers) showMapServices(w http.ResponseWriter, r *http.Request, status int, page attendanceviews.MapServices) error {
	page.Frame = h.frame(r)
	page.Frame.Path = attendanceviews.MapServicePath
	page.Preview = attendanceviews.SampleMap(page.Stored.Licenses, page.Frame.Zone())
	return h.renderStatus(w, r, status, attendanceviews.MapServicesPage(page))
}
