package answer

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/check"
)

// Every rule that a check can name is explained: the words are read from the
// code that reports them.
func TestEveryRuleIsExplained(t *testing.T) {
	named := map[string]string{}
	for _, place := range []struct{ files, pattern string }{
		{"../../../fault/kind.go", `Kind = "([a-z_]+)"`},
		{"../../../nadeo/maps/*.go", `(?:finding\.New|add)\((?:finding\.\w+|severity), "([a-z_]+)"`},
		{"../../../nadeo/runs/check*.go", `answer\("([a-z_]+)", `},
		{"../../../simutrans/check/*.go", `finding\.New\(finding\.\w+, "([a-z_]+)"`},
	} {
		files, err := filepath.Glob(place.files)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: err = %v; want no error, files not empty", place.files, err)
		}
		found := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(place.pattern).FindAllSubmatch(text, -1) {
				named[string(m[1])] = file
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s names no rules: the pattern of this test is out of date", place.files)
		}
	}
	delete(named, string(fault.Usage)) // about requests: no check reports it
	for rule, file := range named {
		if len(Explain(rule)) == 0 {
			t.Errorf("%s, which %s reports, is not explained", rule, file)
		}
	}
	for _, r := range check.Rules() {
		if r.Mend == "" {
			t.Errorf("the advice for %s is missing", r.Name)
		}
	}
}
