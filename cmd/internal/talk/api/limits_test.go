package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// newService makes a service with these limits.
func newService(t *testing.T, maxSize, maxHeld int64, perClient int) (*Service, http.Handler) {
	t.Helper()
	o := Options{Formats: pakbox.Formats(), Version: "1", MaxSize: maxSize, MaxTime: time.Minute, MaxHeld: maxHeld, PerClient: perClient}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &Service{Options: o, places: make(chan struct{}, 1), clients: map[string]int{}, freed: make(chan struct{})}, h
}

// The bytes held for one address and for all addresses are limited. A waiting request
// continues as soon as enough bytes are free, and not earlier.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newService(t, 10, 10, 2)
		entered := func(client string, size int64) bool {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if !s.enter(ctx, client) {
				return false
			}
			ok := s.reserve(ctx, size)
			if !ok {
				s.leave(client)
			}
			return ok
		}
		left := func(client string, size int64) {
			s.release(size)
			s.leave(client)
		}
		for i, k := range []struct {
			client string
			size   int64
			want   bool
		}{{"a", 4, true}, {"a", 3, true}, {"a", 0, false}, {"b", 4, false}, {"b", 3, true}, {"c", 1, false}, {"c", 0, true}} {
			if got := entered(k.client, k.size); got != k.want {
				t.Errorf("%d: %s with %d bytes: %t", i, k.client, k.size, got)
			}
		}
		waits, late := make(chan bool, 1), make(chan bool, 1)
		go func() { waits <- s.enter(t.Context(), "d") && s.reserve(t.Context(), 4) }()
		go func() { late <- s.enter(t.Context(), "e") && s.reserve(t.Context(), 10) }()
		synctest.Wait()
		left("b", 3)
		synctest.Wait()
		select {
		case <-waits:
			t.Error("4 bytes were reserved with 3 bytes free")
		default:
		}
		left("a", 4)
		if !<-waits || s.held != 7 || s.clients["a"] != 1 {
			t.Errorf("%d bytes are held, %v", s.held, s.clients)
		}
		left("a", 3)
		left("c", 0)
		left("d", 4)
		if !<-late || s.held != 10 || len(s.clients) != 1 {
			t.Errorf("%d bytes are held, %v", s.held, s.clients)
		}
		left("e", 10)
		if s.held != 0 || len(s.clients) != 0 {
			t.Errorf("after the last request: %d bytes, %v", s.held, s.clients)
		}
	})
}

// A question that waits for a slot is refused after the time limit.
func TestNoPlace(t *testing.T) {
	s, _ := newService(t, 10, 10, 1)
	s.places <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := answer.Questions()[0]
	if _, err := s.ask(ctx, q, readBody(url.Values{}, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	<-s.places
	s.ask(t.Context(), q, readBody(url.Values{}, nil))
	if len(s.places) != 0 {
		t.Error("the slot was not released")
	}
}

// reading calls a function at each read, and ends.
type reading func()

func (r reading) Read([]byte) (int, error) { r(); return 0, io.EOF }

// Memory must be reserved while the bytes of a body arrive, whatever its declared size.
func TestUnknownSize(t *testing.T) {
	s, h := newService(t, 3*receiveStep, 3*receiveStep, 1)
	for _, size := range []int64{-1, 0, 3 * receiveStep} {
		var held []int64
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/info", reading(func() { held = append(held, s.held) }))
		r.SetPathValue("question", "info")
		r.ContentLength = size
		s.post(httptest.NewRecorder(), r)
		if len(held) == 0 || slices.Max(held) > receiveStep || s.held != 0 {
			t.Errorf("size %d: %d bytes are held before the first byte, %d at the end", size, held, s.held)
		}
	}
	s, h = newService(t, 100, 100, 1)
	for n, want := range map[int]int{100: http.StatusUnsupportedMediaType, 101: http.StatusRequestEntityTooLarge} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/info", strings.NewReader(strings.Repeat("x", n)))
		r.ContentLength = -1
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%d bytes: %d %s", n, w.Code, w.Body)
		}
	}
}

// A refusal has the message, the position and hints.
func TestRefuse(t *testing.T) {
	for _, k := range []struct {
		err  error
		want string
	}{
		{fault.At(fault.Corrupt, 7, "f", "bad"), `{"type":"about:blank","title":"Gone","status":410,"detail":"f at 0x7: bad","kind":"corrupt","entry":null,"offset":7,"hints":[]}`},
		{fault.InEntry(fault.New(fault.Key, "no key"), "a/b"), `{"type":"about:blank","title":"Gone","status":410,"detail":"a/b: no key","kind":"key","entry":"a/b","offset":null,"hints":[]}`},
		{fault.Usagef("what").Hint("do <this>"), `{"type":"about:blank","title":"Gone","status":410,"detail":"what","kind":"usage","entry":null,"offset":null,"hints":["do <this>"]}`},
	} {
		w := httptest.NewRecorder()
		refuse(w, http.StatusGone, k.err)
		if got := w.Body.String(); got != k.want || w.Code != http.StatusGone || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%d %s\n%s\nwant\n%s", w.Code, w.Header().Get("Content-Type"), got, k.want)
		}
	}
}

// The name of a file is never a path, and not a parameter of a question.
func TestFileName(t *testing.T) {
	for given, want := range map[string]string{"": "file", "a.pak": "a.pak", "/": "file", "..": "file", ".": "file", `C:\d\a.pak`: "a.pak", "d/..": "file", "d/": "d", "../../etc/passwd": "passwd"} {
		texts := url.Values{"filename": {given}, "x": {"y"}}
		if got := fileName(texts); got != want || texts.Has("filename") || !texts.Has("x") {
			t.Errorf(`%q: got = %q, texts = %v; want got = %q, texts.Has("filename") = false, texts.Has("x") = true`, given, got, texts, want)
		}
	}
	p := posted{"a.pak": []byte("12345")}
	info, err := p.Stat("a.pak")
	if err != nil || info.Name() != "a.pak" || info.Size() != 5 || info.IsDir() {
		t.Errorf(`info = %v, err = %v; want no error, info.Name() = "a.pak", info.Size() = 5, info.IsDir() = false`, info, err)
	}
	for _, name := range []string{"b.pak", "", "./a.pak"} {
		if _, err := p.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: err = %v; want err matching fs.ErrNotExist", name, err)
		}
		if _, _, err := p.OpenFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: err = %v; want err matching fs.ErrNotExist", name, err)
		}
	}
	in, _, err := p.OpenFile("a.pak")
	b := make([]byte, 5)
	if err != nil || in.Size != 5 || in.Name != "a.pak" || in.Sibling == nil {
		t.Errorf(`in = %+v, err = %v; want no error, in.Size = 5, in.Name = "a.pak", in.Sibling other than nil`, in, err)
	} else if _, err := in.ReadAt(b, 0); err != nil || string(b) != "12345" {
		t.Errorf(`b = %q, err = %v; want no error, b = "12345"`, b, err)
	}
}

// The tag changes with everything that the answer depends on, and only then.
func TestTag(t *testing.T) {
	tag := etag("1", "ls", "a", url.Values{"x": {"1"}, "y": {"2"}}, []byte("data"))
	if len(tag) != 34 || tag[0] != '"' || tag[33] != '"' {
		t.Errorf(`tag = %v; want tag of length 34, tag[0] = '"', tag[33] = '"'`, tag)
	}
	if again := etag("1", "ls", "a", url.Values{"y": {"2"}, "x": {"1"}}, []byte("data")); again != tag {
		t.Errorf("the same again: %s, %s", tag, again)
	}
	seen := map[string]bool{tag: true}
	x := url.Values{"x": {"1"}, "y": {"2"}}
	for _, other := range []string{
		etag("2", "ls", "a", x, []byte("data")), etag("1", "info", "a", x, []byte("data")), etag("1", "ls", "b", x, []byte("data")),
		etag("1", "ls", "a", url.Values{"x": {"1"}}, []byte("data")), etag("1", "ls", "a", x, []byte("dat")), etag("1l", "s", "a", x, []byte("data")),
	} {
		if seen[other] {
			t.Errorf("duplicate %s", other)
		}
		seen[other] = true
	}
}

// An answer that is a file is sent with a name for saving it.
func TestSend(t *testing.T) {
	for given, want := range map[string]string{"": "application/octet-stream", "image/png": "image/png"} {
		w := httptest.NewRecorder()
		send(w, &question.Reply{Answer: &question.File{Name: "a", Type: given, Data: []byte("data")}})
		if h := w.Header(); w.Code != 200 || h.Get("Content-Type") != want || h.Get("Content-Disposition") != "attachment" || w.Body.String() != "data" {
			t.Errorf(`%q: w.Code = %d h = %v w.Body = %q; want w.Code = 200, h.Get("Content-Type") = %v, h.Get("Content-Disposition") = "attachment", w.Body.String() = "data"`, given, w.Code, h, w.Body, want)
		}
	}
}

// Only an answer has a tag. A file that curl has altered gets a hint.
func TestAnswers(t *testing.T) {
	_, h := newService(t, 1000, 1000, 1)
	ask := func(body string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/info?filename=a", strings.NewReader(body))
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	const zip = "PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	good := ask(zip)
	if good.Code != 200 || good.Header().Get("ETag") == "" || good.Header().Get("Content-Type") != "application/json" || good.Header().Get("Retry-After") != "" {
		t.Errorf(`good.Code = %d good.Header() = %v good.Body = %s; want good.Code = 200, good.Header().Get("ETag") not empty, good.Header().Get("Content-Type") = "application/json", good.Header().Get("Retry-After") = ""`, good.Code, good.Header(), good.Body)
	}
	if w := ask(zip, "Content-Type", "application/x-www-form-urlencoded"); w.Code != 200 {
		t.Errorf("of the type that curl sends: %d %s", w.Code, w.Body)
	}
	for kind, told := range map[string]bool{"application/x-www-form-urlencoded": true, "application/octet-stream": false} {
		w := ask("nothing known", "Content-Type", kind)
		if w.Code != 415 || w.Header().Get("ETag") != "" || strings.Contains(w.Body.String(), "--data-binary @FILE, because") != told {
			t.Errorf("%s: status %d, headers %v: %s", kind, w.Code, w.Header(), w.Body)
		}
	}
	if w := ask(zip, "If-None-Match", `"other"`); w.Code != 200 {
		t.Errorf("with another tag: %d", w.Code)
	}
}

// The description of each operation is that of its question.
func TestOperations(t *testing.T) {
	document := OpenAPI(pakbox.Formats(), "1.2")
	if info := document["info"].(object); info["version"] != "1.2" || info["title"] != "pakbox" || document["openapi"] != "3.1.0" {
		t.Errorf(`info = %v; want info["version"] = "1.2", info["title"] = "pakbox", document["openapi"] = "3.1.0"`, info)
	}
	schemas := document["components"].(object)["schemas"].(object)
	files := 0
	for _, q := range answer.Questions() {
		operation := document["paths"].(object)["/v1/"+q.Name].(object)["post"].(object)
		id := operation["operationId"].(string)
		schema, ok := schemas[id].(object)
		if !ok || strings.ContainsAny(id, ".-") || schema["$schema"] != nil || schema["$id"] != nil {
			t.Errorf("%s: %s has the schema %v", q.Name, id, schema)
		}
		tags := operation["tags"].([]string)
		if operation["requestBody"].(object)["required"] == q.NoFile || operation["summary"] != q.Doc || len(tags) != 1 || !strings.HasPrefix(q.Name, tags[0]) || strings.Contains(tags[0], ".") {
			t.Errorf("%s: operation = %v", q.Name, operation)
		}
		content := operation["responses"].(object)["200"].(object)["content"].(object)
		if _, file := content["application/octet-stream"]; file != (q.IsFile() || q.Change) {
			t.Errorf("%s: content = %v; want a file exactly for a question with a file as answer, and for a change", q.Name, content)
		} else if file {
			files++
		} else if ref := content["application/json"].(object)["schema"].(object)["$ref"]; ref != "#/components/schemas/"+id {
			t.Errorf(`%s: ref = %v; want "#/components/schemas/" + id`, q.Name, ref)
		}
		last := ""
		for i, p := range operation["parameters"].([]object) {
			name := p["name"].(string)
			if doc, _ := p["description"].(string); doc == "" || p["in"] != "query" || p["schema"].(object)["description"] != nil || (i == 0) != (name == "filename") || name < last && i > 1 {
				t.Errorf(`%s: p = %v; want doc not empty, p["in"] = "query", p["schema"].(object)["description"] = nil, i is 0 exactly if name is "filename", (name at least %v or i at most 1)`, q.Name, p, last)
			}
			last = name
		}
	}
	if files == 0 {
		t.Error("no question has an answer that is a file")
	}
}

// A client that declares a large file and sends nothing must be refused at the time limit,
// and must not delay others meanwhile.
func TestIdleUpload(t *testing.T) {
	s, h := newService(t, 64<<20, 64<<20, 4)
	s.MaxTime = 300 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			r.SetPathValue("question", strings.TrimPrefix(r.URL.Path, "/v1/"))
			s.post(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
	defer server.Close()
	var idle []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/info HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108864\r\n\r\nG")
		idle = append(idle, conn)
	}
	got, err := http.Post(server.URL+"/v1/info", "", strings.NewReader("no file of a game"))
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	if got.StatusCode == http.StatusTooManyRequests {
		t.Error("two idle uploads delay other requests")
	}
	for _, conn := range idle {
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout {
			t.Errorf("answer to an idle upload = %v, %v", answer, err)
		}
	}
}
