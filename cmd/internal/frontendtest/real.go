package frontendtest

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pakbox/cmd/internal/answer"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
)

// ofManiaPlanet is a small map of a game that has macroblocks.
const ofManiaPlanet = "b1220672c437.Map.Gbx"

// RunReal asks every question about real files: one of each class and of each kind of
// Simutrans objects. The long tier takes all, or with PAKBOX_EVERY=10 every tenth.
func RunReal(t *testing.T, f Frontend) {
	files := realFiles(t)
	s := start(t, f)
	for _, from := range files {
		t.Run(filepath.Base(filepath.Dir(from))+"/"+filepath.Base(from), func(t *testing.T) {
			data, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			file := path.Join("real", filepath.Base(from))
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, q := range answer.Questions() {
				if !q.NoFile && !q.Change {
					s.compare(t, q, examples[q.Name], file)
				}
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// realFiles lists files of the corpora by absolute paths.
func realFiles(t *testing.T) (list []string) {
	t.Helper()
	every, err := strconv.Atoi(os.Getenv("PAKBOX_EVERY"))
	if err != nil {
		every = 1
	}
	seen := map[string]int{}
	add := func(file, kind string) {
		abs, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		isChosen := seen[kind] == 0 || filepath.Base(file) == ofManiaPlanet || tier.IsLong() && seen[kind]%max(every, 1) == 0
		if seen[kind]++; isChosen {
			list = append(list, abs)
		}
	}
	for _, file := range corpus.Files(t, corpus.Dir(t, "gbx"), "*", "*.[gG]bx") {
		add(file, filepath.Dir(file))
	}
	for _, file := range corpus.Files(t, corpus.Dir(t, "simutrans/extended/pak"), "*.pak") {
		kind, _, _ := strings.Cut(filepath.Base(file), ".")
		add(file, kind)
	}
	return list
}
