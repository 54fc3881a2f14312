package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// shellFiles are the hand-written files of the page, and vendor, which
// cmd/tools/bundle makes.
//
//go:embed shell
var shellFiles embed.FS

// page returns the files of the page.
func pageFolder() fs.FS {
	sub, err := fs.Sub(shellFiles, "shell")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

// shell serves the page. Browsers ask for each file again, because a newer pakbox may
// have other files at the same address.
func shell() http.Handler {
	linked, err := Link(pageFolder())
	if err != nil {
		panic(err) // cannot fail: the modules are embedded, and a test links them
	}
	files := &pageFiles{files: pageFolder(), linked: linked, made: map[string]*pageFile{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			refuse(w, http.StatusMethodNotAllowed, "files of the page are only read: use GET or HEAD")
			return
		}
		files.serve(w, r)
	})
}

// pageFiles serves the files of the page. It compresses a file when somebody first asks
// for it.
type pageFiles struct {
	files  fs.FS
	linked map[string][]byte // files that replace those of the page, see Link
	mu     sync.Mutex
	made   map[string]*pageFile
}

type pageFile struct {
	plain, packed []byte
	tag, kind     string
}

// kinds are the media types of the page's files. The operating system's list of types may
// be wrong.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

func (p *pageFiles) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" || name == "." {
		name = "index.html"
	}
	f, err := p.file(name)
	if err != nil {
		turnAway(w, r, http.StatusNotFound, "page not found", nowherePage)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Type", f.kind)
	h.Set("ETag", f.tag)
	content := f.plain
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		h.Set("Vary", "Accept-Encoding")
		content = f.packed
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (p *pageFiles) file(name string) (*pageFile, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.made[name]; f != nil {
		return f, nil
	}
	data, isLinked := p.linked[name]
	if !isLinked {
		var err error
		if data, err = fs.ReadFile(p.files, name); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(data)
	f := &pageFile{plain: data, packed: packed(data, gzip.BestCompression), tag: `"` + hex.EncodeToString(sum[:12]) + `"`, kind: kinds[path.Ext(name)]}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	p.made[name] = f
	return f, nil
}

// acceptsGzip reports whether a request accepts gzip and asks for the whole content.
func acceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && r.Header.Get("Range") == ""
}

// packed compresses data with gzip.
func packed(data []byte, level int) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, level) // the level is valid
	z.Write(data)
	z.Close() // writing to memory cannot fail
	return b.Bytes()
}
