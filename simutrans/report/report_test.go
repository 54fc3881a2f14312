package report

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/check"
	"pakbox/simutrans/node"
)

func objects(t *testing.T) (list []*node.Node) {
	set, err := check.Load(context.Background(), []string{corpus.Pak64(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range set.Objects {
		list = append(list, o.Node)
	}
	return list
}

// Every object of a table is on its page, every link of the site leads somewhere, and
// every picture can be read.
func TestSite(t *testing.T) {
	all, dir := objects(t), t.TempDir()
	if err := Write(t.Context(), dir, &Pakset{Name: "pak & more", Objects: all, Since: "old", Old: all[10:]}); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	if err != nil || len(pages) != 7 {
		t.Fatalf("pages = %v, err = %v; want no error, pages of length 7", pages, err)
	}
	ids := map[string]bool{}
	text := map[string]string{}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text[filepath.Base(page)] = string(data)
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(string(data), -1) {
			ids[filepath.Base(page)+"#"+m[1]] = true
		}
	}
	for page, content := range text {
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(content, -1) {
			file, id, _ := strings.Cut(strings.ReplaceAll(m[1], "%20", " "), "#")
			if file == "" {
				file = page
			}
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil && !strings.Contains(file, "%") {
				t.Errorf(`%s: err = %v; want no error or file with "%%"`, page, err)
			}
			if id != "" && !strings.Contains(id, "%") && !ids[file+"#"+id] {
				t.Errorf("%s: nothing is called %s", page, m[1])
			}
		}
	}
	for page, want := range map[string]int{"vehicles.html": 268, "goods.html": 23, "factories.html": 39, "ways.html": 42} {
		if got := strings.Count(text[page], "<tr id="); got != want {
			t.Errorf("%s has %d rows, want %d", page, got, want)
		}
	}
	for page, want := range map[string]string{
		"index.html": "air, Post: nothing between 1959-05 and 1970-04", "changes.html": "<h2>10 added</h2>", "goods.html": "pak &amp; more: goods",
	} {
		if !strings.Contains(text[page], want) {
			t.Errorf("%s does not say %q", page, want)
		}
	}
	for _, want := range []string{"Kohlegrube → Kohle", "Kohle → Kohlekraftwerk"} {
		if !strings.Contains(text["index.html"], want) {
			t.Errorf("the graph has no line %s", want)
		}
	}
	pictures, _ := filepath.Glob(filepath.Join(dir, "*", "*.png"))
	if len(pictures) < 500 {
		t.Errorf("%d pictures", len(pictures))
	}
	for _, name := range pictures {
		f, err := os.Open(name)
		if err == nil {
			_, err = png.Decode(f)
			f.Close()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A factory that needs what it makes does not send the graph to infinity.
func TestCircle(t *testing.T) {
	a, b := &place{name: "a"}, &place{name: "b", good: true}
	a.to, b.from, b.to, a.from = []*place{b}, []*place{a}, []*place{a}, []*place{b}
	if columns := arrange([]*place{a, b}); len(columns) > 16 {
		t.Errorf("%d columns", len(columns))
	}
}
