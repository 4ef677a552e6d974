package handlers

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// PagePatterns returns the route patterns of all pages.
func PagePatterns() (patterns []string, err error) {
	pages := (&handlers{}).pages().(chi.Routes)
	err = chi.Walk(pages, func(_, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		patterns = append(patterns, pattern)
		return nil
	})
	return patterns, err
}

// PageRoutes returns the method and pattern of every page.
func PageRoutes() (routes []string, err error) {
	pages := (&handlers{}).pages().(chi.Routes)
	err = chi.Walk(pages, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodGet || method == http.MethodPost {
			routes = append(routes, method+" "+pattern)
		}
		return nil
	})
	return routes, err
}
