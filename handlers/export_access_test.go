package handlers

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// PagePatterns are the patterns of every page's address.
func PagePatterns() (patterns []string, err error) {
	pages := (&handlers{}).pages().(chi.Routes)
	err = chi.Walk(pages, func(_, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		patterns = append(patterns, pattern)
		return nil
	})
	return patterns, err
}
