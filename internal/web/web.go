// Package web is the explorer: one http.Handler that answers questions below
// /api/ with JSON, pictures and bytes, and serves a static page that asks them.
//
// The answers are those of the commands, from the same functions
// (internal/answer); the page is small ES modules without a framework, one
// folder for each screen (shell/screens). The same handler answers in the
// static site, where pakbox runs in a worker of the browser: it uses nothing
// of a server but the types of net/http.
//
// What a request names is as untrusted as what a file holds: paths lead only
// where [Files] lets them, work stops when the asker goes away, and takes a
// bounded time and a bounded share of the machine.
package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"runtime"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/answer"
	"pakbox/internal/source"
)

// Options say what the explorer shows and to whom.
type Options struct {
	Files    *Files
	Formats  archive.Registry
	Keys     func() (archive.Keys, error)
	Token    string   // "" admits everyone who reaches the address
	Hosts    []string // names that it answers to besides this computer's own
	ReadOnly bool
	Version  string
	// Collection answers questions about an index, nil if there is none.
	Collection Collection
}

// Limits of one request.
const (
	maxTime  = 60 * time.Second
	maxBody  = 256 << 20 // of what is sent here: a dropped file
	maxAsked = 1 << 20   // of what is sent besides
)

// Server is the explorer.
type Server struct {
	opts    Options
	files   *Files
	opener  *source.Opener
	open    *openFiles
	secrets *secrets
	places  chan struct{} // one for each request that may work at a time
	handler http.Handler
}

// New returns the explorer.
func New(opts Options) *Server {
	o := source.NewOpener(opts.Formats)
	k := newSecrets(opts.Keys)
	o.Files, o.Keys, o.Passphrase = opts.Files, k.all, k.passphrase
	s := &Server{opts: opts, secrets: k, files: opts.Files, opener: o, open: newOpenFiles(o), places: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", s.api)
	mux.Handle("/", shell())
	s.handler = guard(mux, opts.Hosts, opts.Token)
	return s
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close closes what is open.
func (s *Server) Close() { s.open.close() }

// call is one question with its parameters.
type call struct {
	*http.Request
	w http.ResponseWriter
}

// param is a parameter of the question.
func (c *call) param(name string) string { return c.FormValue(name) }

// route is one question that can be asked.
type route struct {
	post    bool
	changes bool // something outside this program
	// answer returns what is written as JSON; nil if it wrote its answer itself.
	answer func(s *Server, c *call) (any, error)
}

// api answers a question.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/api/")
	route, ok := routes[name]
	switch {
	case !ok:
		writeError(w, http.StatusNotFound, "usage", "there is no question "+name)
		return
	case route.post && r.Method != http.MethodPost, !route.post && r.Method != http.MethodGet && r.Method != http.MethodHead:
		writeError(w, http.StatusMethodNotAllowed, "usage", "this question is asked in another way")
		return
	case route.changes && s.opts.ReadOnly:
		writeError(w, http.StatusForbidden, "read_only", "nothing can be changed from here: the page is served read-only")
		return
	}
	limit := int64(maxAsked)
	if name == "drop" {
		limit = maxBody
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	value, err := route.answer(s, &call{r.WithContext(ctx), w})
	switch {
	case err != nil:
		s.fail(w, r, err)
	case value != nil:
		writeJSON(w, http.StatusOK, value)
	}
}

// fail answers with what went wrong. That the asker went away is nobody's
// error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	e := answer.ErrorOf(err)
	o := answer.New(strings.TrimPrefix(r.URL.Path, "/api/"), r.FormValue("path"), "").
		Add("error", new(answer.Object).Add("kind", e.Kind).Add("message", e.Message).Add("entry", e.Entry).Add("offset", e.Offset).Add("hints", answer.Hints(err)))
	writeJSON(w, statusOf(err), o)
}

// statusOf is the HTTP status that an error has. What is wrong with a file is
// no failure of the server.
func statusOf(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fault.Unsafe):
		return http.StatusForbidden
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case answer.IsUsage(err):
		return http.StatusBadRequest
	}
	return http.StatusUnprocessableEntity
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	data, err := answer.Marshal(value)
	if err != nil { // a number that JSON does not have
		status, data = http.StatusUnprocessableEntity, []byte(`{"error":{"kind":"json","message":"the answer has a value that JSON cannot say"}}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	w.Write(data)
}

func writeError(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, new(answer.Object).Add("error", new(answer.Object).Add("kind", kind).Add("message", message)))
}

// decode reads what was sent with a question.
func decode(c *call, into any) error {
	var b bytes.Buffer
	if _, err := b.ReadFrom(c.Body); err != nil {
		return err
	}
	d := json.NewDecoder(&b)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return usage("what was sent cannot be read: %v", err)
	}
	return nil
}
