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

// ShellFS is the page's files, for the static site.
func ShellFS() fs.FS {
	sub, err := fs.Sub(shellFiles, "shell")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// shell serves the page. It never changes while the program runs, but the next
// program may have another, so that browsers ask each time.
func shell() http.Handler {
	files := http.FileServerFS(ShellFS())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			writeError(w, http.StatusMethodNotAllowed, "usage", "the page is only read")
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		files.ServeHTTP(w, r)
	})
}
