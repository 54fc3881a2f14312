package dav

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/webdav"

	"pakbox"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/source"
	"pakbox/internal/lib/vfs"
)

// tree opens a zip of files whose content is their name.
func tree(t *testing.T, write bool, names ...string) *mount.Tree {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, name)
	}
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := errors.Join(w.Close(), os.WriteFile(file, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	opened, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: write})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

// newFiles serves trees.
func newFiles(roots ...Root) *files {
	return &files{roots: roots, props: props{of: map[string]map[xml.Name]webdav.Property{}}}
}

// A path has a tree and a path in it. A tree without a name is the complete drive.
func TestFind(t *testing.T) {
	one, two := tree(t, true, "x"), tree(t, false, "y")
	several, alone, named := newFiles(Root{"one", one}, Root{"two", two}), newFiles(Root{"", one}), newFiles(Root{"one", one})
	for _, k := range []struct {
		files  *files
		name   string
		tree   *mount.Tree
		inner  string
		exists bool
	}{
		{several, "", nil, ".", true}, {several, "/", nil, ".", true}, {several, "/one", one, ".", true}, {several, "/one/", one, ".", true}, {several, "/two/a/b/", two, "a/b", true},
		{several, "/three", nil, "", false}, {several, "/on", nil, "", false}, {several, "/../one/../two/y", two, "y", true},
		{alone, "/", one, ".", true}, {alone, "/one/x", one, "one/x", true}, {named, "/", nil, ".", true}, {named, "/one/x", one, "x", true}, {named, "/x", nil, "", false},
	} {
		got, inner, err := k.files.find(k.name)
		if got != k.tree || inner != k.inner || (err == nil) != k.exists || err != nil && err != os.ErrNotExist {
			t.Errorf("%q: got != nil = %v inner = %q, err = %v; want got = %v, inner = %q, success = %v, (no error or err = os.ErrNotExist)", k.name, got != nil, inner, err, k.tree, k.inner, k.exists)
		}
	}
	for name, want := range map[string]error{"/": os.ErrPermission, "/one": os.ErrPermission, "/two": os.ErrPermission, "/two/y": os.ErrPermission, "/none/x": os.ErrNotExist, "/one/x": nil, "/one/new": nil} {
		_, _, err := several.change(name)
		if err != want {
			t.Errorf("to change %s: %v, want %v", name, err, want)
		}
		if want == nil {
			continue
		}
		_, opened := several.OpenFile(t.Context(), name, os.O_CREATE|os.O_WRONLY, 0)
		_, truncated := several.OpenFile(t.Context(), name, os.O_TRUNC, 0)
		for i, err := range []error{several.Mkdir(t.Context(), name, 0), several.RemoveAll(t.Context(), name), several.Rename(t.Context(), name, "/one/z"), several.Rename(t.Context(), "/one/x", name), opened, truncated} {
			if err != want {
				t.Errorf("%s, change %d: %v, want %v", name, i, err, want)
			}
		}
	}
}

// Files and folders are listed with names, sizes and tags; the root folder lists the
// trees in their order, under the names by which they are served.
func TestStatAndList(t *testing.T) {
	f := newFiles(Root{"one", tree(t, false, "d/a.html", "b")}, Root{"two", tree(t, false, "y")})
	for name, want := range map[string]string{"/": "/ true 0", "/one": " true", "/one/d": "d true", "/one/d/a.html": "a.html false 8", "/one/b": "b false 1"} {
		i, err := f.Stat(t.Context(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := fmt.Sprint(i.Name(), " ", i.IsDir(), " ", i.Size())
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		opened, err := f.OpenFile(t.Context(), name, os.O_RDONLY, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, err := opened.Stat(); err != nil || again.IsDir() != i.IsDir() || again.Size() != i.Size() {
			t.Errorf("%s: opened %v, %v", name, again, err)
		}
		if err := opened.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"/none", "/one/none", "/one/b/none"} {
		_, err := f.Stat(t.Context(), name)
		_, opened := f.OpenFile(t.Context(), name, os.O_RDONLY, 0)
		if err == nil || opened == nil || f.etag(name) != "" {
			t.Errorf("opening %s: %v, %v, tag %q", name, err, opened, f.etag(name))
		}
	}
	for folder, want := range map[string][]string{"/": {"one", "two"}, "/one": {"b", "d"}, "/one/d": {"a.html"}} {
		t.Run(folder, func(t *testing.T) {
			opened, err := f.OpenFile(t.Context(), folder, os.O_RDONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			all, err := opened.Readdir(-1)
			var names []string
			for _, i := range all {
				names = append(names, i.Name())
				if i.Size() < 0 {
					t.Errorf("%s has no size", i.Name())
				}
			}
			slices.Sort(names)
			if err != nil || !slices.Equal(names, want) {
				t.Errorf("list of %s = %q, %v", folder, names, err)
			}
		})
	}
	if f.etag("/") != "" || f.etag("/one/b") == "" || f.etag("/one/b") == f.etag("/one/d/a.html") || f.etag("/one/b") != f.etag("one/b/") {
		t.Errorf("tags %q, %q", f.etag("/one/b"), f.etag("/one/d/a.html"))
	}
	i, err := f.Stat(t.Context(), "/one/d/a.html")
	if err != nil {
		t.Fatal(err)
	}
	kind, err := i.(webdav.ContentTyper).ContentType(t.Context())
	tag, err2 := i.(webdav.ETager).ETag(t.Context())
	if kind != "application/octet-stream" || err != nil || err2 != nil || tag != f.etag("/one/d/a.html") || tag[0] != '"' || tag[len(tag)-1] != '"' {
		t.Errorf(`kind = %s tag = %s, err = %v, err2 = %v; want kind = "application/octet-stream", no error, err2 = nil, tag = f.etag("/one/d/a.html"), tag[0] = '"', tag[len(tag)-1] = '"'`, kind, tag, err, err2)
	}
}

// A file can be read from any offset, and is unpacked at the first read. It cannot be
// written or listed.
func TestReading(t *testing.T) {
	f := newFiles(Root{"", tree(t, true, "abcdef")})
	opened, err := f.OpenFile(t.Context(), "/abcdef", os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if opened.(*reading).file != nil {
		t.Error("the file was unpacked before the first read")
	}
	if n, err := opened.Seek(-2, io.SeekEnd); err != nil || n != 4 {
		t.Errorf("n = %d, err = %v; want no error, n = 4", n, err)
	}
	if b, err := io.ReadAll(opened); err != nil || string(b) != "ef" {
		t.Errorf(`b = %q, err = %v; want no error, b = "ef"`, b, err)
	}
	if n, err := opened.Seek(1, io.SeekStart); err != nil || n != 1 {
		t.Errorf("n = %d, err = %v; want no error, n = 1", n, err)
	}
	b := make([]byte, 3)
	if n, err := opened.Read(b); err != nil || string(b[:n]) != "bcd" {
		t.Errorf(`b[:n] = %q, err = %v; want no error, b[:n] = "bcd"`, b[:n], err)
	}
	if _, err := opened.Readdir(0); err != vfs.ErrNotDir {
		t.Errorf("err = %v; want vfs.ErrNotDir", err)
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	// Clients that only set properties open files for reading and writing; the file does not change.
	opened, err = f.OpenFile(t.Context(), "/abcdef", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(opened); err != nil || string(b) != "abcdef" {
		t.Errorf(`b = %q, err = %v; want no error, b = "abcdef"`, b, err)
	}
	opened.Close()
	gone, err := f.OpenFile(t.Context(), "/abcdef", os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	written, err := f.OpenFile(t.Context(), "/new", os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := written.Readdir(0); err != vfs.ErrNotDir {
		t.Errorf("err = %v; want vfs.ErrNotDir", err)
	}
	if err := errors.Join(written.Close(), f.RemoveAll(t.Context(), "/abcdef")); err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Read(b); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading a removed file: %v", err)
	}
	if _, err := gone.Seek(0, io.SeekStart); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("seeking in a removed file: %v", err)
	}
}

// A cancelled operation returns an error. A file that cannot be copied is not moved.
func TestGivenUp(t *testing.T) {
	one, two := tree(t, true, "d/a", "d/b"), tree(t, true, "x")
	f := newFiles(Root{"one", one}, Root{"two", two})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.RemoveAll(ctx, "/one/d"); !errors.Is(err, context.Canceled) {
		t.Errorf("removed: %v", err)
	}
	if err := f.Rename(ctx, "/one/d", "/two/d"); !errors.Is(err, context.Canceled) {
		t.Errorf("moved: %v", err)
	}
	for _, k := range [][2]string{{"/one/none", "/two/none"}, {"/one/d", "/two/none/d"}, {"/one/d/a", "/two/none/a"}, {"/one/none", "/one/other"}, {"/one/d/a", "/two/x/a"}} {
		if err := f.Rename(t.Context(), k[0], k[1]); err == nil {
			t.Errorf("%s became %s", k[0], k[1])
		}
	}
	if err := f.RemoveAll(t.Context(), "/one/none"); err != os.ErrNotExist {
		t.Errorf("removed: %v", err)
	}
	for _, name := range []string{"/one/d/a", "/one/d/b", "/two/x"} {
		if _, err := f.Stat(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.Stat(t.Context(), "/two/d"); err == nil {
		t.Error("/two/d exists")
	}
	if err := f.Mkdir(t.Context(), "/one/d", 0); err != os.ErrExist {
		t.Errorf("made again: %v", err)
	}
}

// A lock that clients share lasts until all of them have released it, or all have timed out.
func TestSharing(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLocks(func(string) string { return "" })
	lock := func(root string, zero bool) string {
		t.Helper()
		token, err := sharing{l}.Create(now, webdav.LockDetails{Root: root, Duration: time.Minute, ZeroDepth: zero})
		if err != nil {
			t.Fatalf("%s: %v", root, err)
		}
		return token
	}
	one, two := lock("/a", true), lock("/a", true)
	other := lock("/b", true)
	if len(l.groups) != 3 || l.groups[one] != l.groups[two] || l.groups[one] == l.groups[other] || l.groups[one].clients != 2 {
		t.Errorf("l.groups = %v; want l.groups of length 3, l.groups[one] = l.groups[two], l.groups[one] other than l.groups[other], l.groups[one].clients = 2", l.groups)
	}
	if _, err := (sharing{l}).Create(now, webdav.LockDetails{Root: "/a", Duration: time.Minute}); !errors.Is(err, webdav.ErrLocked) {
		t.Errorf("a lock of infinite depth shared one of depth 0: %v", err)
	}
	// A refresh by one client keeps the lock for all.
	now = now.Add(50 * time.Second)
	if d, err := l.Refresh(now, one, time.Minute); err != nil || d.Root != "/a" || d.Duration != time.Minute {
		t.Errorf(`d = %+v, err = %v; want no error, d.Root = "/a", d.Duration = time.Minute`, d, err)
	}
	now = now.Add(50 * time.Second)
	if release, err := l.Confirm(now, "/a", "", webdav.Condition{Token: two}); err != nil {
		t.Errorf("after %v: %v", now, err)
	} else {
		release()
	}
	if _, err := l.Confirm(now, "/a", "", webdav.Condition{Token: other}); err == nil {
		t.Error("the lock of another file was accepted")
	}
	for _, token := range []string{one, two} {
		if err := l.Unlock(now, token); err != nil {
			t.Errorf("%s: %v", token, err)
		}
		if err := l.Unlock(now, token); !errors.Is(err, webdav.ErrNoSuchLock) {
			t.Errorf("%s twice: %v", token, err)
		}
	}
	if err := l.Unlock(now, other); err != nil { // an expired lock can still be released
		t.Errorf("%s: %v", other, err)
	}
	if _, err := l.Refresh(now, one, time.Minute); !errors.Is(err, webdav.ErrNoSuchLock) || len(l.groups) != 0 {
		t.Errorf("err = %v, l.groups = %v; want err matching webdav.ErrNoSuchLock, empty l.groups", err, l.groups)
	}
	alone, err := l.Create(now, webdav.LockDetails{Root: "/a", Duration: time.Minute, ZeroDepth: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (sharing{l}).Create(now, webdav.LockDetails{Root: "/a", Duration: time.Minute, ZeroDepth: true}); !errors.Is(err, webdav.ErrLocked) || len(l.groups) != 0 {
		t.Errorf("an exclusive lock was shared: %v", err)
	}
	if err := l.Unlock(now, alone); err != nil {
		t.Error(err)
	}
}

// The XML of a request has a limit, and may ask for a shared lock.
func TestBodies(t *testing.T) {
	for text, want := range map[string]string{
		"<a><shared/></a>": "<a><exclusive/></a>", "<a><D:shared xmlns:D='DAV:'></D:shared>shared</a>": "<a><D:exclusive xmlns:D='DAV:'></D:exclusive>shared</a>",
		"": "", "<a>": "<a>", "no XML": "no XML",
	} {
		if got, shared, err := readBody(strings.NewReader(text)); err != nil || string(got) != want || shared != (want != text) {
			t.Errorf("%q: got = %q, shared = %t, err = %v; want no error, got = %q, shared exactly if the text is stored otherwise", text, got, shared, err, want)
		}
	}
	full := "<a>" + strings.Repeat(" ", maxBody-7) + "</a>"
	if got, _, err := readBody(strings.NewReader(full)); err != nil || len(got) != maxBody {
		t.Errorf("%d bytes: %v", len(got), err)
	}
	broken := errors.New("broken")
	for name, r := range map[string]io.Reader{"one byte more": strings.NewReader(full + " "), "no name of a space": strings.NewReader(`<a xmlns:b=""/>`), "a body that breaks off": io.MultiReader(strings.NewReader("<a>"), failing{broken})} {
		if got, shared, err := readBody(r); err == nil || got != nil || shared {
			t.Errorf("%s: %d bytes", name, len(got))
		} else if strings.Contains(name, "breaks") && !errors.Is(err, broken) {
			t.Errorf(`%s: err = %v; want name without "breaks" or err matching %v`, name, err, broken)
		}
	}
	h := Handler([]Root{{"", tree(t, true, "a")}})
	for method, want := range map[string]int{"PROPFIND": 400, "PROPPATCH": 400, "LOCK": 400, "GET": 200} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest(method, "/a", strings.NewReader(full+" "))); w.Code != want {
			t.Errorf("%s: w.Code = %d; want %d", method, w.Code, want)
		}
	}
	lock := func(scope string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("LOCK", "/a", strings.NewReader(`<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:`+scope+`/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`))
		r.Header.Set("Timeout", "Second-60")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for i, k := range []struct {
		scope string
		want  int
		says  string
	}{{"shared", 200, "<D:lockscope><D:shared/>"}, {"shared", 200, "<D:lockscope><D:shared/>"}, {"exclusive", 423, ""}} {
		if w := lock(k.scope); w.Code != k.want || !strings.Contains(w.Body.String(), k.says) {
			t.Errorf("lock %d: %d %s", i, w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, httptest.NewRequest(http.MethodPut, "/a", strings.NewReader("x"))); w.Code != 423 {
		t.Errorf("PUT to a locked file: status %d", w.Code)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// Stored properties are returned by name, and removed on request.
func TestPatch(t *testing.T) {
	p := &props{of: map[string]map[xml.Name]webdav.Property{}}
	prop := func(name string) webdav.Property {
		return webdav.Property{XMLName: xml.Name{Local: name}, InnerXML: []byte("v")}
	}
	got := p.patch("a", []webdav.Proppatch{{Props: []webdav.Property{prop("x"), prop("y")}}, {Remove: true, Props: []webdav.Property{prop("x")}}, {Props: []webdav.Property{prop("z")}}})
	if len(got) != 1 || got[0].Status != http.StatusOK || len(got[0].Props) != 4 || got[0].Props[0].XMLName.Local != "x" || got[0].Props[0].InnerXML != nil {
		t.Errorf(`got = %+v; want got of length 1, got[0].Status = http.StatusOK, got[0].Props of length 4, got[0].Props[0].XMLName.Local = "x", got[0].Props[0].InnerXML = nil`, got)
	}
	if of := p.get("a"); len(of) != 2 || string(of[xml.Name{Local: "y"}].InnerXML) != "v" || of[xml.Name{Local: "z"}].InnerXML == nil {
		t.Errorf(`of = %v; want of of length 2, of[xml.Name{Local: "y"}].InnerXML = "v", of[xml.Name{Local: "z"}].InnerXML other than nil`, of)
	}
	p.size = maxProps
	got = p.patch("a", []webdav.Proppatch{{Props: []webdav.Property{prop("w")}}, {Remove: true, Props: []webdav.Property{prop("y")}}})
	if got[0].Status != http.StatusInsufficientStorage || len(got[0].Props) != 2 || len(p.get("a")) != 2 {
		t.Errorf(`got = %+v, %v; want got[0].Status = http.StatusInsufficientStorage, got[0].Props of length 2, p.get("a") of length 2`, got, p.get("a"))
	}
}
