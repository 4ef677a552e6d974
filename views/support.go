package views

import "time"

// SupportPath is the address of the page of customer support, without language prefix.
const SupportPath = "/support"

// supportPhone is the telephone number of customer support (spec §1).
const supportPhone = "1661-5975"

// korea is the time zone of the hours of customer support. It has no summer time.
var korea = time.FixedZone("KST", 9*60*60)

// supportAnswers reports whether customer support answers the telephone at a
// time (spec §1). Public holidays are not considered.
func supportAnswers(now time.Time) bool {
	now = now.In(korea)
	if day := now.Weekday(); day == time.Saturday || day == time.Sunday {
		return false
	}
	hour := now.Hour()
	return 9 <= hour && hour < 18 && hour != 12
}

// supportInfo is what the drawer of customer support depends on besides the language.
type supportInfo struct {
	answers                 bool // whether somebody answers the telephone
	adminManual, userManual string
	company                 string
	companyID               int64
	name, email             string
	version                 string
	browser                 string // "" if a script asks the browser
}

func (s supportInfo) of(browser string) supportInfo {
	s.browser = browser
	return s
}

func (f Frame) support() supportInfo {
	p := f.Person
	return supportInfo{supportAnswers(f.Now), p.ProductSettings.AdminManualURL, p.ProductSettings.UserManualURL, p.CompanyName, p.CompanyID, p.Name, p.Email, f.Version, ""}
}
