// Package explore answers the questions of the explorer's page: what is at a path, its
// values, its bytes, its pictures, and changes to it.
//
// The answers are those of the commands, from the same functions (cmd/internal/answer). The
// package knows nothing of HTTP: cmd/internal/page/web carries questions and answers over HTTP, and
// cmd/internal/page/site carries them between a page and its worker, where pakbox runs as
// WebAssembly.
//
// Questions are as untrusted as files. Paths lead only where [Files] allows. Work stops
// when the asker goes away, and is limited in time and in memory.
package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"runtime"
	"strconv"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/spool"
)

// Options say what the page can ask about.
type Options struct {
	Files    *Files
	Formats  archive.Registry
	Keys     func() (archive.Keys, error)
	ReadOnly bool
	// Passphrase returns the passphrase with which the program was started. It is nil
	// without one.
	Passphrase func(source.Request) (string, error)
	// Collection answers questions about an index; it is nil without an index.
	Collection Collection
	// Gather makes an index of the served files, or brings it up to date, and opens it. It is
	// nil if Collection is set, and where no index can be made.
	Gather func(ctx context.Context) (Collection, error)
	// OpenIndex opens an index that a visitor asks for by its path on the page. Nil
	// where none can be opened.
	OpenIndex func(ctx context.Context, path string) (Collection, error)
}

// Limits of one question.
const (
	maxTime  = 60 * time.Second
	MaxDrop  = 256 << 20 // bytes of a dropped file
	maxAsked = 1 << 20   // bytes of another request
	// maxPlaces limits how many questions are answered at a time, because each may need
	// memory.
	maxPlaces = 4
)

// Explorer answers the page's questions.
type Explorer struct {
	opts      Options
	files     *Files
	opener    *source.Opener
	open      *openFiles
	unpacked  *unpacked
	tileShelf shelf[*question.Object]
	large     chan struct{} // held by work that needs much memory
	secrets   *secrets
	games     games
	places    chan struct{} // one place for each question that may be answered at a time
	senders   chan struct{} // one place for each request that may be received at a time
	indexes   indexes
	gathering gathering
	history   history
}

// New makes an explorer.
func New(opts Options) *Explorer {
	k := newSecrets(opts.Keys, opts.Passphrase)
	o := source.NewOpener(opts.Formats)
	o.Files, o.Keys, o.Passphrase = opts.Files, k.all, k.passphrase
	s := &Explorer{opts: opts, files: opts.Files, opener: o, secrets: k, places: make(chan struct{}, min(maxPlaces, 2*runtime.GOMAXPROCS(0))), senders: make(chan struct{}, maxSenders)}
	s.open, s.unpacked, s.large = newOpenFiles(o), newUnpacked(o), make(chan struct{}, 1)
	s.tileShelf = newTileShelf(o)
	return s
}

// Close closes all open files.
func (s *Explorer) Close() {
	s.gathering.end()
	s.forget()
	s.games.forget()
	s.indexes.mu.Lock()
	defer s.indexes.mu.Unlock()
	s.indexes.close()
}

// forget closes all files that are kept open, because one has changed.
func (s *Explorer) forget() {
	s.open.forget()
	s.unpacked.forget()
	s.tileShelf.forget()
}

// alone waits until no other work needs much memory, if much is set.
func (s *Explorer) alone(ctx context.Context, much bool) (done func(), err error) {
	if !much {
		return func() {}, nil
	}
	select {
	case s.large <- struct{}{}:
		return func() { <-s.large }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// OnDisk is [Files.OnDisk] for the explorer's files.
func (s *Explorer) OnDisk(name string) (string, error) { return s.files.OnDisk(name) }

// FolderStamp returns a text that changes when a file in the folder is added, removed or
// written. It returns false if the path is not a folder.
func (s *Explorer) FolderStamp(name string) (string, bool) {
	if info, err := s.files.Stat(name); err != nil || !info.IsDir() {
		return "", false
	}
	list, err := s.files.ReadDir(name)
	if err != nil {
		return "", false
	}
	sum := fnv.New64a()
	for _, e := range list {
		fmt.Fprintln(sum, e.Name())
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintln(sum, info.Size(), info.ModTime().UnixNano())
		}
	}
	return strconv.FormatUint(sum.Sum64(), 16), true
}

// Request is a request of the page.
type Request struct {
	Name   string
	Params url.Values
	Post   bool      // the request sends or changes something
	Body   io.Reader // data that is sent with it
}

// Status is the result of a question, as an HTTP status.
type Status int

const (
	OK          Status = 200
	Bad         Status = 400
	Forbidden   Status = 403
	NotFound    Status = 404
	WrongWay    Status = 405
	TooLarge    Status = 413
	Unknown     Status = 415 // the file is of no format that the question is about
	Unusable    Status = 422 // the file is damaged or not supported
	Interrupted Status = 499 // the asker has gone away
	Busy        Status = 503
)

// Response is the answer to a request. The asker reads Content, completely or in part, and
// closes it.
type Response struct {
	Status  Status
	Type    string // media type
	Content io.ReadSeeker
	Close   func()
	File    string // name for saving; "" for content that is displayed
}

// Read reads the whole content and closes it.
func (a *Response) Read() ([]byte, error) {
	defer a.Close()
	return io.ReadAll(a.Content)
}

// call is a question while it is answered.
type call struct {
	ctx   context.Context // for the work, which has a time limit
	asker context.Context // for the asker, who reads the answer
	Request
	sent io.ReaderAt // the data sent with the question
	size int64       // size of that data
}

func (c *call) Context() context.Context { return c.ctx }

// param returns a parameter of the question.
func (c *call) param(name string) string { return c.Params.Get(name) }

// route is one kind of question.
type route struct {
	post    bool
	changes bool  // it changes something outside this program
	takes   int64 // largest request in bytes; 0 means maxAsked
	// answer returns a value for JSON, or an *Response.
	answer func(s *Explorer, c *call) (any, error)
}

// Ask answers a question.
func (s *Explorer) Ask(ctx context.Context, q Request) *Response {
	route, ok := routeOf(q.Name, q.Post)
	switch {
	case !ok:
		return refusal(NotFound, "usage", "unknown question "+q.Name)
	case route.post != q.Post:
		return refusal(WrongWay, "usage", "this question is asked in another way")
	case route.changes && s.opts.ReadOnly && !isDropped(q.Params.Get("path")):
		return refusal(Forbidden, "read_only", "nothing can be changed from here: the page is served read-only")
	}
	c := &call{asker: ctx, Request: q}
	done, err := s.receive(c, cmp.Or(route.takes, maxAsked))
	if err != nil {
		return failure(q, err)
	}
	defer done()
	inner, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-inner.Done():
		return refusal(Busy, "busy", "too much is asked at once")
	}
	c.ctx = inner
	value, err := route.answer(s, c)
	switch made, isAnswer := value.(*Response); {
	case err != nil && ctx.Err() != nil:
		return refusal(Interrupted, "interrupted", "whoever asked has gone away")
	case err != nil:
		return failure(q, err)
	case isAnswer:
		return made
	}
	return jsonAnswer(OK, value)
}

// failure makes the answer for an error.
func failure(q Request, err error) *Response {
	path := q.Params.Get("path")
	return jsonAnswer(statusOf(err), question.NewObject(q.Name, path, "").Add("error", question.ErrorAbout(err, path)))
}

// errBusy is the error if too many requests are being received.
var errBusy = fault.New(fault.Limit, "too many uploads at once: try again")

// errTooLarge is the error if a request is larger than its limit.
var errTooLarge = fault.New(fault.Limit, "the upload exceeds the size limit")

func statusOf(err error) Status {
	if errors.Is(err, errBusy) {
		return Busy
	}
	return Status(question.OutcomeOf(err).Status)
}

func jsonAnswer(status Status, value any) *Response {
	data, err := question.Marshal(value)
	if err != nil { // for example NaN, which JSON does not have
		return refusal(Unusable, "json", "the answer has a value that JSON cannot say")
	}
	return bytesAnswer(status, "application/json; charset=utf-8", data)
}

// refusal makes the answer to a question that was not examined.
func refusal(status Status, kind, message string) *Response {
	return jsonAnswer(status, new(question.Object).Add("error", new(question.Object).Add("kind", kind).Add("message", message)))
}

func bytesAnswer(status Status, kind string, data []byte) *Response {
	return &Response{Status: status, Type: kind, Content: bytes.NewReader(data), Close: func() {}}
}

// octets is a media type that no browser displays or runs.
const octets = "application/octet-stream"

// maxSenders limits how many requests are received at a time.
const maxSenders = 64

// receive reads the data of a request before the question takes a place to work, so that
// a slow sender blocks nobody else.
func (s *Explorer) receive(c *call, limit int64) (done func(), err error) {
	if c.Body == nil || !c.Post {
		return func() {}, nil
	}
	select {
	case s.senders <- struct{}{}:
		defer func() { <-s.senders }()
	default:
		return nil, errBusy
	}
	body := spool.New(io.NopCloser(c.Body))
	if c.size, err = body.Size(c.asker, limit); err != nil {
		body.Close()
		if errors.Is(err, fault.Limit) {
			err = errTooLarge
		}
		return nil, err
	}
	c.sent = body
	return func() { body.Close() }, nil
}

// decode reads the data of a request as JSON.
func decode(c *call, into any) error {
	if c.sent == nil {
		return usage("nothing was sent")
	}
	d := json.NewDecoder(io.NewSectionReader(c.sent, 0, c.size))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return usage("what was sent cannot be read: %v", err)
	}
	return nil
}
