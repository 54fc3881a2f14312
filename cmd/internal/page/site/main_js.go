// Site is pakbox for the static site. It answers the explorer's page from a worker of the
// browser, compiled to WebAssembly. No file leaves the browser, and a file is read only
// when somebody asks about it.
//
// The worker (worker.js) calls three functions that this program defines: pakbox.ask,
// pakbox.cancel and pakbox.drop.
package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"runtime/debug"
	"strings"
	"sync"
	"syscall/js"

	"pakbox"
	"pakbox/cmd/internal/page"
	"pakbox/internal/lib/paged"
)

func main() {
	// A page shows one file at a time, so memory may grow. Rarer garbage collection shows
	// the first file sooner.
	debug.SetGCPercent(400)
	files, err := page.NewFiles(nil)
	if err != nil {
		panic(err) // cannot fail: no folder is opened
	}
	s := &site{files: files, running: map[int]context.CancelFunc{}}
	s.explorer = page.New(page.Options{Files: files, Formats: pakbox.Formats(), OpenIndex: s.openIndex})
	js.Global().Set("pakbox", js.ValueOf(map[string]any{
		"ask": js.FuncOf(s.ask), "cancel": js.FuncOf(s.cancel), "drop": js.FuncOf(s.drop),
	}))
	js.Global().Call("pakboxReady")
	select {} // until the page is closed
}

// site holds the explorer and the requests under way.
type site struct {
	files    *page.Files
	explorer *page.Explorer

	mu      sync.Mutex
	running map[int]context.CancelFunc
}

// ask answers a question: ask(id, post, address, range, body, answered). The result goes
// to answered(status, type, size, body). Of long content it reads only the requested
// range [from, to].
func (s *site) ask(_ js.Value, args []js.Value) any {
	id, answered := args[0].Int(), args[5]
	name, query, _ := strings.Cut(args[2].String(), "?")
	params, _ := url.ParseQuery(query) // malformed parameters are ignored
	q := page.Request{Name: name, Params: params, Post: args[1].Bool(), Body: bodyOf(args[4])}
	part := args[3]
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.running[id] = cancel
	s.mu.Unlock()
	go func() {
		defer s.forget(id)
		a := s.explorer.Ask(ctx, q)
		defer a.Close()
		data, size, err := readPart(a.Content, part)
		if err != nil {
			answered.Invoke(int(page.Unusable), "text/plain", 0, js.Null())
			return
		}
		body := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(body, data)
		answered.Invoke(int(a.Status), a.Type, float64(size), body)
	}()
	return nil
}

// readPart reads content from one offset up to another, or all of it.
func readPart(r io.ReadSeeker, part js.Value) (data []byte, size int64, err error) {
	if size, err = r.Seek(0, io.SeekEnd); err != nil {
		return nil, 0, err
	}
	from, to := int64(0), size
	if part.Type() == js.TypeObject {
		from, to = int64(part.Index(0).Float()), min(int64(part.Index(1).Float()), size)
	}
	if _, err = r.Seek(max(0, min(from, size)), io.SeekStart); err != nil {
		return nil, 0, err
	}
	data, err = io.ReadAll(io.LimitReader(r, max(0, to-from)))
	return data, size, err
}

// cancel stops a request.
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

// drop makes a dropped file known: drop(name, size, read), where read(from, to) returns
// its bytes. The file stays with the browser. drop returns its path, or the text of an
// error.
func (s *site) drop(_ js.Value, args []js.Value) any {
	size := int64(args[1].Float())
	path, err := s.files.Link(args[0].String(), paged.New(&blob{args[2], size}, size), size)
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

// blob reads a file that the browser holds.
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
