package kit

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
)

// testRun is a run without a terminal, and what it writes.
func testRun(t *testing.T) (a *App, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	a = New(t.Context(), Env{Stdout: stdout, Stderr: stderr, Getenv: func(string) string { return "" }})
	return a, stdout, stderr
}

// ready is an entry for a command that was made before.
func ready(name string, c *cobra.Command) Command {
	return Command{name, func(*App) *cobra.Command { return c }}
}

// family is pakbox with a command and a family of two.
func family(a *App) (root, keys *cobra.Command) {
	root = &cobra.Command{Use: "pakbox"}
	nothing := func(*cobra.Command, []string) error { return nil }
	ls := &cobra.Command{Use: "ls [KEYS...]", RunE: nothing, SuggestFor: []string{"list"}}
	rm := &cobra.Command{Use: "remove KEY OUT [--all]", RunE: nothing}
	keys = a.Family(&cobra.Command{Use: "keys"}, ready("ls", ls), ready("remove", rm))
	info := &cobra.Command{Use: "info FILE...", RunE: nothing}
	root.AddCommand(keys)
	a.Join(root, info)
	a.TopLevel = func() []*cobra.Command { return root.Commands() }
	return root, keys
}

// A usage line has the number of arguments of a command.
func TestArguments(t *testing.T) {
	for use, counts := range map[string]string{
		"x": "0", "x FILE": "1", "x [FILE]": "01", "x A [B]": "12", "x FILE...": "1234", "x [FILE...]": "01234", "x A B...": "234", "x A -o OUT": "1", "x A... [B]": "1234",
	} {
		cmd := &cobra.Command{Use: use}
		(&cobra.Command{Use: "pakbox"}).AddCommand(cmd)
		got := ""
		for n := range 5 {
			err := argsOf(use)(cmd, make([]string, n))
			if err == nil {
				got += string(rune('0' + n))
				continue
			}
			want := "too many arguments"
			if n < strings.IndexAny("01234", counts[:1]) {
				want = "too few arguments"
			}
			if err.Error() != "x: "+want || !question.IsUsage(err) || question.Hints(err)[0] != "usage: pakbox "+use {
				t.Errorf("%s with %d: %v %q", use, n, err, question.Hints(err))
			}
		}
		if got != counts {
			t.Errorf("%s takes %s arguments, want %s", use, got, counts)
		}
	}
	if got := UnmarkPaths(MarkPaths([]string{"-/a", "-x", "-", "a"})); !slices.Equal(got, []string{"-/a", "-x", "-", "a"}) || MarkPaths([]string{"-/a"})[0] == "-/a" {
		t.Errorf(`got = %q; want got equal to []string{"-/a", "-x", "-", "a"}, MarkPaths([]string{"-/a"})[0] other than "-/a"`, got)
	}
	isFile := func(arg string) bool { return strings.HasPrefix(arg, "f") }
	for args, want := range map[string]string{"f1 f2 x f3": "f1 f2|x f3", "x y": "x|y", "x": "x|", "f1 f2": "f1 f2|"} {
		files, rest := SplitFiles(strings.Fields(args), isFile)
		if got := strings.Join(files, " ") + "|" + strings.Join(rest, " "); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// Commands are found by their words; a wrong word leads to the right command.
func TestFamily(t *testing.T) {
	a, _, stderr := testRun(t)
	root, keys := family(a)
	ls := FindCommand(root, []string{"keys", "ls"})
	if ls == nil || FullName(ls) != "keys ls" || SchemaName(ls) != "keys.ls" || UsageLine(ls) != "pakbox keys ls [KEYS...]" || keys.Use != "keys ls|remove" {
		t.Fatalf(`ls = %v, keys.Use = %s; want ls other than nil, FullName(ls) = "keys ls", SchemaName(ls) = "keys.ls", UsageLine(ls) = "pakbox keys ls [KEYS...]", keys.Use = "keys ls|remove"`, ls, keys.Use)
	}
	if FindCommand(root, []string{"keys", "none"}) != nil || FindCommand(root, []string{"none"}) != nil || FindCommand(root, nil) != root {
		t.Error("FindCommand found an unknown command, or did not return the root for no words")
	}
	var all []string
	for _, c := range AllCommands(root) {
		all = append(all, FullName(c))
	}
	if got := strings.Join(all, ", "); got != "info, keys, keys ls, keys remove" {
		t.Errorf(`got = %v; want "info, keys, keys ls, keys remove"`, got)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("here.txt", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"list": "did you mean 'pakbox keys ls'?", "remov": "did you mean 'pakbox keys remove'?", "rmeove": "did you mean 'pakbox keys remove'?", "rmevoe": "'pakbox help keys' lists its commands: ls, remove", "info": "did you mean 'pakbox info'?",
		"here.txt": "to see what here.txt is: pakbox info here.txt", "nothing": "'pakbox help keys' lists its commands: ls, remove",
	} {
		err := keys.RunE(keys, []string{word})
		if err == nil || err.Error() != `unknown command "keys `+word+`"` || question.Hints(err)[0] != want {
			t.Errorf("%s: err = %v, question.Hints(err) = %q; want an error, err = `unknown command \"keys ` + word + `\"`, question.Hints(err)[0] = %v", word, err, question.Hints(err), want)
		}
	}
	if err := keys.RunE(keys, nil); !errors.Is(err, ErrUsageShown) || !strings.Contains(stderr.String(), "remove") {
		t.Errorf(`err = %v, stderr = %s; want err matching %v, stderr.String() with "remove"`, err, stderr, ErrUsageShown)
	}
	many := a.Family(&cobra.Command{Use: "many"}, ready(strings.Repeat("a", 50), &cobra.Command{Use: strings.Repeat("a", 50)}))
	if many.Use != "many COMMAND" {
		t.Errorf(`many.Use = %v; want "many COMMAND"`, many.Use)
	}
}

// A command completes paths, unless it completes something else; it takes what its usage
// line or its own check allows, without marks.
func TestJoin(t *testing.T) {
	a, _, _ := testRun(t)
	parent, got := &cobra.Command{Use: "pakbox"}, ""
	run := func(_ *cobra.Command, args []string) error { got = strings.Join(args, " "); return nil }
	own := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return []string{"own"}, 0 }
	plain, words, function := &cobra.Command{Use: "a FILE", RunE: run}, &cobra.Command{Use: "b", RunE: run, ValidArgs: []string{"w"}, Args: cobra.ArbitraryArgs}, &cobra.Command{Use: "c", RunE: run, ValidArgsFunction: own}
	for _, c := range []*cobra.Command{plain, words, function} {
		a.Join(parent, c)
	}
	if plain.ValidArgsFunction == nil || words.ValidArgsFunction != nil {
		t.Error("paths are completed where words are, or not at all")
	}
	if names, _ := function.ValidArgsFunction(function, nil, ""); len(names) != 1 || names[0] != "own" {
		t.Errorf(`names = %q; want names of length 1, names[0] = "own"`, names)
	}
	if plain.Args(plain, nil) == nil || words.Args(words, []string{"1", "2"}) != nil || function.Args(function, []string{"1"}) == nil {
		t.Error("the number of arguments")
	}
	if err := plain.RunE(plain, MarkPaths([]string{"-/a", "b"})); err != nil || got != "-/a b" || len(parent.Commands()) != 3 {
		t.Errorf(`err = %v, got = %q; want no error, got = "-/a b", parent.Commands() of length 3`, err, got)
	}
}

// An error of a flag has a hint.
func TestFlagErrors(t *testing.T) {
	a, _, _ := testRun(t)
	root, _ := family(a)
	info, rm := FindCommand(root, []string{"info"}), FindCommand(root, []string{"keys", "remove"})
	info.Flags().Bool("recursive", false, "")
	for _, c := range []struct {
		cmd       *cobra.Command
		err, want string
	}{
		{info, "unknown flag: --password", "a passphrase is never given on the command line: use --passphrase-file FILE, PAKBOX_PASSPHRASE, or the prompt"},
		{info, "unknown flag: --recursiv", "did you mean --recursive?"}, {info, "unknown flag: --zzz", "'pakbox info --help' lists the flags"},
		{info, "unknown shorthand flag: 'v' in -v", "to see the version: pakbox --version"}, {info, "unknown shorthand flag: 'V' in -V", "to see the version: pakbox --version"},
		{info, "unknown shorthand flag: 'C' in -C", "'pakbox info --help' lists the flags"},
		{rm, "unknown shorthand flag: 'C' in -C", "the place to write to is the argument OUT: pakbox keys remove KEY OUT [--all]"},
	} {
		err := FlagError(c.cmd, errors.New(c.err))
		if err.Error() != c.err || ExitCode(err) != 2 || question.Hints(err)[0] != c.want {
			t.Errorf("%s: err = %v, question.Hints(err) = %q; want err = %v, ExitCode(err) = 2, question.Hints(err)[0] = %v", c.err, err, question.Hints(err), c.err, c.want)
		}
	}
	for _, name := range []string{"one", "two"} {
		info.Flags().Bool(name, false, "")
	}
	info.MarkFlagsMutuallyExclusive("one", "two")
	if err := errors.Join(info.Flags().Set("one", "true"), FlagsTogether(info)); err != nil {
		t.Error(err)
	}
	if err := info.Flags().Set("two", "true"); err != nil {
		t.Fatal(err)
	}
	if err := FlagsTogether(info); err == nil || err.Error() != "info: --one and --two do not go together" {
		t.Errorf(`err = %v; want an error, err = "info: --one and --two do not go together"`, err)
	}
}

// Colours are for people who want them.
func TestColours(t *testing.T) {
	a, stdout, _ := testRun(t)
	for _, c := range []struct {
		when, variable string
		terminal, want bool
	}{
		{"auto", "", true, true}, {"auto", "", false, false}, {"auto", "NO_COLOR=1", true, false}, {"auto", "TERM=dumb", true, false}, {"auto", "TERM=xterm", true, true},
		{"always", "NO_COLOR=1", false, true}, {"never", "", true, false},
	} {
		if err := a.colour.Set(c.when); err != nil || a.colour.String() != c.when {
			t.Errorf("err = %v; want no error, a.colour.String() = %v", err, c.when)
		}
		a.Out.Terminal = c.terminal
		a.Env.Getenv = func(name string) string {
			v, _ := strings.CutPrefix(c.variable, name+"=")
			return strings.TrimSuffix(v, c.variable)
		}
		if a.Colours() != c.want || (a.Paint(Good, "x") == "\x1b[32mx\x1b[0m") != c.want || a.Paint(Good, "") != "" {
			t.Errorf("%+v: a.Colours() = %t, %q; want a.Colours() = %t, a.Paint(Good, \"x\") is green exactly if c.want, a.Paint(Good, \"\") = \"\"", c, a.Colours(), a.Paint(Good, "x"), c.want)
		}
	}
	if err := a.colour.Set("sometimes"); err == nil || a.colour != colourNever {
		t.Errorf("err = %v, a.colour = %s; want an error, a.colour = %s", err, a.colour, colourNever)
	}
	a.Verdict("a\x1b", Good, "sound")
	a.Findings([]finding.Finding{{Severity: finding.Error, Position: finding.Position{Entry: "e"}, Message: "bad", Rule: "r"}, {Severity: finding.Warning, Message: "odd", Rule: "s"}})
	a.PrintValueChanges("  ", []archive.ValueChange{{Kind: archive.Added, Path: "p", New: "1"}, {Kind: "changed", Path: "q", Old: "1", New: "2"}})
	a.Out.Flush()
	if want := "a\\x1b: sound\n  e: error: bad (r)\n  warning: odd (s)\n  added    p: 1\n  changed  q: 1 -> 2\n"; stdout.String() != want {
		t.Errorf("%q, want %q", stdout, want)
	}
	if got := PrintableStyled("\x1b[31mr\x07\x1b[0m", true) + PrintableStyled("\x1b[31m", false); got != "\x1b[31mr\\x07\x1b[0m\\x1b[31m" {
		t.Errorf("got = %q; want \"\\x1b[31mr\\\\x07\\x1b[0m\\\\x1b[31m\"", got)
	}
}

// Of two long texts only the place where they differ is shown.
func TestDiffering(t *testing.T) {
	a, b := strings.Repeat("a", 80), strings.Repeat("b", 80)
	for _, c := range []struct{ old, new, wantOld, wantNew string }{
		{a, b, a, b}, {a + "x" + b, a + "yy" + b, "…" + a[:16] + "x" + b[:16] + "…", "…" + a[:16] + "yy" + b[:16] + "…"},
		{"x" + b, "y" + b, "x" + b[:16] + "…", "y" + b[:16] + "…"}, {a + "x", a + "y", "…" + a[:16] + "x", "…" + a[:16] + "y"}, {a, a + "a", "…" + a[:16], "…" + a[:16] + "a"},
		{a + a[:30], a, "…" + a[:46], "…" + a[:16]}, {a, a + a[:30], "…" + a[:16], "…" + a[:46]}, {a[:79] + "x" + a, a[:79] + a, "…" + a[:16] + "x" + a[:16] + "…", "…" + a[:32] + "…"},
		{a[:16] + "x" + a[:63], a[:16] + "y" + a[:63], a[:16] + "x" + a[:63], a[:16] + "y" + a[:63]}, {a[:79] + "x", a[:79] + "xy", "…" + a[:15] + "x", "…" + a[:15] + "xy"},
		{a[:30] + "k" + b, a[:30] + "kZZk" + b, "…" + a[:15] + "k" + b[:16] + "…", "…" + a[:15] + "kZZk" + b[:16] + "…"}, {a[:30] + "kZZk" + b, a[:30] + "k" + b, "…" + a[:15] + "kZZk" + b[:16] + "…", "…" + a[:15] + "k" + b[:16] + "…"},
		{a, a[:40], a, a[:40]}, {"ä" + a, "ö" + a, "ä" + a[:16] + "…", "ö" + a[:16] + "…"}, {a[:16] + "x" + b, a[:16] + "y" + b, a[:16] + "x" + b[:16] + "…", a[:16] + "y" + b[:16] + "…"},
	} {
		if old, new := differing(c.old, c.new); old != c.wantOld || new != c.wantNew {
			t.Errorf("%q and %q, want %q and %q", old, new, c.wantOld, c.wantNew)
		}
	}
}

// Messages go to standard error and data to standard output; each is printed once.
func TestMessages(t *testing.T) {
	a, stdout, stderr := testRun(t)
	a.Out.WriteString("data\n")
	a.Note("done %d", 1)
	if stdout.String() != "data\n" || stderr.String() != "pakbox: done 1\n" {
		t.Errorf("stdout = %q, stderr = %q; want stdout.String() = \"data\\n\", stderr.String() = \"pakbox: done 1\\n\"", stdout, stderr)
	}
	for _, quiet := range []*bool{&a.Quiet, &a.JSON} {
		*quiet = true
		a.Note("nothing")
		*quiet = false
	}
	stderr.Reset()
	a.Fail("x", "f", ErrFound)
	if stderr.Len() != 0 || a.Code != 1 {
		t.Errorf("stderr = %q, a.Code = %d; want stderr.Len() = 0, a.Code = 1", stderr, a.Code)
	}
	a.JSON = true
	a.Fail("x", "f", fault.Usagef("wrong").Hint("right"))
	a.Fail("x", "f", Reported(fault.Usagef("wrong").Hint("right")))
	a.Remember(nil)
	a.Out.Flush()
	if got, want := stderr.String(), "pakbox: wrong\npakbox: hint: right\npakbox: wrong\n"; got != want || a.Code != 2 {
		t.Errorf("%q, want %q; %d", got, want, a.Code)
	}
	if got := strings.Count(stdout.String(), `"kind":"usage"`); got != 1 || !strings.Contains(stdout.String(), `"path":"f"`) {
		t.Errorf("%d objects: %s", got, stdout)
	}
	if !wantsJSON([]string{"a", "--json"}) || wantsJSON([]string{"--jso", "json"}) {
		t.Error("whether JSON is wanted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Ctx = ctx
	stderr.Reset()
	a.Fail("x", "f", fault.New(fault.Corrupt, "half"))
	if a.Code != 3 || strings.Contains(stderr.String(), "half") {
		t.Errorf("cancelled: %d, %s", a.Code, stderr)
	}
}

// A file that is not there may be one whose name is nearly the same.
func TestNearFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"Sunset.Map.Gbx", "a.zip", ".hidden.txt"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"Sunsett.Map.Gbx": "did you mean Sunset.Map.Gbx?", "b.zip": "", "A.ZIP": "did you mean a.zip?", "hidden.txt": "", "none/Sunset.Map.Gbx": "",
		"s3:/b/x": "did you mean s3://b/x?", "s3://b/x": "only 'pakbox index' reads objects of a store; other commands take files on this computer",
	} {
		err := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		if got := strings.Join(nearFile(err), ""); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := nearFile(&fs.PathError{Op: "open", Path: "Sunsett.Map.Gbx", Err: fs.ErrPermission}); got != nil {
		t.Errorf("a file that may not be read: %q", got)
	}
}

// Failures of an extraction name the archive, or the file in the folder.
func TestInFolder(t *testing.T) {
	at := &fs.PathError{Op: "openat", Path: "sub/f", Err: fs.ErrExist}
	whole := &fs.PathError{Op: "write", Path: "out/sub/f", Err: fs.ErrExist}
	got := InFolder("a.zip", "out", errors.Join(at, whole, fault.New(fault.Corrupt, "bad")))
	if len(got) != 3 || got[0].Error() != "openat "+filepath.Join("out", "sub/f")+": file already exists" || got[1].Error() != whole.Error() || got[2].Error() != "a.zip: bad" {
		t.Errorf("got = %q", got)
	}
	if got := InFolder("a.zip", "out", at); len(got) != 1 || got[0] != error(at) || InFolder("a.zip", "out", nil) != nil {
		t.Errorf(`got = %q; want got of length 1, got[0] = error(at), InFolder("a.zip", "out", nil) = nil`, got)
	}
}

// Rows are chosen, ordered and printed with the fields that were asked for.
func TestRows(t *testing.T) {
	facts := []*fact.Fact{{Name: "file", Kind: fact.Text}, {Name: "size", Kind: fact.Count}, {Name: "note", Kind: fact.Text}}
	for _, c := range []struct {
		columns Columns
		json    bool
		want    string
	}{
		{Columns{table: true}, false, "FILE  SIZE\na        3\nb,c     20\nd        1\n"},
		{Columns{csv: true}, false, "file,size\na,3\n\"b,c\",20\nd,1\n"},
		{Columns{csv: true, fields: []string{"note", "size"}}, false, "note,size\n,3\n,20\n,1\n"},
		{Columns{table: true, sort: []string{"-size"}}, false, "FILE  SIZE\nb,c     20\na        3\nd        1\n"},
		{Columns{fields: []string{"file"}, where: []string{"size>1"}, sort: []string{"size"}}, false, "FILE\na\nb,c\n"},
		{Columns{fields: []string{"size"}, sort: []string{"file"}}, true, "{\"size\":3}\n{\"size\":20}\n{\"size\":1}\n"},
	} {
		a, stdout, _ := testRun(t)
		a.JSON = c.json
		c.columns.facts = listed(facts...)
		if wanted, err := c.columns.Wanted(); !wanted || err != nil {
			t.Fatalf("wanted = %v, err = %v; want wanted = true, no error", wanted, err)
		}
		for _, row := range [][]any{{"a", 3, nil}, {"b,c", 20, nil}, {"d", 1, ""}} {
			if err := a.AddRow(&c.columns, fact.Cells(facts, row...)); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.PrintRows(&c.columns, a.Outcome(), "file", "size", "note"); err != nil {
			t.Fatal(err)
		}
		a.Out.Flush()
		if stdout.String() != c.want {
			t.Errorf("%+v: %q, want %q", c.columns, stdout, c.want)
		}
	}
	if wanted, err := (&Columns{}).Wanted(); wanted || err != nil {
		t.Errorf("wanted = %t, err = %v; want wanted = false, no error", wanted, err)
	}
	for _, c := range []Columns{{where: []string{"size>x"}, facts: listed(facts...)}, {where: []string{"=x"}}} {
		if _, err := c.Wanted(); !question.IsUsage(err) {
			t.Errorf("%q: err = %v; want question.IsUsage(err) = true", c.where, err)
		}
	}
	a, _, _ := testRun(t)
	for field, want := range map[string]string{"sise": "did you mean size?", "zzzz": "fields are file, size"} {
		if err := a.Stream(&Columns{csv: true, fields: []string{field}}, []string{"file", "size"}); err == nil || question.Hints(err)[0] != want {
			t.Errorf("%s: err = %v, question.Hints(err) = %q; want an error, question.Hints(err)[0] = %v", field, err, question.Hints(err), want)
		}
	}
}
