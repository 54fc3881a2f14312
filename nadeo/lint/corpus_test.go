package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// eachMap goes through the maps of the corpus, files and inside runs.
func eachMap(t *testing.T, visit func(path string, size int64, m *maps.Map)) {
	t.Helper()
	for _, folder := range []string{"gbx/03043000", "gbx/24003000", "gbx/03093000", "gbx/2403f000", "gbx/2407e000", "gbx-runs", "gbx-hard"} {
		top, below, _ := strings.Cut(folder, "/")
		for _, path := range corpus.Files(t, corpus.Dir(t, top), below, "*.[gG]bx") {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				continue
			}
			if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
				data = r.MapFile()
				if f, err = gbx.Parse(data, engine.Registry()); err != nil {
					continue
				}
			}
			if m, err := maps.Of(f); err == nil {
				visit(path, int64(len(data)), m)
			}
		}
	}
}

// wrong are the files of the corpus that have errors, by the beginning of their
// names: all other maps are played.
var wrong = map[string]string{
	"6ce0bbb91fcd": "uid_mismatch", // a template that a tool made: another UID in the header, no times
}

// No rule calls a played map wrong. Blocks of Trackmania (2020) do not overlap.
func TestPlayedMaps(t *testing.T) {
	n, twice, cells := 0, 0, 0
	fired := map[string]int{}
	eachMap(t, func(path string, size int64, m *maps.Map) {
		n++
		for _, l := range lint.Map(m, size) {
			fired[string(l.Severity)+" "+l.Rule]++
			name := strings.SplitN(filepath.Base(path), ".", 2)[0]
			if l.Severity == finding.Error && !slices.Contains(strings.Fields(wrong[name]), l.Rule) {
				t.Errorf("%s: l.Rule = %s: l.Message = %s; want l.Severity other than finding.Error or l.Rule in strings.Fields(wrong[name])", path, l.Rule, l.Message)
			}
		}
		if m.Generation() == nadeo.Trackmania2020 {
			_, double, all := lint.Overlaps(m)
			twice, cells = twice+double, cells+all
		}
	})
	t.Logf("%d maps, %d of %d cells are taken twice, findings: %v", n, twice, cells, fired)
	if n < 400 || cells < 10000 || twice*10000 > cells {
		t.Errorf("%d maps, %d of %d cells are taken twice", n, twice, cells)
	}
}
