// Package api answers questions about files that are posted over HTTP. It keeps a file in
// memory only while it answers. It gives no access to folders or paths.
package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/form"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/problem"
	"pakbox/internal/question"
	"pakbox/internal/source"
	"pakbox/internal/talk"
	"pakbox/internal/web"
)

// Options say for whom the service works, and within which limits.
type Options struct {
	Formats archive.Registry
	Version string
	Hosts   []string // host names that the service accepts besides localhost
	Token   string   // token that requests must carry; "" for none
	MaxSize int64    // largest file, in bytes
	MaxTime time.Duration
	// MaxHeld limits the bytes of all files held at a time, PerClient the questions of
	// one address at a time. Further requests wait.
	MaxHeld   int64
	PerClient int
}

// Service is the HTTP handler.
type Service struct {
	Options
	openapi []byte
	places  chan struct{} // one place for each question that is worked on

	mu      sync.Mutex
	held    int64          // bytes of files held now
	clients map[string]int // number of questions, by client address
	freed   chan struct{}  // closed and replaced whenever a question ends
}

// New returns the service.
func New(o Options) (http.Handler, error) {
	document, err := json.MarshalIndent(OpenAPI(o.Formats, o.Version), "", " ")
	if err != nil {
		return nil, err
	}
	s := &Service{Options: o, openapi: document, places: make(chan struct{}, runtime.GOMAXPROCS(0)), clients: map[string]int{}, freed: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(s.openapi)
	})
	mux.HandleFunc("POST /v1/{question}", s.post)
	mux.HandleFunc("/v1/{question}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, hint.Usagef("%s takes no %s: POST the file to it", r.URL.Path, r.Method).Hint("curl --data-binary @FILE http://%s%s", r.Host, r.URL.Path))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, hint.Usagef("there is nothing at %s", r.URL.Path).Hint("post a file to /v1/info; /openapi.json describes all"))
	})
	return s.guard(mux), nil
}

// guard admits requests that are meant for this server and carry its token. Requests from
// other web pages are allowed: the service knows nothing but the file they send.
func (s *Service) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Access-Control-Allow-Origin", "*")
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !web.KnownHost(r.Host, s.Hosts):
			refuse(w, http.StatusMisdirectedRequest, hint.Usagef("this server does not answer to the name %s", r.Host))
		case r.Method == http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
			w.WriteHeader(http.StatusNoContent)
		case s.Token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) == 0:
			h.Set("WWW-Authenticate", `Bearer realm="pakbox"`)
			refuse(w, http.StatusUnauthorized, hint.Usagef("the request has no token, or a wrong one"))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// post answers a question about the file in the body.
func (s *Service) post(w http.ResponseWriter, r *http.Request) {
	q, err := talk.Find(r.PathValue("question"))
	if err != nil {
		refuse(w, http.StatusNotFound, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.MaxTime)
	defer cancel()
	size := r.ContentLength
	if size < 0 {
		size = s.MaxSize
	}
	if size > s.MaxSize {
		refuse(w, http.StatusRequestEntityTooLarge, fault.New(fault.Limit, "the file has more than %d bytes", s.MaxSize))
		return
	}
	client, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !s.enter(ctx, client, size) {
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusTooManyRequests, fault.New(fault.Limit, "too much is asked at once"))
		return
	}
	defer s.leave(client, size)
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.MaxSize))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, fault.Wrap(fault.Limit, err, "the file cannot be received"))
		return
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		refuse(w, http.StatusUnsupportedMediaType, hint.Usagef("the body is a form; the file itself must be the body").Hint("curl --data-binary @FILE, without -F; in a page fetch(address, {method: \"POST\", body: file})"))
		return
	}
	texts := r.URL.Query()
	name := fileName(texts)
	tag := etag(s.Version, q.Name, name, texts, data)
	if r.Header.Get("If-None-Match") == tag {
		refuse(w, http.StatusPreconditionFailed, hint.Usagef("the answer is still the one with this tag"))
		return
	}
	reply, err := s.ask(ctx, q, name, texts, data)
	if errors.Is(err, fault.NotFormat) && r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		err = hint.With(err, "with curl: --data-binary @FILE, because -d @FILE leaves line ends and NULs out")
	}
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	w.Header().Set("ETag", tag)
	send(w, reply)
}

// ask waits for a free place and answers the question.
func (s *Service) ask(ctx context.Context, q *question.Question, name string, texts url.Values, data []byte) (*question.Reply, error) {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	o := source.NewOpener(s.Formats)
	o.Files = &posted{name, data}
	noFolders := func(context.Context, string, string) ([]string, error) { return nil, nil }
	return talk.Ask(ctx, question.At{Path: name, Opener: o, Bounded: true, Below: noFolders}, q, question.Texts(texts))
}

// send writes an answer.
func send(w http.ResponseWriter, reply *question.Reply) {
	if f, ok := reply.Answer.(*question.File); ok {
		w.Header().Set("Content-Type", cmp.Or(f.Type, "application/octet-stream"))
		w.Header().Set("Content-Disposition", "attachment")
		w.Write(f.Data)
		return
	}
	text, err := reply.MarshalJSON()
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// fileName takes the file's name out of the parameters. The name is never a path: it
// serves error messages and formats made of two files with related names.
func fileName(texts url.Values) string {
	name := path.Base(strings.ReplaceAll(texts.Get("filename"), `\`, "/"))
	texts.Del("filename")
	if name == "." || name == "/" || name == ".." {
		return "file"
	}
	return name
}

// etag hashes the question and the file. The same question about the same bytes has the
// same tag.
func etag(version, question, name string, texts url.Values, data []byte) string {
	h := sha256.New()
	io.WriteString(h, version+"\x00"+question+"\x00"+name+"\x00"+texts.Encode()+"\x00")
	h.Write(data)
	return `"` + hex.EncodeToString(h.Sum(nil)[:16]) + `"`
}

// enter waits until the service may hold a client's file of this size. It returns false
// if the context ends first.
func (s *Service) enter(ctx context.Context, client string, size int64) bool {
	for {
		s.mu.Lock()
		if s.held+size <= s.MaxHeld && s.clients[client] < s.PerClient {
			s.held += size
			s.clients[client]++
			s.mu.Unlock()
			return true
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (s *Service) leave(client string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held -= size
	if s.clients[client]--; s.clients[client] == 0 {
		delete(s.clients, client)
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case problem.IsUsage(err):
		return http.StatusBadRequest
	case errors.Is(err, fault.NotFormat):
		return http.StatusUnsupportedMediaType
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.Is(err, fault.Limit):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusUnprocessableEntity
}

// refuse writes an error in the form of RFC 9457 (problem details).
func refuse(w http.ResponseWriter, status int, err error) {
	p := talk.ProblemOf(err, "")
	text, failed := form.Marshal(struct {
		Type   string   `json:"type"`
		Title  string   `json:"title"`
		Status int      `json:"status"`
		Detail string   `json:"detail"`
		Kind   string   `json:"kind"`
		Entry  *string  `json:"entry"`
		Offset *int64   `json:"offset"`
		Hints  []string `json:"hints"`
	}{"about:blank", http.StatusText(status), status, p.Message, p.Kind, p.Entry, p.Offset, p.Hints})
	if failed != nil {
		text = []byte(`{"type":"about:blank"}`)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	w.Write(text)
}

// posted presents the one file of a request as [source.Files].
type posted struct {
	name string
	data []byte
}

func (p *posted) Stat(name string) (fs.FileInfo, error) {
	if name != p.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return vfs.FileInfo{Base: p.name, Length: int64(len(p.data))}, nil
}

func (p *posted) OpenFile(name string) (archive.Input, io.Closer, error) {
	if _, err := p.Stat(name); err != nil {
		return archive.Input{}, nil, err
	}
	return archive.Input{ReaderAt: bytes.NewReader(p.data), Size: int64(len(p.data)), Name: p.name, Sibling: p.OpenFile}, io.NopCloser(nil), nil
}
