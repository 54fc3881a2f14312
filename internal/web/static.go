package web

import (
	"embed"
	"io/fs"
	"net/http"
)

// shellFiles are the page: no program makes them, but for vendor, which
// internal/tools/bundle does.
//
//go:embed shell
var shellFiles embed.FS

// page is the page's files.
func page() fs.FS {
	sub, err := fs.Sub(shellFiles, "shell")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// shell serves the page. It never changes while the program runs, but the next
// program may have another, so that browsers ask each time.
func shell() http.Handler {
	files := http.FileServerFS(page())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			refuse(w, http.StatusMethodNotAllowed, "the page is only read")
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		files.ServeHTTP(w, r)
	})
}
