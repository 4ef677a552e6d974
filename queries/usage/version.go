package usage

import (
	"regexp"
	"strconv"
	"strings"
)

// Version is a version of a client or of an operating system as one number, so that
// 6.10 is above 6.9: up to four parts of fifteen bits. 0 is an unknown version.
type Version int64

const (
	versionParts = 4
	versionBits  = 15
)

var versionForm = regexp.MustCompile(`^[0-9]{1,5}(\.[0-9]{1,5}){0,3}$`)

// ParseVersion reads a version like "6.4.2". ok is false for any other text, and for
// parts above 32,767.
func ParseVersion(text string) (v Version, ok bool) {
	if !versionForm.MatchString(text) {
		return 0, false
	}
	parts := strings.Split(text, ".")
	for i := range versionParts {
		number := 0
		if i < len(parts) {
			number, _ = strconv.Atoi(parts[i])
		}
		if number >= 1<<versionBits {
			return 0, false
		}
		v = v<<versionBits | Version(number)
	}
	return v, true
}

// Release returns the first two parts, by which the versions of a client are
// counted: "6.4" of 6.4.2.
func (v Version) Release() string {
	return strconv.Itoa(int(v>>(3*versionBits))) + "." + strconv.Itoa(int(v>>(2*versionBits)&(1<<versionBits-1)))
}

// releaseEnd returns the first version after those of the same release.
func (v Version) releaseEnd() Version { return (v>>(2*versionBits) + 1) << (2 * versionBits) }

// releaseStart returns the first version of the release.
func (v Version) releaseStart() Version { return v >> (2 * versionBits) << (2 * versionBits) }

// Systems are the operating systems that have a client of their own.
var Systems = []string{"windows", "macos", "linux", "android", "ios"}

// PlatformOf returns the platform of a system.
func PlatformOf(system string) string {
	if system == "android" || system == "ios" {
		return Mobile
	}
	return PC
}

// systemWords are words of the names of systems, the first that occurs counts.
var systemWords = []struct{ word, system string }{
	{"windows", "windows"}, {"macos", "macos"}, {"mac os", "macos"}, {"os x", "macos"}, {"android", "android"},
	{"ipados", "ios"}, {"ios", "ios"}, {"linux", "linux"}, {"ubuntu", "linux"}, {"debian", "linux"}, {"fedora", "linux"},
}

// systemOf returns the system of a platform's operating system like "Windows 10 22H2",
// and its version; "" and 0 where they are not known, or are not of the platform.
func systemOf(platform, os string) (system string, version Version) {
	lower := strings.ToLower(os)
	for _, known := range systemWords {
		if at := strings.Index(lower, known.word); at >= 0 && PlatformOf(known.system) == platform {
			return known.system, firstVersion(lower[at+len(known.word):])
		}
	}
	return "", 0
}

var numberWithin = regexp.MustCompile(`[0-9]+(\.[0-9]+)*`)

// firstVersion returns the first version that a text contains.
func firstVersion(text string) Version {
	v, _ := ParseVersion(numberWithin.FindString(text))
	return v
}
