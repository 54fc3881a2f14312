package answer

import (
	"slices"
	"strings"
	"testing"

	"pakbox/nadeo/lint"
	"pakbox/simutrans/check"
)

// Every rule of every check is in the list, with its command and its
// meaning.
func TestAll(t *testing.T) {
	by := map[string][]string{}
	for _, r := range Rules() {
		by[r.By] = append(by[r.By], r.Name)
		if r.Name == "" || r.Means == "" || !strings.HasSuffix(r.Means, ".") {
			t.Errorf(`r = %+v; want r.Name not empty, r.Means not empty, r.Means ending in "."`, r)
		}
	}
	for _, r := range lint.Rules() {
		of := byLint
		if r.OfItems() {
			of = byItem
		}
		if !slices.Contains(by[of], r.Name) {
			t.Errorf("%s is not among the rules of %s", r.Name, of)
		}
	}
	for _, r := range check.Rules() {
		if !slices.Contains(by[byPakset], r.Name) {
			t.Errorf("%s is not among the rules of %s", r.Name, byPakset)
		}
	}
	if !slices.Contains(by[byVerify], "hash_mismatch") || !slices.Contains(by[byReplay], "jumps") || len(by[byItem]) == 0 || len(by) != 5 {
		t.Errorf(`by = %q; want "hash_mismatch" in by[byVerify], "jumps" in by[byReplay], by[byItem] not empty, by of length 5`, by)
	}
}

// A rule is found however people write it, and by its whole name only.
func TestExplain(t *testing.T) {
	for word, want := range map[string]int{"hash_mismatch": 1, "Hash Mismatch": 1, "HASH-mismatch": 1, "hash": 0, "": 0, "hash_mismatch_": 0} {
		got := Explain(word)
		if len(got) != want || want > 0 && (got[0].Name != "hash_mismatch" || got[0].By != byVerify) {
			t.Errorf(`%q: got = %+v; want got of length %v, (want at most 0 or got[0].Name = "hash_mismatch", got[0].By = %v)`, word, got, want, byVerify)
		}
	}
}
