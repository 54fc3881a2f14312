package kit

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
)

// savedRun is a run in a new folder with the archive hello.vpk, and the open archive.
func savedRun(t *testing.T) (a *App, s *source.Source, output func() (stdout, stderr string)) {
	t.Helper()
	sample, err := os.ReadFile("../../../../samples/hello.vpk")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("hello.vpk", sample, 0o666); err != nil {
		t.Fatal(err)
	}
	a, stdout, stderr := testRun(t)
	a.Opener.Formats, a.Env.Formats = pakbox.Formats(), pakbox.Formats()
	s, err = a.Open(t.Context(), "hello.vpk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return a, s, func() (string, string) {
		a.Out.Flush()
		out, messages := stdout.String(), stderr.String()
		stdout.Reset()
		stderr.Reset()
		return out, messages
	}
}

func put(name, text string) archive.Edit {
	return archive.Edit{Put: &archive.Item{Name: name, Size: int64(len(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}}
}

// A dry run prints the changes without making them.
func TestDryRun(t *testing.T) {
	a, s, output := savedRun(t)
	before, _ := os.ReadFile("hello.vpk")
	edits := []archive.Edit{put("new.txt", "x"), put("readme.txt", "x"), put("locale", "x"), {Remove: "empty.txt"}, {Rename: &archive.Rename{From: "readme.txt", To: "b\x1b"}}}
	r := &question.Revision{Source: s, Edits: edits}
	at := a.At("hello.vpk")
	if err := a.preview(nil, at, r, nil); err != nil {
		t.Fatal(err)
	}
	want := "added    new.txt\nchanged  readme.txt\nadded    locale\nremoved  empty.txt\nmoved    readme.txt -> b\\x1b\n"
	if got, _ := output(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.JSON = true
	if err := a.preview(&question.Question{Name: "put"}, at, r, nil); err != nil {
		t.Fatal(err)
	}
	if got, messages := output(); messages != "" || !strings.Contains(got, `{"change":"moved","path":"readme.txt","old":null,"new":"b\u001b"}`) {
		t.Errorf("got = %q, messages = %q; want messages = \"\", got with `{\"change\":\"moved\",\"path\":\"readme.txt\",\"old\":null,\"new\":\"b\\u001b\"}`", got, messages)
	}
	if after, _ := os.ReadFile("hello.vpk"); !slices.Equal(before, after) {
		t.Error("a dry run changed the file")
	}
	if names := filesHere(t); names != "hello.vpk" {
		t.Errorf(`names = %v; want "hello.vpk"`, names)
	}
}

func filesHere(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// Changes are saved in place. A read-only file stays as it is, unless by force; a backup
// has the old content.
func TestSaveEdits(t *testing.T) {
	a, s, output := savedRun(t)
	before, _ := os.ReadFile("hello.vpk")
	if err := os.Chmod("hello.vpk", 0o444); err != nil {
		t.Fatal(err)
	}
	edits := []archive.Edit{put("new.txt", "new")}
	for _, save := range []func() error{
		func() error { return a.replace(&question.Revision{Source: s, Edits: edits}, Output{Backup: true}) },
		func() error { return a.replace(&question.Revision{Source: s, Data: before}, Output{Backup: true}) },
	} {
		err := save()
		if err == nil || question.Hints(err)[0] != "--force changes it all the same" || filesHere(t) != "hello.vpk" {
			t.Errorf(`err = %v, filesHere(t) = %s; want an error, question.Hints(err)[0] = "--force changes it all the same", filesHere(t) = "hello.vpk"`, err, filesHere(t))
		}
	}
	if err := a.replace(&question.Revision{Source: s, Edits: edits}, Output{Backup: true, Force: true}); err != nil {
		t.Fatal(err)
	}
	if _, messages := output(); messages != "pakbox: kept the old file as hello.vpk.bak\n" || filesHere(t) != "hello.vpk hello.vpk.bak" {
		t.Errorf("messages = %q, filesHere(t) = %s; want messages = \"pakbox: kept the old file as hello.vpk.bak\\n\", filesHere(t) = \"hello.vpk hello.vpk.bak\"", messages, filesHere(t))
	}
	if kept, _ := os.ReadFile("hello.vpk.bak"); !slices.Equal(kept, before) {
		t.Error("the backup is not the old file")
	}
	again, err := a.Open(t.Context(), "hello.vpk")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if data, err := fs.ReadFile(again.Archive, "new.txt"); err != nil || string(data) != "new" {
		t.Errorf(`data = %q, err = %v; want no error, data = "new"`, data, err)
	}
	// The whole file may be replaced, too; without --backup nothing is kept.
	if err := a.replace(&question.Revision{Source: again, Data: before}, Output{Force: true}); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile("hello.vpk"); !slices.Equal(after, before) || filesHere(t) != "hello.vpk hello.vpk.bak" {
		t.Errorf("%d bytes, %s", len(after), filesHere(t))
	}
}

// Without -o and -C files are saved in place; with them each has a place of its own.
func TestPlacesToSave(t *testing.T) {
	a, _, _ := savedRun(t)
	given, inFolder := Input{Path: "d/x.txt", Number: 1}, Input{Path: "d/sub/x.txt", Folder: "d", Number: 2, Many: true}
	for _, c := range []struct {
		o    Output
		in   Input
		want string
	}{
		{Output{}, given, ""}, {Output{Dir: "out"}, given, "out/x.txt"}, {Output{Dir: "out"}, inFolder, "out/sub/x.txt"}, {Output{Out: "new {file}"}, inFolder, "new x.txt"}, {Output{Out: "-"}, given, "-"},
	} {
		o := c.o
		o.InPlace, o.Backup = true, true
		if got := o.For(c.in, ""); filepath.ToSlash(got.Out) != c.want || got.Dir != "" || !got.Backup {
			t.Errorf("%+v of %s: %+v, want %s", c.o, c.in.Path, got, c.want)
		}
	}
	two := []Input{{Path: "a/x.txt", Many: true}, {Path: "b/x.txt", Many: true}}
	for _, c := range []struct {
		o    Output
		fine bool
	}{{Output{}, true}, {Output{Dir: "out"}, false}, {Output{Out: "y.txt"}, false}, {Output{Out: "{dir} {file}"}, true}, {Output{Dir: "{dir}"}, true}} {
		c.o.InPlace = true
		if err := c.o.Check(a, two, ""); (err == nil) != c.fine {
			t.Errorf("%+v: err = %v; want success = %v", c.o, err, c.fine)
		}
	}
	for _, c := range []struct {
		o    Output
		free bool
	}{
		{Output{Out: "hello.vpk"}, false}, {Output{Out: "hello.vpk", Force: true}, true}, {Output{Out: "hello.vpk", DryRun: true}, true},
		{Output{Out: "other.vpk"}, true}, {Output{Out: "-"}, true}, {Output{}, true},
	} {
		if err := c.o.Free(); (err == nil) != c.free || err != nil && question.ErrorKind(err) != "exists" {
			t.Errorf(`%+v: err = %v; want success = %v, (no error or question.ErrorKind(err) = "exists")`, c.o, err, c.free)
		}
	}
}

// A file that is replaced elsewhere is kept if that was asked for, and only if it is
// replaced.
func TestSaveElsewhere(t *testing.T) {
	ghost, err := os.ReadFile("../../../../samples/trackmania/Sample.Ghost.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := savedRun(t)
	for name, fine := range map[string]bool{"a.Ghost.Gbx": true, "a.Gbx": true, "a.Replay.Gbx": false, "a.Map.Gbx": false, "a.vpk": false, "a": true} {
		if err := a.KeepsPromise(name, ghost); (err == nil) != fine || err != nil && !question.IsUsage(err) {
			t.Errorf("a ghost in %s: %v", name, err)
		}
	}
	for name, fine := range map[string]bool{"a.txt": true, "a.json": true, "a.zip": false, "a.gbx": false, "a.xlsx": false, "a.webm": false} {
		if err := a.KeepsPromise(name, []byte("text")); (err == nil) != fine {
			t.Errorf("a text in %s: %v", name, err)
		}
	}
	o := Output{Out: "t.txt", Backup: true}
	if err := o.Write(a, []byte("one")); err != nil || filesHere(t) != "hello.vpk t.txt" {
		t.Errorf(`err = %v, filesHere(t) = %s; want no error, filesHere(t) = "hello.vpk t.txt"`, err, filesHere(t))
	}
	if err := o.Write(a, []byte("two")); question.ErrorKind(err) != "exists" || filesHere(t) != "hello.vpk t.txt" {
		t.Errorf(`err = %v, filesHere(t) = %s; want question.ErrorKind(err) = "exists", filesHere(t) = "hello.vpk t.txt"`, err, filesHere(t))
	}
	o.Force = true
	if err := o.Write(a, []byte("two")); err != nil || filesHere(t) != "hello.vpk t.txt t.txt.bak" {
		t.Errorf(`err = %v, filesHere(t) = %s; want no error, filesHere(t) = "hello.vpk t.txt t.txt.bak"`, err, filesHere(t))
	}
	kept, _ := os.ReadFile("t.txt.bak")
	now, _ := os.ReadFile("t.txt")
	if string(kept)+string(now) != "onetwo" {
		t.Errorf("kept %q, now %q", kept, now)
	}
	// A folder of the name is not made, and neither is the file.
	if err := (&Output{Out: "none/t.txt"}).Write(a, nil); question.ErrorKind(err) != "not_found" {
		t.Errorf(`err = %v; want question.ErrorKind(err) = "not_found"`, err)
	}
	sub := (Output{Dir: "out", InPlace: true}).For(Input{Path: "x.txt"}, "")
	if err := sub.Write(a, []byte("x")); err != nil {
		t.Error(err)
	}
	// The extension determines the format of a file; the format of an archive comes from its content.
	for name, fine := range map[string]bool{"a.vpk": true, "a.zip": false, "a": true} {
		vpk, _ := os.ReadFile("hello.vpk")
		if err := (Output{Out: name}).Write(a, vpk); (err == nil) != fine {
			t.Errorf("%s: err = %v; want success = %v", name, err, fine)
		}
	}
	if err := a.KeepsPromise("a.vpk", []byte("text")); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
}
