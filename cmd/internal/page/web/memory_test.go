package web

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"pakbox/internal/testkit/memlimit"
	"pakbox/internal/testkit/tier"
)

// perVisitor is the memory that one visitor may take beyond the program.
const perVisitor = 256 << 20

// nothing counts the bytes written to it, and drops them.
type nothing struct {
	header http.Header
	code   int
	n      int64
	head   bytes.Buffer
}

func (w *nothing) Header() http.Header { return w.header }
func (w *nothing) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
}
func (w *nothing) Write(p []byte) (int, error) {
	w.WriteHeader(200)
	w.n += int64(len(p))
	if w.head.Len() < 1<<10 {
		w.head.Write(p[:min(len(p), 1<<10)])
	}
	return len(p), nil
}

// ask asks a question and drops the answer.
func (e *explorer) ask(r *http.Request) *nothing {
	w := &nothing{header: http.Header{}}
	e.ServeHTTP(w, r)
	return w
}

// All views of an entry that unpacks to more than the limit of one visitor stay within
// that limit; so do all views of such a zip in a zip.
func TestMemoryOfBomb(t *testing.T) {
	tier.All(t, "much time")
	const size = perVisitor + 44<<20
	memlimit.Run(t, perVisitor, func() func() {
		e := newExplorer(t)
		writeFile(t, filepath.Join(e.dir, "bomb.zip"), bomb(t, size))
		writeFile(t, filepath.Join(e.dir, "nested.zip"), zipped(t, "inner.zip", "PK\x03\x04", size))
		return func() {
			for _, path := range []string{"maps/bomb.zip/zeros.txt", "maps/nested.zip/inner.zip", "maps/nested.zip/inner.zip/x"} {
				for _, name := range []string{"what", "info", "children", "ls", "text", "layers", "picture", "thumbnail", "tiles", "values", "bytes", "content", "map.scene", "simutrans.objects"} {
					r := request("GET", "/api/"+name+"?path="+path, nil)
					r.Header.Set("Range", "bytes=1000-5000")
					if w := e.ask(r); w.code >= 500 {
						t.Errorf("%s of %s: status %d: %s", name, path, w.code, w.head.Bytes())
					}
				}
			}
			w := e.get("what", "path", "maps/bomb.zip/zeros.txt")
			if !strings.Contains(w.Body.String(), fmt.Sprintf(`"size":%d`, size)) {
				t.Errorf("size of the entry: status %d: %s", w.Code, w.Body)
			}
			r := request("GET", "/api/bytes?path=maps/bomb.zip/zeros.txt", nil)
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-", size-100))
			if w := e.ask(r); w.code != 206 || w.n != 100 {
				t.Errorf("the end: status %d, %d bytes", w.code, w.n)
			}
			if w := e.ask(request("GET", "/api/content?path=maps/bomb.zip/zeros.txt", nil)); w.n != size {
				t.Errorf("saved: status %d, %d bytes", w.code, w.n)
			}
		}
	})
}

// zipped is a zip with an entry that begins with the given bytes and continues with zeros.
func zipped(t *testing.T, name, begins string, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = io.Copy(w, io.LimitReader(io.MultiReader(strings.NewReader(begins), zeros{}), size))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Pictures of many pixels, one after the other and in parallel.
func TestMemoryOfPictures(t *testing.T) {
	tier.All(t, "much time")
	memlimit.Run(t, perVisitor, func() func() {
		e := newExplorer(t)
		for name, m := range map[string]image.Image{"a.png": image.NewNRGBA(image.Rect(0, 0, 4096, 4096)), "b.png": image.NewNRGBA64(image.Rect(0, 0, 4096, 4096)), "c.png": image.NewGray(image.Rect(0, 0, 9000, 9000))} {
			var b bytes.Buffer
			if err := png.Encode(&b, m); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(e.dir, name), b.Bytes())
		}
		return func() {
			var all sync.WaitGroup
			for i := range 6 {
				all.Go(func() {
					name, want := string("abc"[i%3])+".png", []int{200, 413, 413}[i%3]
					if w := e.ask(request("GET", "/api/picture?path=maps/"+name, nil)); w.code != want {
						t.Errorf("%s: status %d: %s", name, w.code, w.head.Bytes())
					}
				})
			}
			for range 2 { // tiles are requested in parallel
				all.Go(func() {
					if w := e.ask(request("GET", "/api/tiles?path=maps/a.png&path=maps/b.png&path=maps/c.png&path=maps/a.png", nil)); w.code != 200 {
						t.Errorf("tiles: status %d: %s", w.code, w.head.Bytes())
					}
				})
			}
			all.Wait()
		}
	})
}

// Dropped content is stored on disk: a visitor who drops a gigabyte takes no memory.
func TestMemoryOfDrops(t *testing.T) {
	tier.All(t, "much time")
	memlimit.Run(t, perVisitor/2, func() func() {
		e := newExplorer(t)
		return func() {
			for i := range 4 {
				r := request("POST", fmt.Sprintf("/api/drop?name=%d.bin", i), io.LimitReader(zeros{}, 240<<20))
				if w := e.ask(r); w.code != 200 {
					t.Errorf("status %d: %s", w.code, w.head.Bytes())
				}
			}
		}
	})
}

// Expressions with huge results end with an error, within 128 MB.
func TestMemoryOfQueries(t *testing.T) {
	tier.All(t, "much time")
	memlimit.Run(t, 128<<20, func() func() {
		e := newExplorer(t)
		return func() {
			for _, q := range []string{
				`"x" * 2000000000`, `[range(1e12) | "x" * 100000] | length`, `reduce range(40) as $i ("x"; . + .)`, `reduce range(40) as $i ("x"; . * 2)`,
				`reduce range(40) as $i ("x"; "\(.)\(.)")`, `reduce range(40) as $i ([1]; . + .)`, `null | .[100000000] = 1`, `null | .[200000000] |= 1`, `null | setpath([300000000]; 1)`,
				`null | pick(.[200000000])`, `fromstream([[200000000], 1])`, `[limit(1e9; repeat(1))]`, `"x" * 4000000 | explode`, `"x" * 4000000 | [match(""; "g")]`, `"x" * 4000000 | split("")`,
				`[[range(1000000)]] + [range(1000) | []] | transpose`, `("x" * 4000000) as $s | [range(10000) | $s] | add`, `("x" * 4000000) as $s | [range(10000) | $s] | join("")`,
				`reduce range(60) as $i ([1]; [., .]) | tojson`, `reduce range(60) as $i ([1]; [., .]) | flatten`, `reduce range(60) as $i ([1]; [., .]) | @json`, `"x" | . *= 2000000000`,
				`1 | [recurse(. + 1; true)]`, `def f: [f]; f`, `("\u0001" * 4000000) | @uri | @uri | @uri | @uri`, `[range(1e9)]`, `"x" * 100000 | gsub(""; "yyyyyyyyyyyyyyyyyyyyyy")`,
			} {
				// On a busy computer the time limit may end one of them before the memory limit.
				w := e.get("query", "path", "maps/a.Map.Gbx", "q", q)
				full, late := strings.Contains(w.Body.String(), "fit in memory"), strings.Contains(w.Body.String(), "took longer")
				if !(w.Code == 413 && full || w.Code == 503 && late) {
					t.Errorf("%s: status %d: %.200s", q, w.Code, w.Body)
				}
			}
			// Ordinary expressions have the results of jq.
			for q, want := range map[string]string{
				`[1, 2] + [3] | map(. * 2) | add`: `12`, `"ab" * 3`: `"ababab"`, `[(1, 2) * (10, 100)]`: `[10,20,100,200]`, `[(1, 2) + (10, 20)]`: `[11,12,21,22]`,
				`{a: 1} | .a += 2 | .b = 3 | .c.d |= 4`: `{"a":3,"b":3,"c":{"d":4}}`, `"a,b" | split(",") | join("-")`: `"a-b"`, `"x\(1 + 1)y"`: `"x2y"`, `[1, [2]] | @json`: `"[1,[2]]"`,
				`"aXbX" | gsub("X"; "-")`: `"a-b-"`, `[[1, 2], [3]] | transpose`: `[[1,3],[2,null]]`, `@base64 "x\("a")"`: `"xYQ=="`, `.header | type`: `"object"`,
			} {
				if w := e.get("query", "path", "maps/a.Map.Gbx", "q", q); !strings.Contains(w.Body.String(), `"results":[`+want+`]`) {
					t.Errorf("%s: status %d: %.300s, want %s", q, w.Code, w.Body, want)
				}
			}
		}
	})
}

// A jq expression that would run for hours ends after ten seconds, with many small steps and
// with few large ones. A busy computer may take somewhat longer.
func TestTimeOfQueries(t *testing.T) {
	tier.All(t, "much time")
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // garbage counts for the limit of memory, which comes first otherwise
	e := newExplorer(t)
	var asked sync.WaitGroup
	for _, q := range []string{`reduce range(100000000) as $i (""; . + "x")`, `last(range(1e12))`} {
		asked.Go(func() {
			start := time.Now()
			w := e.get("query", "path", "maps/a.Map.Gbx", "q", q)
			if took := time.Since(start); w.Code != 503 || !strings.Contains(w.Body.String(), "took longer") || took > 20*time.Second {
				t.Errorf("%s: after %v status %d: %.200s", q, took, w.Code, w.Body)
			}
		})
	}
	asked.Wait()
}

// A client that disconnects cancels the work on its question.
func TestGoneAway(t *testing.T) {
	e := newExplorer(t)
	writeFile(t, filepath.Join(e.dir, "bomb.zip"), bomb(t, 500<<20))
	for _, name := range []string{"search?q=x", "content?x=", "bytes?x="} {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			e.ask(request("GET", "/api/"+name+"&path=maps/bomb.zip/zeros.txt", nil).WithContext(ctx))
			close(ended)
		}()
		time.Sleep(50 * time.Millisecond)
		leave()
		select {
		case <-ended:
		case <-time.After(20 * time.Second): // reading everything takes longer than that
			t.Errorf("%s continued after the client had disconnected", name)
		}
	}
}

// slow is a body whose first byte comes at once, and the rest on a signal.
type slow struct {
	first bool
	rest  chan struct{}
}

func (s *slow) Read(p []byte) (int, error) {
	if !s.first {
		s.first = true
		p[0] = 'x'
		return 1, nil
	}
	<-s.rest
	return 0, io.EOF
}

// A client that sends slowly does not delay the answers of others.
func TestSlowSenders(t *testing.T) {
	e := newExplorer(t)
	rest := make(chan struct{})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { e.ask(request("POST", fmt.Sprintf("/api/drop?name=%d", i), &slow{rest: rest})) })
	}
	w := httptest.NewRecorder()
	answered := make(chan struct{})
	go func() {
		e.ServeHTTP(w, request("GET", "/api/what?path=maps/a.Map.Gbx", nil))
		close(answered)
	}()
	select {
	case <-answered:
		if w.Code != 200 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	case <-time.After(30 * time.Second):
		t.Error("no answer while other clients send")
	}
	close(rest)
	all.Wait()
}
