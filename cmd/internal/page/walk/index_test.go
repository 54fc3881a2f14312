package walk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// droppedIndex is the address of the index that is dropped on the site.
const droppedIndex = "#/dropped/walk.pakbox.sqlite"

// siteIndex: an index that is dropped on the site can be asked as on a page that is
// served.
func (w *trip) siteIndex() {
	w.Run("index-dropped", func(t *testing.T) {
		w := w.within(t)
		index := indexed(t, w.dir)
		w.upload("#choose", index)
		w.wait("location.hash === " + quote(droppedIndex))
		w.wait(`document.querySelector(".gallery .tile-link") !== null`)
		w.calm()
	})
	index := filepath.Join(filepath.Dir(w.dir), "walk.pakbox.sqlite")
	w.walk(collectionScreens(index, droppedIndex), (*trip).within, func(*trip, screen) {})
	w.Run("searches", func(t *testing.T) { w.within(t).savedSearches(droppedIndex) })
	w.Run("index-answers", func(t *testing.T) { w.within(t).sameAnswers() })
	w.Run("index-endless", func(t *testing.T) { w.within(t).endless() })
}

// sameAnswers: the site answers questions to an index of the samples as the command
// does with --json.
func (w *trip) sameAnswers() {
	const name = "samples.pakbox.sqlite"
	index := filepath.Join(w.TempDir(), name)
	make := exec.Command(program, "index", "samples", "-o", index, "--quiet")
	make.Dir = filepath.Join("..", "..", "..", "..")
	if out, err := make.CombinedOutput(); err != nil {
		w.Fatalf("%v\n%s", err, out)
	}
	w.upload("#choose", index)
	w.wait("location.hash === " + quote("#/dropped/"+name))
	w.settle()
	for _, asked := range [][]string{
		{"find"}, {"find", "kind=map"}, {"find", "sample"}, {"find", "author=pakbox", "author_time<0:30"}, {"find", "name~ampl"}, {"find", "path=*tram*"},
		{"find", "size>1 KiB", "format=gbx"}, {"find", "env!=Stadium"},
		{"sql", "select * from files order by path"}, {"sql", "select * from maps"}, {"sql", "select path, mtime_ns / 3.5, 'ä', null, x'00ff' from files order by size desc"},
		{"sql", "select pakbox_fold('$f00Ä'), pakbox_year(1500000000000000000), sqlite_version() > '3.40'"}, {"sql", "pragma table_info(files)"},
	} {
		w.Run(strings.Join(asked, " "), func(t *testing.T) { w.within(t).sameAnswer(index, "dropped/"+name, asked[0], asked[1:]) })
	}
}

// sameAnswer compares one answer of the page with the command's.
func (w *trip) sameAnswer(index, onPage, question string, words []string) {
	out, err := exec.Command(program, append([]string{question, index, "--json"}, words...)...).Output()
	if err != nil {
		w.Fatal(err)
	}
	var want []map[string]any
	for line := range bytes.Lines(out) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			w.Fatal(err)
		}
		want = append(want, row)
	}
	asked, _ := json.Marshal(map[string]any{"index": onPage, "q": words})
	got := eval[struct {
		Columns []string `json:"columns"`
		Rows    [][]any  `json:"rows"`
	}](w.tab, fmt.Sprintf(`import(new URL("lib/api.js", location.origin + "/")).then((a) => a.ask(%s, %s))`, quote(question), asked))
	if len(got.Rows) != len(want) {
		w.Fatalf("%d rows, and the command has %d", len(got.Rows), len(want))
	}
	for i, row := range got.Rows {
		for c, column := range got.Columns {
			if !reflect.DeepEqual(row[c], want[i][column]) {
				w.Errorf("row %d: %s = %v, the command prints %v", i, column, row[c], want[i][column])
			}
		}
	}
}

// endless: a question without an end is ended, one that needs too much memory is
// refused, and the next one is answered.
func (w *trip) endless() {
	w.visit(droppedIndex)
	w.unfold()
	for query, answer := range map[string]string{
		"with recursive r(x) as (select 1 union all select x + 1 from r) select count(*) from r":                                                                       "the time limit of 10s",
		"with recursive r(x) as (select randomblob(1000000) union all select randomblob(1000000) from r limit 1000) select count(*) from (select x from r order by x)": "out of memory",
		"pragma cache_size = 1000000": "not allowed",
		"attach 'other' as other":     "too many attached databases",
	} {
		w.enter("textarea", query)
		w.press("main", "Ask")
		w.contains("main .error", answer)
	}
	w.enter("textarea", "select count(*) from maps")
	w.press("main", "Ask")
	w.wait(`document.querySelector("main .error") === null`)
	w.calm()
}
