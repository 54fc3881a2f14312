package kit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pakbox"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
)

// The shell completes the names of fields: the last of several, and descending ones.
func TestFieldsAreCompleted(t *testing.T) {
	var c Columns
	cmd := &cobra.Command{Use: "x", Run: func(*cobra.Command, []string) {}}
	facts := []*fact.Fact{{Name: "size", Doc: "how large", Kind: fact.Count}, {Name: "side", Doc: "which", Kind: fact.Text}, {Name: "side", Doc: "which", Kind: fact.Text}, {Name: "sides", Kind: fact.Group}}
	c.Flags(cmd, facts...)
	for _, flag := range []string{"fields", "where", "sort"} {
		complete, ok := cmd.GetFlagCompletionFunc(flag)
		if !ok {
			t.Fatal("nothing completes --" + flag)
		}
		for typed, want := range map[string]string{
			"": "size\thow large|side\twhich", "siz": "size\thow large", "x,siz": "x,size\thow large", "-s": "-size\thow large|-side\twhich", "a,-siz": "a,-size\thow large", "z": "",
		} {
			names, directive := complete(cmd, nil, typed)
			if got := strings.Join(names, "|"); got != want || directive != cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace {
				t.Errorf("flag = %s typed = %q: got = %q, directive = %d; want got = %q, directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace", flag, typed, got, directive, want)
			}
		}
	}
	if err := cmd.Flags().Parse([]string{"--fields", "size,side", "--where", "size>1,2", "--sort", "-size"}); err != nil {
		t.Fatal(err)
	}
	if strings.Join(c.fields, "|")+strings.Join(c.where, "|")+strings.Join(c.sort, "|") != "size|sidesize>1,2-size" {
		t.Errorf(`c = %+v; want strings.Join(c.fields, "|") + strings.Join(c.where, "|") + strings.Join(c.sort, "|") = "size|sidesize>1,2-size"`, c)
	}
	if err := cmd.Flags().Parse([]string{"--table", "--csv"}); err != nil || cmd.ValidateFlagGroups() == nil {
		t.Error("a table and CSV go together")
	}
	for _, c := range []struct {
		columns Columns
		want    bool
	}{{Columns{csv: true}, true}, {Columns{}, false}, {Columns{csv: true, fields: []string{"a"}}, false}, {Columns{csv: true, sort: []string{"a"}}, false}, {Columns{table: true}, false}} {
		if c.columns.CSV() != c.want {
			t.Errorf("c.columns = %+v; want c.columns.CSV() = %v", c.columns, c.want)
		}
	}
}

// Rows are ordered by the first field in which they differ, and rows that do not differ
// stay in their order. A column is of numbers if all of its cells are.
func TestOrderOfRows(t *testing.T) {
	facts := []*fact.Fact{{Name: "name", Kind: fact.Text}, {Name: "size", Kind: fact.Count}, {Name: "mixed", Kind: fact.Text}}
	for _, c := range []struct{ sort, want string }{
		{"", "NAME   SIZE  MIXED\nb       100  x\na         3  1\nlong1     3  \nlong2     3  22\n"},
		{"size", "NAME   SIZE  MIXED\na         3  1\nlong1     3  \nlong2     3  22\nb       100  x\n"},
		{"size,-name", "NAME   SIZE  MIXED\nlong2     3  22\nlong1     3  \na         3  1\nb       100  x\n"},
		{"-size,name", "NAME   SIZE  MIXED\nb       100  x\na         3  1\nlong1     3  \nlong2     3  22\n"},
	} {
		a, stdout, _ := testRun(t)
		columns := Columns{table: true, facts: listed(facts...), sort: strings.FieldsFunc(c.sort, func(r rune) bool { return r == ',' })}
		for _, row := range [][]any{{"b", 100, "x"}, {"a", 3, "1"}, {"long1", 3, ""}, {"long2", 3, "22"}} {
			if err := a.AddRow(&columns, fact.Cells(facts, row...)); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.PrintRows(&columns, a.Outcome(), "name", "size", "mixed", "schema"); err != nil {
			t.Fatal(err)
		}
		if a.Out.Flush(); stdout.String() != strings.ReplaceAll(c.want, "  \n", "\n") {
			t.Errorf("%s: %q, want %q", c.sort, stdout, c.want)
		}
	}
	// A condition on a field that no row has is a mistake, once there are rows.
	for _, columns := range []Columns{{fields: []string{"nmae"}}, {sort: []string{"-nmae"}}, {where: []string{"nmae=x"}}} {
		a, _, _ := testRun(t)
		if _, err := columns.Wanted(); err != nil {
			t.Fatal(err)
		}
		if err := a.AddRow(&columns, fact.Cells(facts, "a", 1, "x")); err != nil {
			t.Fatal(err)
		}
		if err := a.PrintRows(&columns, a.Outcome(), "name"); !question.IsUsage(err) || question.Hints(err)[0] != "did you mean name?" {
			t.Errorf(`%+v: err = %v; want question.IsUsage(err) = true, question.Hints(err)[0] = "did you mean name?"`, columns, err)
		}
	}
	// After a failure missing rows are not reported.
	a, stdout, stderr := testRun(t)
	a.Code = ExitIO
	for _, columns := range []Columns{{table: true}, {fields: []string{"name"}}} {
		if err := errors.Join(a.PrintRows(&columns, Tally{}, "name"), a.Out.Flush()); err != nil || stderr.Len() > 0 || stdout.Len() > 0 {
			t.Errorf("err = %v, stdout = %q, stderr = %q; want no error, stderr.Len() at most 0, stdout.Len() at most 0", err, stdout, stderr)
		}
	}
	// A condition on an unknown fact is reported at once.
	suits := Columns{facts: listed(append(facts, &fact.Fact{Name: "size", Kind: fact.Text})...), where: []string{"size>x"}}
	if wanted, err := suits.Wanted(); !wanted || err != nil {
		t.Errorf("one of two facts suits: %v", err)
	}
}

// Files of several kinds have different fields: the columns are those of all of them.
func TestFieldsOfManyFiles(t *testing.T) {
	first, second := []*fact.Fact{{Name: "name", Kind: fact.Text}, {Name: "size", Kind: fact.Count}}, []*fact.Fact{{Name: "name", Kind: fact.Text}, {Name: "author", Kind: fact.Text}}
	a, stdout, _ := testRun(t)
	columns := &Columns{csv: true, sort: []string{"name"}}
	tally := a.EachInput(Many{Jobs: 2}, "x", "reading", []Input{{Path: "b", Many: true}, {Path: "a", Many: true}}, func(run *App, name string) error {
		if name == "a" {
			return run.AddRow(columns, fact.Cells(first, name, 5))
		}
		return run.AddRow(columns, fact.Cells(second, name, "me"))
	})
	if err := a.PrintRows(columns, tally); err != nil {
		t.Fatal(err)
	}
	if a.Out.Flush(); stdout.String() != "name,author,size\na,,5\nb,me,\n" {
		t.Errorf("stdout = %q; want stdout.String() = \"name,author,size\\na,,5\\nb,me,\\n\"", stdout)
	}
}

// Names in an archive are completed from what it holds; other names the shell completes.
func TestCompletePath(t *testing.T) {
	a, _, _ := testRun(t)
	a.Formats = pakbox.Formats()
	samples, err := filepath.Abs("../../../../samples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(samples)
	cmd := &cobra.Command{Use: "x"}
	cmd.SetContext(t.Context())
	inside, outside := cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace, cobra.ShellCompDirectiveDefault
	for _, c := range []struct {
		typed, want string
		directive   cobra.ShellCompDirective
	}{
		{"hello.vpk/", "hello.vpk/d:/|hello.vpk/empty.txt|hello.vpk/locale/|hello.vpk/readme.txt", inside}, {"hello.vpk/r", "hello.vpk/readme.txt", inside},
		{"hello.vpk/locale/e", "hello.vpk/locale/en/", inside}, {"hello.vpk/z", "", inside}, {"hello.vpk", "", outside}, {"hel", "", outside}, {"hello/", "", outside}, {"hello/loc", "", outside}, {"none/x", "", outside},
		{"README.md/x", "", cobra.ShellCompDirectiveNoFileComp}, {"hello.vpk/none/x", "", cobra.ShellCompDirectiveNoFileComp},
	} {
		names, directive := a.CompletePath(cmd, nil, c.typed)
		if got := strings.Join(names, "|"); got != c.want || directive != c.directive {
			t.Errorf("%s: %q, %d; want %q, %d", c.typed, got, directive, c.want, c.directive)
		}
	}
}

// A template may contain the facts of a file; an unknown name has a hint at a known one.
func TestFactsInNames(t *testing.T) {
	a, _, _ := testRun(t)
	a.Formats = pakbox.Formats()
	samples, err := filepath.Abs("../../../../samples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(samples)
	pack := Input{Path: "hello.vpk", Number: 1}
	for template, want := range map[string]string{
		"{entries}.out": "", "{name} {n} {file} {dir}": "", "{{x}": "",
		"{entrys}": "hello.vpk: unknown placeholder {entrys}|did you mean {entries}?",
	} {
		err := (&Output{Out: template}).Check(a, []Input{pack}, "")
		got := ""
		if err != nil {
			got = err.Error() + "|" + question.Hints(err)[0]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", template, got, want)
		}
	}
	err = (&Output{Dir: "{zzzzzz}"}).Check(a, []Input{pack}, "")
	if err == nil || !strings.HasPrefix(question.Hints(err)[0], "placeholders are name, map_name, file, dir, n, ") || !strings.HasSuffix(question.Hints(err)[0], "; {{ is a brace") {
		t.Errorf("err = %v, question.Hints(err) = %q", err, question.Hints(err))
	}
	inputs := []Input{pack}
	if err := a.readPlaceholders("{entries}", inputs); err != nil || fillIn("{entries}-{name}", inputs[0]) != "4-hello" {
		t.Errorf("%v, %q", err, fillIn("{entries}-{name}", inputs[0]))
	}
	// A file in a folder that is of no kind has none; one that the user named is a mistake.
	for folder, fine := range map[string]bool{".": true, "": false} {
		if err := a.readPlaceholders("{entries}", []Input{{Path: "README.md", Folder: folder}, {Path: "hello.vpk", Folder: "."}}); (err == nil) != fine {
			t.Errorf("in %q: %v", folder, err)
		}
	}
	if err := a.readPlaceholders("{entries}", []Input{{Path: "none.vpk", Folder: "."}}); question.ErrorKind(err) != "not_found" {
		t.Errorf(`err = %v; want question.ErrorKind(err) = "not_found"`, err)
	}
}

// Patterns stand for files, and for files in archives.
func TestPatterns(t *testing.T) {
	a, _, stderr := testRun(t)
	a.Formats = pakbox.Formats()
	samples, err := filepath.Abs("../../../../samples")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(samples)
	for args, want := range map[string]string{
		"hello.e*": "hello.eix hello.epk", "hello.vpk/*.txt": "hello.vpk/empty.txt hello.vpk/readme.txt", "none": "none",
	} {
		if got := strings.Join(a.Paths(t.Context(), "x", strings.Fields(args)), " "); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if a.Code != 0 || stderr.Len() > 0 {
		t.Errorf("a.Code = %d, stderr = %s; want a.Code = 0, stderr.Len() at most 0", a.Code, stderr)
	}
	if got := a.Paths(t.Context(), "x", []string{"hello.vpk/*.none", "hello.vpk/r*"}); strings.Join(got, " ") != "hello.vpk/readme.txt" || a.Code == 0 || !strings.Contains(stderr.String(), "*.none") {
		t.Errorf(`got = %q, a.Code = %d, stderr = %s; want strings.Join(got, " ") = "hello.vpk/readme.txt", a.Code other than 0, stderr.String() with "*.none"`, got, a.Code, stderr)
	}
	if _, err := a.LocalPaths([]string{"hello.vpk/*.txt"}); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
	if _, err := a.LocalPaths([]string{"*.none"}); err == nil {
		t.Error("a pattern that matches nothing")
	}
}

// Keys are read once; a wrong file is reported by its name.
func TestKeysFile(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, _ := testRun(t)
	if keys, err := a.LoadKeys(); keys != nil || err != nil {
		t.Errorf("keys = %v, err = %v; want keys = nil, no error", keys, err)
	}
	a.KeysFile = "k.txt"
	for _, text := range []string{"one\n", "# mine\nStadium 0123456789ABCDEF0123456789ABCDEF\n", "changed meanwhile"} {
		if err := os.WriteFile("k.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		keys, err := a.LoadKeys()
		if text == "one\n" {
			if err == nil || !strings.HasPrefix(err.Error(), "k.txt: ") {
				t.Errorf(`err = %v; want an error, err beginning with "k.txt: "`, err)
			}
			continue
		}
		if key, ok := keys.Key("stadium"); err != nil || !ok || key != "0123456789ABCDEF0123456789ABCDEF" {
			t.Errorf(`keys = %v, err = %v; want no error, ok = true, key = "0123456789ABCDEF0123456789ABCDEF"`, keys, err)
		}
	}
}

// Failures of an extraction stand in its JSON, the first also as its error.
func TestFailuresInJSON(t *testing.T) {
	a, stdout, _ := testRun(t)
	for _, failures := range [][]error{nil, {fault.New(fault.Corrupt, "one"), fault.New(fault.Limit, "two")}} {
		if err := (Report[FailedEntries]{&question.Report{Name: "x"}}).Print(a, "f", "zip", a.NewFailures(failures)); err != nil {
			t.Fatal(err)
		}
	}
	a.Out.Flush()
	lines := strings.SplitAfter(stdout.String(), "\n")
	if !strings.Contains(lines[0], `"failures":[]`) || strings.Contains(lines[0], `"error"`) {
		t.Errorf("lines[0] = %v; want lines[0] with `\"failures\":[]`, lines[0] without `\"error\"`", lines[0])
	}
	if strings.Count(lines[1], `"kind":"corrupt"`) != 2 || strings.Count(lines[1], `"kind":"limit_exceeded"`) != 1 || strings.Index(lines[1], `"error":{`) < strings.Index(lines[1], "limit_exceeded") {
		t.Errorf("lines[1] = %v", lines[1])
	}
	if got := PrintableLines("a\x1b\nb\t\n"); got != "a\\x1b\nb\\x09\n" {
		t.Errorf("got = %q; want \"a\\\\x1b\\nb\\\\x09\\n\"", got)
	}
}

// The fields of a table are collected only for completion and for conditions: they belong
// to all formats, and most runs of info ask about one file of one format.
func TestLazyFlags(t *testing.T) {
	collected := 0
	var c Columns
	cmd := &cobra.Command{Use: "x"}
	c.LazyFlags(cmd, func() []*fact.Fact { collected++; return []*fact.Fact{{Name: "size", Kind: fact.Count}} })
	for _, test := range []struct {
		flag      string
		collected int
		ok        bool
	}{{"--table", 0, true}, {"--fields=size", 0, true}, {"--where=size>1", 1, true}, {"--where=size>x", 2, false}} {
		c.where = nil
		if err := cmd.ParseFlags([]string{test.flag}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Wanted(); (err == nil) != test.ok || collected != test.collected {
			t.Errorf("%s: Wanted = %v after collecting %d times, want %d", test.flag, err, collected, test.collected)
		}
	}
}

func listed(facts ...*fact.Fact) func() []*fact.Fact { return func() []*fact.Fact { return facts } }
