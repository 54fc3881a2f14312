// Package web serves the explorer over HTTP: a page of static files, and below /api/ the
// questions of the page, which cmd/internal/page answers.
package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"pakbox/cmd/internal/page"
)

// Options say whom the explorer admits.
type Options struct {
	Token  string   // "" admits everybody who reaches the address
	Ticket *Ticket  // admits one browser; nil for none
	Hosts  []string // host names that the server accepts besides localhost
}

// New returns a handler for the page and its questions, behind a guard.
func New(explorer *page.Explorer, opts Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) { answer(w, r, explorer) })
	mux.Handle("/api/changes", newReloads(explorer))
	mux.Handle("/", shell())
	return guard(mux, opts.Hosts, opts.Token, opts.Ticket)
}

// answer passes a request to the explorer and writes its answer.
func answer(w http.ResponseWriter, r *http.Request, explorer *page.Explorer) {
	post := r.Method == http.MethodPost
	if !post && r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusMethodNotAllowed, "questions are asked with GET or POST")
		return
	}
	a := explorer.Ask(r.Context(), page.Request{
		Name: strings.TrimPrefix(r.URL.Path, "/api/"), Params: r.URL.Query(), Post: post, Body: http.MaxBytesReader(w, r.Body, page.MaxDrop+1),
	})
	defer a.Close()
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", a.Type)
	if a.File != "" {
		h.Set("Content-Disposition", "attachment")
	}
	if size, err := a.Content.Seek(0, io.SeekEnd); err == nil {
		h.Set("X-Whole-Size", strconv.FormatInt(size, 10))
		a.Content.Seek(0, io.SeekStart)
	}
	if a.Status == page.OK && isText(a.Type) && acceptsGzip(r) {
		serveCompressed(w, a)
		return
	}
	if a.Status == page.OK {
		http.ServeContent(w, r, "", time.Time{}, a.Content)
		return
	}
	w.WriteHeader(int(a.Status))
	io.Copy(w, a.Content)
}

// isText reports whether compression makes content of this type much smaller.
func isText(kind string) bool {
	return strings.HasPrefix(kind, "application/json") || strings.HasPrefix(kind, "image/svg")
}

// serveCompressed sends a whole answer and compresses it on the way.
func serveCompressed(w http.ResponseWriter, a *page.Response) {
	h := w.Header()
	h.Set("Content-Encoding", "gzip")
	h.Set("Vary", "Accept-Encoding")
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	defer z.Close()
	io.Copy(z, a.Content)
}

// refuse answers with an error that is not about a file.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	io.Copy(w, bytes.NewBufferString(`{"error":{"kind":"refused","message":`+strconv.Quote(message)+`}}`))
}
