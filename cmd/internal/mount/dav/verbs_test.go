package dav_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pakbox/cmd/internal/mount/dav"
)

// Every WebDAV method has the effect on a tree that it has on a folder, with the status
// that clients expect.
func TestVerbs(t *testing.T) {
	tree := open(t, newZip(t, "a.txt", "d/b.txt", "d/e/c.txt"), true)
	defer tree.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Tree: tree}}))
	defer s.Close()
	for i, test := range []struct {
		method, path, body, to string
		want                   int
		has                    string
	}{
		{"GET", "/a.txt", "", "", 200, "a.txt"},
		{"GET", "/d/e/c.txt", "", "", 200, "d/e/c.txt"},
		{"GET", "/none", "", "", 404, ""},
		{"GET", "/d", "", "", 405, ""},
		{"OPTIONS", "/a.txt", "", "", 200, ""},
		{"MKCOL", "/new", "", "", 201, ""},
		{"MKCOL", "/new", "", "", 405, ""},
		{"MKCOL", "/none/new", "", "", 409, ""},
		{"PUT", "/new/x.txt", "text", "", 201, ""},
		{"GET", "/new/x.txt", "", "", 200, "text"},
		{"PUT", "/new/x.txt", "other", "", 201, ""},
		{"GET", "/new/x.txt", "", "", 200, "other"},
		{"PUT", "/a.txt", "x", "", 201, ""},
		{"GET", "/a.txt", "", "", 200, "x"},
		{"PUT", "/d", "x", "", 404, ""},
		{"PUT", "/none/x", "x", "", 409, ""},
		{"MOVE", "/new", "", "/moved", 201, ""},
		{"GET", "/new/x.txt", "", "", 404, ""},
		{"GET", "/moved/x.txt", "", "", 200, "other"},
		{"COPY", "/moved", "", "/copied", 201, ""},
		{"GET", "/copied/x.txt", "", "", 200, "other"},
		{"GET", "/moved/x.txt", "", "", 200, "other"},
		{"MOVE", "/none", "", "/x", 403, ""},
		{"MOVE", "/a.txt", "", "/none/a.txt", 403, ""},
		{"DELETE", "/d", "", "", 204, ""},
		{"GET", "/d/e/c.txt", "", "", 404, ""},
		{"DELETE", "/d", "", "", 404, ""},
		{"DELETE", "/", "", "", 405, ""},
		{"GET", "/../../etc/passwd", "", "", 404, ""},
	} {
		code, body := ask(t, s, test.method, test.path, test.body, "Destination", s.URL+test.to)
		if code != test.want || test.has != "" && body != test.has {
			t.Errorf("%d: %s %s %s: %d %q, want %d %q", i, test.method, test.path, test.to, code, body, test.want, test.has)
		}
	}
}

// A file that is moved from one archive into another is no longer in the first.
func TestMoveBetweenArchives(t *testing.T) {
	one, two := open(t, newZip(t, "a.txt", "d/b.txt", "d/e/c.txt"), true), open(t, newZip(t, "x.txt"), true)
	defer one.Close()
	defer two.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Name: "one", Tree: one}, {Name: "two", Tree: two}}))
	defer s.Close()
	for i, test := range []struct {
		method, path, to string
		want             int
		has              string
	}{
		{"MOVE", "/one/a.txt", "/two/a.txt", 201, ""},
		{"GET", "/one/a.txt", "", 404, ""},
		{"GET", "/two/a.txt", "", 200, "a.txt"},
		{"MOVE", "/one/d", "/two/moved", 201, ""},
		{"GET", "/one/d/b.txt", "", 404, ""},
		{"GET", "/two/moved/b.txt", "", 200, "d/b.txt"},
		{"GET", "/two/moved/e/c.txt", "", 200, "d/e/c.txt"},
	} {
		code, body := ask(t, s, test.method, test.path, "", "Destination", s.URL+test.to)
		if code != test.want || test.has != "" && body != test.has {
			t.Errorf("%d: %s %s %s: %d %q, want %d %q", i, test.method, test.path, test.to, code, body, test.want, test.has)
		}
	}
}

// Files have sizes and tags, which change with the content. A file is never sent as a page
// for a browser.
func TestProperties(t *testing.T) {
	tree := open(t, newZip(t, "page.html", "d/b.txt"), true)
	defer tree.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Tree: tree}}))
	defer s.Close()
	for _, method := range []string{"GET", "HEAD"} {
		r, err := http.NewRequest(method, s.URL+"/page.html", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Content-Type"); got != "application/octet-stream" || answer.ContentLength != 9 {
			t.Errorf("%s: %s, %d bytes", method, got, answer.ContentLength)
		}
	}
	code, body := ask(t, s, "GET", "/page.html", "", "Range", "bytes=2-5")
	if code != 206 || body != "ge.h" {
		t.Errorf("a part: %d %q", code, body)
	}
	if code, body := ask(t, s, "GET", "/page.html", "", "Range", "bytes=-4"); code != 206 || body != "html" {
		t.Errorf("the end: %d %q", code, body)
	}
	tag := func() string {
		t.Helper()
		code, body := ask(t, s, "PROPFIND", "/", "", "Depth", "1")
		if code != 207 {
			t.Fatalf("code = %d body = %s; want 207", code, body)
		}
		for _, want := range []string{"<D:href>/d/</D:href>", "<D:getcontenttype>application/octet-stream</D:getcontenttype>"} {
			if !strings.Contains(body, want) {
				t.Errorf("no %s in %s", want, body)
			}
		}
		part := body[strings.Index(body, "<D:href>/page.html</D:href>"):]
		length := regexp.MustCompile(`<D:getcontentlength>(\d+)<`).FindStringSubmatch(part)
		tag := regexp.MustCompile(`<D:getetag>(.*?)<`).FindStringSubmatch(part)
		if length == nil || tag == nil {
			t.Fatalf("part = %v; want length other than nil, tag other than nil", part)
		}
		return length[1] + " " + tag[1]
	}
	before := tag()
	if !strings.HasPrefix(before, "9 ") || tag() != before {
		t.Errorf("%s, then %s", before, tag())
	}
	if code, _ := ask(t, s, "PUT", "/page.html", "longer content"); code != 201 {
		t.Errorf("code = %v; want 201", code)
	}
	if after := tag(); !strings.HasPrefix(after, "14 ") || after[3:] == before[2:] {
		t.Errorf("%s became %s", before, after)
	}
}

// The properties of a file move with the file, and are not copied elsewhere.
func TestDeadProperties(t *testing.T) {
	tree := open(t, newZip(t, "a.txt", "d/b.txt"), true)
	defer tree.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Tree: tree}}))
	defer s.Close()
	set := func(path, value string) {
		t.Helper()
		body := fmt.Sprintf(`<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:set><D:prop><x:note>%s</x:note></D:prop></D:set></D:propertyupdate>`, value)
		if code, answer := ask(t, s, "PROPPATCH", path, body); code != 207 || !strings.Contains(answer, "200 OK") {
			t.Errorf(`%s: code = %d answer = %s; want code = 207, answer with "200 OK"`, path, code, answer)
		}
	}
	has := func(path, value string) bool {
		t.Helper()
		body := `<?xml version="1.0"?><D:propfind xmlns:D="DAV:" xmlns:x="urn:x"><D:prop><x:note/></D:prop></D:propfind>`
		_, answer := ask(t, s, "PROPFIND", path, body, "Depth", "0")
		return strings.Contains(answer, ">"+value+"<")
	}
	set("/a.txt", "one")
	set("/d/b.txt", "two")
	set("/d", "three")
	if !has("/a.txt", "one") || !has("/d/b.txt", "two") || !has("/d", "three") || has("/a.txt", "two") {
		t.Error("a stored property is missing")
	}
	if code, _ := ask(t, s, "MOVE", "/d", "", "Destination", s.URL+"/e"); code != 201 {
		t.Errorf("code = %v; want 201", code)
	}
	if !has("/e/b.txt", "two") || !has("/e", "three") || !has("/a.txt", "one") {
		t.Error("the property did not move with its file")
	}
	if code, _ := ask(t, s, "DELETE", "/a.txt", ""); code != 204 {
		t.Errorf("code = %v; want 204", code)
	}
	if code, _ := ask(t, s, "PUT", "/a.txt", "new"); code != 201 || has("/a.txt", "one") {
		t.Error("a new file has the properties of the old one")
	}
	remove := `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x"><D:remove><D:prop><x:note/></D:prop></D:remove></D:propertyupdate>`
	if code, _ := ask(t, s, "PROPPATCH", "/e", remove); code != 207 || has("/e", "three") || !has("/e/b.txt", "two") {
		t.Error("the removed property exists, or another one is missing")
	}
}

// A read-only tree refuses every change with its reason.
func TestReadOnly(t *testing.T) {
	file := newZip(t, "a.txt", "d/b.txt")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tree := open(t, file, false)
	defer tree.Close()
	s := httptest.NewServer(dav.Handler([]dav.Root{{Tree: tree}}))
	defer s.Close()
	for _, test := range [][2]string{{"PUT", "/new"}, {"PUT", "/a.txt"}, {"DELETE", "/a.txt"}, {"MKCOL", "/new"}, {"MOVE", "/a.txt"}, {"COPY", "/a.txt"}} {
		if code, body := ask(t, s, test[0], test[1], "x", "Destination", s.URL+"/b.txt"); code < 400 {
			t.Errorf("test[0] = %s test[1] = %s: code = %d body = %s; want code at least 400", test[0], test[1], code, body)
		}
	}
	if code, body := ask(t, s, "GET", "/a.txt", ""); code != 200 || body != "a.txt" {
		t.Errorf(`code = %d body = %s; want code = 200, body = "a.txt"`, code, body)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the archive changed")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); len(left) > 0 {
		t.Errorf("files left behind: %q", left)
	}
}
