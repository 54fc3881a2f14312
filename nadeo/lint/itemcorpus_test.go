package lint_test

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/items"
	"pakbox/nadeo/lint"
)

// Real items are played, so no rule may call one of them an error.
func TestRealItems(t *testing.T) {
	looked := 0
	look := func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		m, err := items.ModelOf(f)
		if err != nil {
			return
		}
		looked++
		for _, f := range lint.Item(m, "") {
			if f.Severity != finding.Note {
				t.Errorf("%s: f.Rule = %s: f.Field = %s: f.Message = %s; want f.Severity = finding.Note", filepath.Base(path), f.Rule, f.Field, f.Message)
			}
		}
	}
	for path, data := range corpus.GBX(t, "2e002000") {
		look(path, data)
	}
	imported := filepath.Join(corpus.Dir(t, "importer"), "NadeoStairs.Item.Gbx")
	data, err := os.ReadFile(imported)
	if err != nil {
		t.Fatal(err)
	}
	look(imported, data)
	if looked < 130 {
		t.Errorf("only %d items", looked)
	}
}
