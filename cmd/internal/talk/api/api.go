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
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/page/web"
	form "pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/cmd/internal/talk"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
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
		refuse(w, http.StatusMethodNotAllowed, fault.Usagef("%s does not support %s: POST the file to it", r.URL.Path, r.Method).Hint("curl --data-binary @FILE http://%s%s", r.Host, r.URL.Path))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, fault.Usagef("unknown path %s", r.URL.Path).Hint("post a file to /v1/info; /openapi.json describes all"))
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
			refuse(w, http.StatusMisdirectedRequest, fault.Usagef("this server does not answer to the name %s", r.Host))
		case r.Method == http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
			w.WriteHeader(http.StatusNoContent)
		case s.Token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) == 0:
			h.Set("WWW-Authenticate", `Bearer realm="pakbox"`)
			refuse(w, http.StatusUnauthorized, fault.Usagef("the request has no token, or a wrong one"))
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
	if r.ContentLength > s.MaxSize {
		refuse(w, http.StatusRequestEntityTooLarge, fault.New(fault.Limit, "the file exceeds the limit of %d bytes", s.MaxSize))
		return
	}
	client, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !s.enter(ctx, client) {
		tooMany(w)
		return
	}
	defer s.leave(client)
	data, held, err := s.receive(ctx, w, r)
	defer s.release(held)
	switch {
	case errors.Is(err, errHeld):
		tooMany(w)
		return
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, fault.New(fault.Limit, "receiving the file exceeded the time limit of %v", s.MaxTime))
		return
	case err != nil:
		refuse(w, http.StatusRequestEntityTooLarge, fault.Wrap(fault.Limit, err, "the file cannot be received"))
		return
	}
	if isForm(r) && !takesForm(q) {
		refuse(w, http.StatusUnsupportedMediaType, fault.Usagef("the body is a form; the file itself must be the body").Hint("curl --data-binary @FILE, without -F; in a page fetch(address, {method: \"POST\", body: file})"))
		return
	}
	given := readBody(r.URL.Query(), data)
	tag := etag(s.Version, q.Name, given.name, given.texts, data)
	if r.Header.Get("If-None-Match") == tag {
		refuse(w, http.StatusPreconditionFailed, fault.Usagef("the answer with this tag is current"))
		return
	}
	if isForm(r) {
		if given, err = readForm(q, r.URL.Query(), r.Header.Get("Content-Type"), data); err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
	}
	if err := given.checkNames(); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	reply, err := s.ask(ctx, q, given)
	if errors.Is(err, fault.NotFormat) && r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		err = fault.WithHint(err, "with curl: --data-binary @FILE, because -d @FILE leaves line ends and NULs out")
	}
	if err != nil {
		refuse(w, form.OutcomeOf(err).Status, err)
		return
	}
	w.Header().Set("ETag", tag)
	send(w, reply)
}

// ask waits for a free place and answers the question.
func (s *Service) ask(ctx context.Context, q *form.Question, given *sent) (*form.Reply, error) {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	o := source.NewOpener(s.Formats)
	o.Files = posted(given.files)
	at := form.At{Path: given.name, Opener: o, Host: host{form.Local{Limited: true}}}
	dry := given.texts.Get("dry_run") == "true"
	if q.Change {
		given.texts.Del("dry_run")
	}
	params, err := q.ReadForm(form.Texts(given.texts), given.given)
	switch {
	case err != nil:
		return nil, err
	case q.Change:
		return revise(ctx, at, q, params, dry)
	}
	return talk.AskParams(ctx, at, q, params)
}

// revise answers a change with the changed file, or with what would change. Nothing is
// saved here: the file is the asker's.
func revise(ctx context.Context, at form.At, q *form.Question, params any, dry bool) (*form.Reply, error) {
	at.Opener = at.Opener.WithoutAsking().Apart()
	defer at.Opener.CleanUp()
	r, err := q.Revise(ctx, &at, params)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if !dry {
		changed, err := r.Content(ctx, at.Opener)
		return at.Reply(q, &form.File{Name: at.Path, Data: changed}), err
	}
	seen, err := r.Preview()
	if err != nil {
		return nil, err
	}
	return at.Reply(q, r.Report(q, at.Path, at.Format, seen)), nil
}

// send writes an answer.
func send(w http.ResponseWriter, reply *form.Reply) {
	if f, ok := reply.Answer.(*form.File); ok {
		w.Header().Set("Content-Type", cmp.Or(f.Type, "application/octet-stream"))
		w.Header().Set("Content-Disposition", "attachment")
		w.Write(f.Data)
		return
	}
	var answer json.Marshaler = reply
	if report, ok := reply.Answer.(*form.Object); ok { // it has schema, path and format already
		answer = report
	}
	text, err := answer.MarshalJSON()
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// fileName takes the file's name out of the parameters.
func fileName(texts url.Values) string {
	name := plainName(texts.Get("filename"))
	texts.Del("filename")
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

// errHeld is the error for a file that exceeds the memory limit.
var errHeld = errors.New("the memory limit is exceeded")

func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	refuse(w, http.StatusTooManyRequests, fault.New(fault.Limit, "too many questions at once"))
}

// receive reads the file in the body. Memory is reserved as the bytes arrive, so that a
// client that sends nothing holds nothing, and the time for all of it is limited. The
// caller releases held bytes.
func (s *Service) receive(ctx context.Context, w http.ResponseWriter, r *http.Request) (data []byte, held int64, err error) {
	if end, ok := ctx.Deadline(); ok {
		control := http.NewResponseController(w)
		if control.SetReadDeadline(end) == nil {
			defer control.SetReadDeadline(time.Time{})
		}
	}
	body := http.MaxBytesReader(w, r.Body, s.MaxSize)
	var b bytes.Buffer
	for {
		piece := min(receiveStep, s.MaxSize-held)
		if !s.reserve(ctx, piece) {
			return nil, held, errHeld
		}
		held += piece
		n, err := io.CopyN(&b, body, max(piece, 1)) // behind the largest size there is only the end, or an error
		if err == io.EOF {
			s.release(piece - n)
			return b.Bytes(), held - (piece - n), nil
		}
		if err != nil {
			return nil, held, err
		}
	}
}

// receiveStep is how much memory is reserved at a time.
const receiveStep = 1 << 20

// enter waits until the service may answer a question of a client. It returns false if
// the context ends first.
func (s *Service) enter(ctx context.Context, client string) bool {
	return s.await(ctx, func() bool {
		if s.clients[client] >= s.PerClient {
			return false
		}
		s.clients[client]++
		return true
	})
}

// reserve waits until the service may hold further bytes. It returns false if the context
// ends first.
func (s *Service) reserve(ctx context.Context, size int64) bool {
	return s.await(ctx, func() bool {
		if s.held+size > s.MaxHeld {
			return false
		}
		s.held += size
		return true
	})
}

// await calls try until it succeeds, again whenever something is freed.
func (s *Service) await(ctx context.Context, try func() bool) bool {
	for {
		s.mu.Lock()
		ok, freed := try(), s.freed
		s.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (s *Service) leave(client string) {
	s.free(func() {
		if s.clients[client]--; s.clients[client] == 0 {
			delete(s.clients, client)
		}
	})
}

func (s *Service) release(size int64) { s.free(func() { s.held -= size }) }

func (s *Service) free(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.freed)
	s.freed = make(chan struct{})
}

// refuse writes an error in the form of RFC 9457 (problem details).
func refuse(w http.ResponseWriter, status int, err error) {
	e := form.ErrorAbout(err, "")
	o := new(form.Object).Add("type", "about:blank").Add("title", http.StatusText(status)).Add("status", status).Add("detail", e.Message).
		Add("kind", e.Kind).Add("entry", e.Entry).Add("offset", e.Offset).Add("hints", e.Hints)
	text, failed := o.MarshalJSON()
	if failed != nil {
		text = []byte(`{"type":"about:blank"}`)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	w.Write(text)
}

// host is the service, which has no folders.
type host struct{ form.Local }

// FilesBelow returns nil, because no path is a folder.
func (host) FilesBelow(context.Context, string, string) ([]string, error) { return nil, nil }

// posted presents the files of a request as [archive.Files].
type posted map[string][]byte

func (p posted) Stat(name string) (fs.FileInfo, error) {
	data, ok := p[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return vfs.FileInfo{Base: name, Length: int64(len(data))}, nil
}

func (p posted) OpenFile(name string) (archive.Input, io.Closer, error) {
	if _, err := p.Stat(name); err != nil {
		return archive.Input{}, nil, err
	}
	data := p[name]
	return archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: name, Sibling: p.OpenFile}, io.NopCloser(nil), nil
}
