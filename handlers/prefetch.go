package handlers

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// prefetchable are the pages that a browser may request before somebody opens them, as
// patterns of path.Match without the language. Showing one of them writes nothing, neither
// to the log of reads nor what was read of a notice. All other pages are asked for only
// when they are opened.
var prefetchable = []string{
	"/policies/*/management", "/policies/*/status", "/policies/*/[1-9]*",
	"/policies/workingattitude/manager",
	"/notice", "/manage/notice", "/manage/notice/new", "/manage/notice/[1-9]*", "/manage/notice/[1-9]*/*",
	"/manage/link/*",
	"/manage/security/factors", "/manage/security/locks", "/manage/security/tokens", "/manage/security/changes",
	"/manage/security/retention", "/manage/security/providers", "/manage/security/providers/[1-9]*",
	"/manage/use/hidden", "/manage/use/install", "/manage/use/holidays", "/manage/use/map", "/manage/use/webhook", "/manage/use/webhook/outgoing",
	"/profile",
}

// isPrefetch reports whether a page is requested before somebody opens it: by the console's
// scripts, which cannot send the first of the headers, or by the browser itself.
func isPrefetch(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Sec-Purpose"), "prefetch") || r.Header.Get("Purpose") == "prefetch"
}

// refusePrefetch answers a prefetch of any page but the prefetchable ones with 204, before
// its session is read.
func refusePrefetch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isAllowed := func(pattern string) bool {
			matches, _ := path.Match(pattern, r.URL.Path)
			return matches
		}
		if isPrefetch(r) && (r.Method != http.MethodGet || !slices.ContainsFunc(prefetchable, isAllowed)) {
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
