// Site is pakbox for the static site: the explorer's handler, compiled to
// WebAssembly, answering in a worker of the browser. No file leaves it, and none
// is read before somebody asks about it.
//
// The worker (worker.js) calls three functions that this program defines:
// pakbox.ask, pakbox.cancel and pakbox.drop.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall/js"

	"pakbox"
	"pakbox/internal/web"
)

func main() {
	files, err := web.NewFiles(nil)
	if err != nil {
		panic(err) // it opens no folder
	}
	s := &site{files: files, handler: web.New(web.Options{Files: files, Formats: pakbox.Formats()}), running: map[int]context.CancelFunc{}}
	js.Global().Set("pakbox", js.ValueOf(map[string]any{
		"ask": js.FuncOf(s.ask), "cancel": js.FuncOf(s.cancel), "drop": js.FuncOf(s.drop),
	}))
	js.Global().Call("pakboxReady")
	select {} // until the page is closed
}

// site answers the worker.
type site struct {
	files   *web.Files
	handler http.Handler

	mu      sync.Mutex
	running map[int]context.CancelFunc
}

// ask answers a request: ask(id, method, address, headers, body, answered), with
// answered called as answered(status, headers, body).
func (s *site) ask(_ js.Value, args []js.Value) any {
	id, method, address := args[0].Int(), args[1].String(), args[2].String()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost/api/"+address, bodyOf(args[4]))
	if err != nil {
		cancel()
		return err.Error()
	}
	headers := args[3]
	for _, name := range []string{"Range", "Content-Type"} {
		if v := headers.Get(name); v.Type() == js.TypeString {
			r.Header.Set(name, v.String())
		}
	}
	answered := args[5]
	s.mu.Lock()
	s.running[id] = cancel
	s.mu.Unlock()
	go func() {
		defer s.forget(id)
		w := &recorder{header: http.Header{}}
		s.handler.ServeHTTP(w, r)
		out := map[string]any{}
		for name := range w.header {
			out[name] = w.header.Get(name)
		}
		body := js.Global().Get("Uint8Array").New(len(w.body))
		js.CopyBytesToJS(body, w.body)
		answered.Invoke(max(w.status, http.StatusOK), js.ValueOf(out), body)
	}()
	return nil
}

// cancel breaks a request off.
func (s *site) cancel(_ js.Value, args []js.Value) any {
	s.forget(args[0].Int())
	return nil
}

func (s *site) forget(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.running[id]; ok {
		cancel()
		delete(s.running, id)
	}
}

// drop takes a file over that stays where it is: drop(name, size, read), with
// read(from, to) returning its bytes. It returns the path, or an error's text.
func (s *site) drop(_ js.Value, args []js.Value) any {
	size := int64(args[1].Float())
	path, err := s.files.Link(args[0].String(), &blob{args[2], size}, size)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"path": path}
}

func bodyOf(v js.Value) io.Reader {
	if v.IsNull() || v.IsUndefined() {
		return nil
	}
	data := make([]byte, v.Get("byteLength").Int())
	js.CopyBytesToGo(data, v)
	return strings.NewReader(string(data))
}

// blob is a file of the browser.
type blob struct {
	read js.Value
	size int64
}

func (b *blob) ReadAt(p []byte, at int64) (n int, err error) {
	if at >= b.size {
		return 0, io.EOF
	}
	to := min(at+int64(len(p)), b.size)
	part := b.read.Invoke(float64(at), float64(to))
	if part.Type() != js.TypeObject {
		return 0, fmt.Errorf("the browser cannot read the file any more")
	}
	n = js.CopyBytesToGo(p, part)
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   []byte
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.body = append(w.body, p...)
	return len(p), nil
}
