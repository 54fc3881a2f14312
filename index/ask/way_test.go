package ask_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"pakbox/index/ask"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/corpus"
)

// What is found by a list of files is what is found by going through all of
// them: a * in the value, which stands for nothing here, keeps from the list.
func TestWays(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	roots := []string{corpus.Dir(t, "vpk42")}
	for _, class := range []string{"03043000", "03092000", "03093000", "2e002000"} {
		roots = append(roots, corpus.Dir(t, "gbx")+"/"+class)
	}
	roots = append(roots, corpus.Dir(t, "simutrans")+"/pak")
	_, err = scan.Run(ctx, db, roots, scan.Options{})
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	find := func(limit int, words ...string) (list []string) {
		t.Helper()
		a, _, err := x.Find(ctx, ask.Search{Words: words, Limit: limit})
		if err != nil {
			t.Fatal(words, err)
		}
		for row, err := range a.Rows(ctx) {
			if err != nil {
				t.Fatal(words, err)
			}
			list = append(list, fmt.Sprint(row...))
		}
		return list
	}
	for _, c := range []struct {
		word, value string
		some        bool
	}{
		{"kind", "map", true}, {"kind", "Replay", true}, {"kind", "ghost", true}, {"kind", "item", true}, {"kind", "pack", true}, {"kind", "object", true},
		{"kind", "none", false}, {"env", "Stadium", true}, {"env", "stadium", true}, {"env", "Nowhere", false},
	} {
		for _, limit := range []int{0, 3} {
			for _, more := range [][]string{nil, {"size>20KB"}, {"kind=replay", "env=Stadium"}} {
				got := find(limit, append([]string{c.word + "=" + c.value}, more...)...)
				want := find(limit, append([]string{c.word + "=" + c.value[:1] + "*" + c.value[1:]}, more...)...)
				if fmt.Sprint(got) != fmt.Sprint(want) || more == nil && (len(got) > 0) != c.some {
					t.Errorf("%s=%s %q: %d files, and %d by going through all", c.word, c.value, more, len(got), len(want))
				}
			}
		}
	}
}
