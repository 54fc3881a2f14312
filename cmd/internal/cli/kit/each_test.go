package kit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"pakbox"
	"pakbox/cmd/internal/answer"
	"pakbox/fault"
)

// The line at the end counts what there is to count, and a check of nothing has failed.
func TestSummary(t *testing.T) {
	for _, c := range []struct {
		t     Tally
		found string
		code  int // before
		want  string
		after int
	}{
		{Tally{Files: 1}, "damaged", 0, "", 0}, {Tally{Files: 1, Found: 1}, "damaged", 1, "", 1},
		{Tally{Files: 2}, "damaged", 0, "pakbox: 2 files read\n", 0}, {Tally{Files: 2, Found: 1}, "damaged", 1, "pakbox: 2 files read, 1 damaged\n", 1},
		{Tally{Files: 3, Failed: 2}, "damaged", 3, "pakbox: 3 files read, 2 failed\n", 3}, {Tally{Files: 1, Others: 2}, "damaged", 0, "pakbox: 1 file read; 2 of other kinds left out\n", 0},
		{Tally{}, "damaged", 0, "pakbox: nothing was read\n", 3}, {Tally{Others: 1}, "damaged", 0, "pakbox: nothing was read: 1 file of other kinds\n", 3},
		{Tally{}, "", 0, "pakbox: nothing was read: no files found\n", 0}, {Tally{Others: 2}, "", 0, "pakbox: 0 files read; 2 of other kinds left out\n", 0},
		{Tally{}, "damaged", 3, "", 3}, {Tally{}, "", 3, "", 3}, // an error was printed already
	} {
		a, _, stderr := testRun(t)
		a.Code = c.code
		a.Summary(c.t, "read", c.found)
		if stderr.String() != c.want || a.Code != c.after {
			t.Errorf("%+v: %q, %d; want %q, %d", c.t, stderr, a.Code, c.want, c.after)
		}
	}
	for _, tally := range []Tally{{}, {Files: 3, Found: 1}} {
		a, _, stderr := testRun(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		a.Ctx = ctx
		if a.Summary(tally, "read", "damaged"); stderr.Len() > 0 || a.Code != 0 {
			t.Errorf("cancelled: %q, %d", stderr, a.Code)
		}
	}
}

// A file in a folder may be of another format than the command needs, unless its extension
// is of that format; a file that the user named must have it.
func TestOtherKind(t *testing.T) {
	a, _, _ := testRun(t)
	a.Formats = pakbox.Formats()
	other := fault.New(fault.NotFormat, "no known format")
	for _, c := range []struct {
		path, folder string
		err          error
		want         bool
	}{
		{"d/a.txt", "d", other, true}, {"a.txt", "", other, false}, {"d/a.txt", "d", fault.New(fault.Corrupt, "x"), false}, {"d/a.txt", "d", nil, false},
		{"d/a.zip", "d", &fault.Error{Kind: fault.NotFormat}, false}, {"d/a.txt", "d", &fault.Error{Kind: fault.NotFormat}, true}, {"d/a.zip", "d", &fault.Error{Kind: fault.NotFormat, Offset: 4}, true},
		{"d/a.zip", "d", &answer.NoValuesError{}, true}, {"a.zip", "", &answer.NoValuesError{}, false},
	} {
		if got := a.OtherKind(Input{Path: c.path, Folder: c.folder}, c.err); got != c.want {
			t.Errorf("%s in %q, %v: %t", c.path, c.folder, c.err, got)
		}
	}
}

// One file keeps what is remembered of it, also what was found without an error; of files
// in folders those that cannot be read are failures.
func TestEachOfOne(t *testing.T) {
	a, _, stderr := testRun(t)
	tally := a.EachInput(Many{}, "x", "reading", []Input{{Path: "a", Number: 1}}, func(run *App, name string) error {
		if run != a || run.Subject.Path != "a" {
			t.Errorf(`run.Subject = %+v; want run = %v, run.Subject.Path = "a"`, run.Subject, a)
		}
		run.CountFound()
		return nil
	})
	if tally.Files != 1 || tally.Found != 1 || tally.Failed != 0 || a.Code != 0 || a.Outcome().Found != 1 {
		t.Errorf("tally = %+v, a.Code = %d; want tally.Files = 1, tally.Found = 1, tally.Failed = 0, a.Code = 0, a.Outcome().Found = 1", tally, a.Code)
	}
	tally = a.EachInput(Many{}, "x", "reading", []Input{{Path: "a", Folder: "d"}}, func(run *App, name string) error {
		if run == a || run.Subject.Folder != "d" {
			t.Errorf(`run.Subject = %+v; want run other than %v, run.Subject.Folder = "d"`, run.Subject, a)
		}
		return fs.ErrPermission
	})
	if tally.Files != 1 || tally.Found != 0 || tally.Failed != 1 || a.Code != 3 {
		t.Errorf("tally = %+v, a.Code = %d; want tally.Files = 1, tally.Found = 0, tally.Failed = 1, a.Code = 3", tally, a.Code)
	}
	stderr.Reset()
	if got := a.Inputs(Many{}, "x", []string{"none*"}); got != nil || a.Code != 3 || !strings.Contains(stderr.String(), "none*") {
		t.Errorf(`got = %v, a.Code = %d, stderr = %s; want got = nil, a.Code = 3, stderr.String() with "none*"`, got, a.Code, stderr)
	}
}

// A run for one of several files has the flags of the whole run.
func TestFork(t *testing.T) {
	a, stdout, stderr := testRun(t)
	a.JSON, a.Quiet, a.KeysFile, a.PassphraseFile, a.colour, a.Out.Terminal = true, true, "k", "p", colourAlways, true
	a.settings = []Setting{{Name: SettingVPKVersion, Value: "1"}}
	a.Rerun = func(_ context.Context, env Env) int { return 6 + len(env.Args) }
	two := []Input{{Path: "a", Number: 1, Many: true}, {Path: "b", Number: 2, Many: true}}
	a.EachInput(Many{Jobs: 2}, "x", "reading", two, func(run *App, name string) error {
		if !run.JSON || !run.Quiet || run.KeysFile != "k" || run.PassphraseFile != "p" || !run.Colours() || !run.Out.Terminal || run.Setting(SettingVPKVersion).Value != "1" || run.Opener == a.Opener || run.Rerun(run.Ctx, Env{Args: []string{name}}) != 7 {
			t.Errorf("run = %+v", run)
		}
		run.Out.WriteString("out " + name + "\n")
		run.Err.Write([]byte("err " + name + "\n"))
		return nil
	})
	if a.Out.Flush(); stdout.String() != "out a\nout b\n" || stderr.String() != "err a\nerr b\n" {
		t.Errorf("stdout = %q, stderr = %q; want stdout.String() = \"out a\\nout b\\n\", stderr.String() = \"err a\\nerr b\\n\"", stdout, stderr)
	}
}

// After a cancellation unfinished files are not reported, and the run
// was interrupted.
func TestCalledOff(t *testing.T) {
	a, stdout, stderr := testRun(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	a.Ctx = ctx
	var inputs []Input
	for i, name := range []string{"a", "b", "c", "d"} {
		inputs = append(inputs, Input{Path: name, Number: i + 1, Many: true})
	}
	begun := 0
	tally := a.EachInput(Many{Jobs: 1}, "x", "reading", inputs, func(run *App, name string) error {
		begun++
		if name == "b" {
			cancel()
			time.Sleep(20 * time.Millisecond) // until lanes know it
		}
		run.Out.WriteString(name + "\n")
		run.Out.Flush()
		return ctx.Err()
	})
	a.Out.Flush()
	if stdout.String() != "a\n" || a.Code != ExitIO || begun > 3 || tally.Files > 2 || strings.Count(stderr.String(), "interrupted") != 1 {
		t.Errorf("%q, %q, %d, %d begun, %+v", stdout, stderr, a.Code, begun, tally)
	}
}

// A lane that waits for its turn keeps what it may, and a little more than that only as
// long as all lanes together keep little.
func TestLaneLimits(t *testing.T) {
	a, stdout, _ := testRun(t)
	lanes := newLanes(a, 3)
	text := func(n int) laneText { return laneText{a.Out, []byte(strings.Repeat("x", n))} }
	second := lanes[1]
	if second.isFull(10 * maxTotal) {
		t.Error("the first text, of any size, has no room")
	}
	second.put(text(maxHeld - 1))
	if second.isFull(1) || second.isFull(maxTotal-maxHeld+1) {
		t.Error("a lane has to wait, though all lanes together hold little")
	}
	if !second.isFull(maxTotal - maxHeld + 2) {
		t.Error("there is room for more than all lanes may hold")
	}
	lanes[2].put(text(maxTotal))
	if second.isFull(1) || !second.isFull(2) {
		t.Error("a lane may hold maxHeld, and no more while others hold much")
	}
	written := make(chan bool)
	go func() {
		second.put(text(2)) // waits for its turn
		written <- true
	}()
	select {
	case <-written:
		t.Fatal("it did not wait")
	case <-time.After(10 * time.Millisecond):
	}
	second.lead()
	<-written
	second.lead()
	if a.Out.Flush(); stdout.Len() != maxHeld+1 || second.size != 0 || second.total.Load() != maxTotal {
		t.Errorf("%d bytes were written, %d and %d are held", stdout.Len(), second.size, second.total.Load())
	}
	lanes[2].callOff()
	lanes[2].lead()
	lanes[2].put(text(5))
	if a.Out.Flush(); stdout.Len() != maxHeld+1 || lanes[2].total.Load() != 0 {
		t.Errorf("the output of cancelled work was written: %d bytes", stdout.Len())
	}
}

// A command repeats its work, and prints that it waits; an error does not end it.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("1"), 0o666); err != nil {
		t.Fatal(err)
	}
	a, stdout, stderr := testRun(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	a.Ctx = ctx
	times := 0
	err := a.Again("x", []string{file, file}, func() error {
		times++
		a.Out.WriteString("done\n")
		if times == 2 {
			cancel()
			return errors.New("not printed")
		}
		if err := os.WriteFile(file, []byte("22"), 0o666); err != nil {
			t.Error(err)
		}
		return fault.New(fault.Corrupt, "half")
	})
	if err != nil && !errors.Is(err, context.Canceled) || times != 2 || a.Code != 1 {
		t.Errorf("%v, %d times, %d", err, times, a.Code)
	}
	if stdout.String() != "done\ndone\n" || stderr.String() != "pakbox: half\npakbox: waiting for changes\n" {
		t.Errorf("stdout = %q, stderr = %q; want stdout.String() = \"done\\ndone\\n\", stderr.String() = \"pakbox: half\\npakbox: waiting for changes\\n\"", stdout, stderr)
	}
}

// The common flags of commands have the effects in their help.
func TestCommonFlags(t *testing.T) {
	var m, folders = Many{}, Many{Folders: true}
	var making, named, one, again = Output{}, Output{Named: true}, Output{}, false
	saving, changing := Output{InPlace: true}, Output{InPlace: true}
	cmds := map[string]*cobra.Command{}
	for name, flags := range map[string]func(*cobra.Command){
		"many": func(c *cobra.Command) { m.Flags(c); AgainFlag(c, &again) }, "folders": func(c *cobra.Command) { c.Flags().BoolP("reverse", "r", false, ""); folders.Flags(c) },
		"making": making.Flags, "named": named.Flags, "one": func(c *cobra.Command) { one.OneFlags(c, AnyFile) }, "saving": saving.Flags, "changing": func(c *cobra.Command) { changing.OneFlags(c, AnotherFile) },
	} {
		cmds[name] = &cobra.Command{Use: name}
		flags(cmds[name])
	}
	if m != (Many{}) || again || folders != (Many{Folders: true}) || making != (Output{}) || named != (Output{Named: true}) || one != (Output{}) || saving != (Output{InPlace: true}) || changing != (Output{InPlace: true}) {
		t.Error("without flags something is set")
	}
	for name, line := range map[string]string{
		"many": "-r -j 3 --watch", "folders": "--recursive --jobs 2", "making": "-o x -C d --force", "named": "--output y --directory e", "one": "-o z --force",
		"saving": "-o x -C d --force --dry-run --backup", "changing": "-o x --force --dry-run --backup",
	} {
		if err := cmds[name].Flags().Parse(strings.Fields(line)); err != nil {
			t.Errorf("%s %s: %v", name, line, err)
		}
	}
	if !m.Recursive || m.Jobs != 3 || !again || !folders.Recursive || folders.Jobs != 2 {
		t.Errorf("m = %+v, folders = %+v, again = %t; want m.Recursive = true, m.Jobs = 3, again = true, folders.Recursive = true, folders.Jobs = 2", m, folders, again)
	}
	if making != (Output{Out: "x", Dir: "d", Force: true}) || named != (Output{Out: "y", Dir: "e", Named: true}) || one != (Output{Out: "z", Force: true}) {
		t.Errorf(`making = %+v, named = %+v, one = %+v; want making = Output{Out: "x", Dir: "d", Force: true}, named = Output{Out: "y", Dir: "e", Named: true}, one = Output{Out: "z", Force: true}`, making, named, one)
	}
	if saving != (Output{Out: "x", Dir: "d", Force: true, DryRun: true, Backup: true, InPlace: true}) || changing != (Output{Out: "x", Force: true, DryRun: true, Backup: true, InPlace: true}) {
		t.Errorf("saving = %+v, changing = %+v", saving, changing)
	}
	for name, want := range map[string]string{"making": "instead of standard output; for", "named": "- for standard output, instead of a file here", "saving": "leave the old one alone"} {
		if got := cmds[name].Flags().Lookup("output").Usage; !strings.Contains(got, want) {
			t.Errorf("%s: got = %q; want got with %q", name, got, want)
		}
	}
	for name, flags := range map[string]string{"many": "take the files in folders, and in folders below those", "folders": "take the files in folders, and in folders below those; this command always does"} {
		if got := cmds[name].Flags().Lookup("recursive").Usage; got != flags {
			t.Errorf("%s: got = %q; want %q", name, got, flags)
		}
	}
}

// The progress line counts the files that are done.
func TestFilesAreCounted(t *testing.T) {
	a, _, _ := testRun(t)
	a.Meter = &meter{out: new(recorder)}
	a.EachInput(Many{Jobs: 1}, "x", "reading", []Input{{Path: "a", Many: true}, {Path: "b", Many: true}}, func(run *App, name string) error {
		if run.Meter != nil {
			t.Error("a run for one of several files draws")
		}
		return nil
	})
	if got := *a.Meter.count.Load(); got != " 2 of 2 files" {
		t.Errorf(`got = %q; want " 2 of 2 files"`, got)
	}
}
