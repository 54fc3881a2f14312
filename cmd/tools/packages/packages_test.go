package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pakbox/cmd/internal/answer"
)

// The generated files are current, and contain every question.
func TestGenerated(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	for name, want := range generated() {
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not current: cmd/tools/run packages", name)
		}
		if name == "clients/npm/lite.d.ts" { // it has facts, and no questions
			continue
		}
		for _, q := range answer.Questions() {
			whole := regexp.MustCompile(`\b(` + regexp.QuoteMeta(q.Name) + `|` + function(q) + `)\b`)
			if !whole.Match(want) {
				t.Errorf("%s does not have %s", name, q.Name)
			}
		}
	}
}

// Names that a language keeps for itself are changed.
func TestNames(t *testing.T) {
	if identifier("in") != "in_" || identifier("a-b") != "a_b" {
		t.Error(identifier("in"), identifier("a-b"))
	}
	if strings.Contains(quoted(`a"b`), `"`) {
		t.Error("a quote ends a docstring")
	}
}
