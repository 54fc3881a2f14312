package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/cli/kit"
)

// The schema of a report has each field of its struct, with a sentence. A field of an
// embedded struct would be lost if the outer struct has a field of the same Go name.
func TestReportsHaveSentences(t *testing.T) {
	if len(kit.Reports) < 50 {
		t.Fatalf("%d reports, want at least 50", len(kit.Reports))
	}
	for _, r := range kit.Reports {
		t.Run(r.Name+" "+r.When, func(t *testing.T) {
			if r.Doc == "" {
				t.Error("no sentence")
			}
			var shown []string
			for _, f := range reflect.VisibleFields(r.Fields) {
				if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
					shown = append(shown, name)
					if f.Tag.Get("doc") == "" && name != "topic" {
						t.Errorf("%s has no sentence", name)
					}
				}
			}
			for _, name := range declaredFields(r.Fields) {
				if !slices.Contains(shown, name) {
					t.Errorf("%s is hidden by a field of the same Go name", name)
				}
			}
			r.Schema() // ends, also for trees
		})
	}
}

// declaredFields lists the JSON names of a struct and of the structs it embeds.
func declaredFields(s reflect.Type) (names []string) {
	for i := range s.NumField() {
		f := s.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			names = append(names, declaredFields(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// Commands print answers and reports, whose fields have types, so that schema and help
// know them. Only rows of an index have columns that no type knows.
func TestCommandsDeclareTheirJSON(t *testing.T) {
	byHand := regexp.MustCompile(`question\.(NewObject\(|Object\b)`)
	err := filepath.WalkDir(".", func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "kit") || filepath.ToSlash(path) == "index/print.go" {
			return err
		}
		data, err := os.ReadFile(path)
		if found := byHand.Find(data); found != nil {
			t.Errorf("%s has %q, want a report", path, found)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
