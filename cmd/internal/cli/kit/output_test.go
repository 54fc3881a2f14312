package kit

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
)

// The format of an output follows the extension of its name.
func TestPromises(t *testing.T) {
	a, _, _ := testRun(t)
	png, text, gif := "\x89PNG\r\n\x1a\n\x00", "a text: gr\xc3", "GIF89a\x00"
	for _, c := range []struct{ out, data, want, advice string }{
		{"a.png", png, "", ""}, {"a.PNG", png, "", ""}, {"a.apng", png, "", ""}, {"a", png, "", ""}, {"Map 1.2", png, "", ""}, {"a.longending", png, "", ""}, {"a.{n}", png, "", ""},
		{"a.jpg", png, "a.jpg: cannot be written as JPG", "call it a.png"}, {"d/a.png", gif, "d/a.png: cannot be written as PNG", "call it d/a.gif"},
		{"a.txt", text, "", ""}, {"a.csv", text, "", ""}, {"a.png", text, "a.png: cannot be written as PNG: the content is a text", "call it a.txt"},
		{"a.exe", text, "a.exe: cannot be written as EXE: the content is a text", "call it a.txt"}, {"a.png", "", "a.png: cannot be written as PNG: the content is a text", "call it a.txt"},
		{"a.mp4", "\x00\x00\x00\x1cftypisom", "", ""}, {"a.txt", "\x00", "", ""},
	} {
		err := a.KeepsPromise(c.out, []byte(c.data))
		if (err == nil) != (c.want == "") || err != nil && (err.Error() != c.want || question.Hints(err)[0] != c.advice || !question.IsUsage(err)) {
			t.Errorf("%s of %q: %v, want %q", c.out, c.data, err, c.want)
		}
	}
	if err := Promises("a.gif", ".png", ".jpg"); len(question.Hints(err)) != 2 || question.Hints(err)[1] != "endings that this command writes: .png, .jpg" {
		t.Errorf(`question.Hints(err) = %q; want question.Hints(err) of length 2, question.Hints(err)[1] = "endings that this command writes: .png, .jpg"`, question.Hints(err))
	}
	if err := Promises("a.jpg", ".png", ".jpg"); err != nil {
		t.Error(err)
	}
}

// Several inputs need several outputs.
func TestOutputsOfMany(t *testing.T) {
	a, _, _ := testRun(t)
	two := []Input{{Path: "a/x.Map.Gbx", Number: 1, Many: true}, {Path: "b/x.Map.Gbx", Number: 2, Many: true}}
	for _, c := range []struct {
		o            Output
		want, advice string
	}{
		{Output{}, "there are 2 files to write, and one place", "to write a file for each: -C DIR"},
		{Output{Out: "-", Named: true}, "there are 2 files to write, and one place", "to write a file for each: -C DIR"},
		{Output{Out: "o.png"}, "o.png: cannot be what comes of 2 files", "to write a file for each: -C DIR, or a name such as '{name}.png'"},
		{Output{Named: true}, "a/x.Map.Gbx and b/x.Map.Gbx would both be written to x.png", "{dir} and {n} make the names different: -o '{n} {name}.png'"},
		{Output{Out: "{n} {name}.png"}, "", ""}, {Output{Out: "{dir}.png"}, "", ""}, {Output{Out: "o.png", Dir: "{n}"}, "", ""},
	} {
		err := c.o.Check(a, two, ".png")
		if (err == nil) != (c.want == "") || err != nil && (err.Error() != c.want || question.Hints(err)[0] != c.advice) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
		if err := c.o.Check(a, two[:1], ".png"); err != nil {
			t.Errorf("%+v of one: %v", c.o, err)
		}
	}
	inFolder := []Input{{Path: "d/x.Map.Gbx", Folder: "d", Many: true}, {Path: "d/x.Ghost.Gbx", Folder: "d", Many: true}, {Path: "d/x.map.gbx", Folder: "d", Many: true}}
	o := Output{Dir: "out"}
	if err := o.Check(a, inFolder[:2], ".png"); err != nil {
		t.Error(err)
	}
	if o.Force = true; o.Check(a, inFolder[:2], ".png") == nil {
		t.Error("two files are written to one place by force")
	}
	if o.Force = false; o.Check(a, inFolder, ".png") == nil {
		t.Error("two maps are written to one place")
	}
	facts := []*fact.Fact{{Name: "name", Kind: fact.Text}, {Name: "author", Kind: fact.Text}}
	in := Input{Path: "d/x.Map.Gbx", Number: 7, Facts: fact.Cells(facts, `a/b:c*"?. `, nil)}
	for template, want := range map[string]string{
		"{map_name}": "a_b_c___", "{author}": "", "{n}-{file}": "7-x.Map.Gbx", "{dir}/{name}": "d/x", "{{n}": "{n}", "{none}": "",
	} {
		if got := fillIn(template, in); got != want {
			t.Errorf("%s: %q, want %q", template, got, want)
		}
	}
	for want, c := range map[string]struct {
		dir string
		in  Input
	}{
		"out": {"out", Input{Path: "x.zip"}}, "out/x": {"out", Input{Path: "x.zip", Many: true}}, "out/sub/x": {"out", Input{Path: "d/sub/x.zip", Folder: "d", Many: true}}, "out/3": {"out/{n}", Input{Path: "x.zip", Number: 3, Many: true}},
	} {
		if got := (&Output{Dir: c.dir}).Folder(c.in); filepath.ToSlash(got) != want {
			t.Errorf("the folder is %s, want %s", got, want)
		}
	}
}

// A file is made once, in folders that the command may make; by force it is made again.
func TestMade(t *testing.T) {
	t.Chdir(t.TempDir())
	a, stdout, stderr := testRun(t)
	type countedFields struct {
		Made
		Also int `json:"also" doc:"a number"`
	}
	plain := Report[OnlyMade]{&question.Report{Name: "x"}}
	counted := Report[countedFields]{&question.Report{Name: "x"}}
	in := Input{Path: "x.txt"}
	o := Output{Dir: "out/{name}"}.For(in, ".txt")
	if filepath.ToSlash(o.Out) != "out/x/x.txt" || o.Dir != "" {
		t.Fatalf(`o = %+v; want filepath.ToSlash(o.Out) = "out/x/x.txt", o.Dir = ""`, o)
	}
	if err := WriteMade(a, plain, o, "x.txt", []byte("text"), OnlyMade{}); err != nil || stderr.String() != "pakbox: wrote "+o.Out+", 4 bytes\n" {
		t.Errorf("err = %v, stderr = %s; want no error, stderr.String() = \"pakbox: wrote \" + o.Out + \", 4 bytes\\n\"", err, stderr)
	}
	if err := WriteMade(a, plain, o, "x.txt", []byte("more"), OnlyMade{}); question.ErrorKind(err) != "exists" {
		t.Errorf(`err = %v; want question.ErrorKind(err) = "exists"`, err)
	}
	o.Force, a.JSON = true, true
	if err := WriteMade(a, counted, o, "x.txt", []byte("more!"), countedFields{Also: 1}); err != nil {
		t.Error(err)
	}
	a.Out.Flush()
	if data, _ := os.ReadFile("out/x/x.txt"); string(data) != "more!" || !strings.Contains(stdout.String(), `"output":"out/x/x.txt","size":5,"sha256":"`) || !strings.Contains(stdout.String(), `"also":1`) {
		t.Errorf("data = %s, stdout = %s; want data = \"more!\", stdout.String() with `\"output\":\"out/x/x.txt\",\"size\":5,\"sha256\":\"`, stdout.String() with `\"also\":1`", data, stdout)
	}
	if err := a.WriteContent(nil, true); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
	if err := (Output{Out: "none/x"}).Write(a, nil); question.ErrorKind(err) != "not_found" {
		t.Errorf(`err = %v; want question.ErrorKind(err) = "not_found"`, err)
	}
	// Nothing but text goes to a terminal, unless that was asked for.
	a.JSON, a.Out.Terminal = false, true
	for data, fine := range map[string]bool{"text": true, "": true, "gr\xc3": true, "a\x00": false, "\xff\xfe\xff\xfe\xff": false, strings.Repeat("a", 4<<10) + "\x00": true} {
		if err := a.WriteContent([]byte(data), false); (err == nil) != fine {
			t.Errorf("%.9q: err = %v; want success = %v", data, err, fine)
		}
		if err := errors.Join(a.WriteContent([]byte(data), true), a.CatFile("x", "", io.NopCloser(strings.NewReader("text")))); err != nil {
			t.Errorf("%.9q: %v", data, err)
		}
	}
	if err := a.CatFile("x", "", io.NopCloser(strings.NewReader("a\x00"))); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
	stdout.Reset()
	a.Out.Reset(stdout)
	a.JSON = true
	if err := errors.Join(a.CatFile("x", "zip", io.NopCloser(strings.NewReader("text"))), a.CatFile("x", "zip", io.NopCloser(strings.NewReader("\xff"))), a.Out.Flush()); err != nil {
		t.Error(err)
	}
	if got := stdout.String(); !strings.Contains(got, `"size":4,"text":"text"`) || !strings.Contains(got, `"size":1,"base64":"/w=="`) {
		t.Errorf("got = %v; want got with `\"size\":4,\"text\":\"text\"`, got with `\"size\":1,\"base64\":\"/w==\"`", got)
	}
}

// The messages of files are printed in the order of the files, and hints once.
func TestEachInOrder(t *testing.T) {
	a, stdout, stderr := testRun(t)
	var inputs []Input
	for i, name := range []string{"a", "b", "c", "d"} {
		inputs = append(inputs, Input{Path: name, Number: i + 1, Many: true})
	}
	inputs = append(inputs, Input{Path: "d/e", Folder: "d", Number: 5, Many: true})
	tally := a.EachInput(Many{Jobs: 4}, "x", "reading", inputs, func(run *App, name string) error {
		if name == "a" {
			time.Sleep(20 * time.Millisecond)
		}
		run.Separate()
		run.Out.WriteString(name + "\n")
		run.giveHint("once")
		switch name {
		case "b":
			return ErrFound
		case "c":
			return fault.New(fault.Corrupt, "c is bad")
		case "d/e":
			return fault.New(fault.NotFormat, "of another kind")
		}
		return nil
	})
	a.Out.Flush()
	if tally.Files != 4 || tally.Found != 1 || tally.Failed != 1 || tally.Others != 1 || a.Code != 1 {
		t.Errorf("tally = %+v, a.Code = %d; want tally.Files = 4, tally.Found = 1, tally.Failed = 1, tally.Others = 1, a.Code = 1", tally, a.Code)
	}
	if want := "a\n\nb\n\nc\n\nd\n\nd/e\n"; stdout.String() != want {
		t.Errorf("%q, want %q", stdout, want)
	}
	if want := "pakbox: hint: once\npakbox: c is bad\n"; stderr.String() != want {
		t.Errorf("%q, want %q", stderr, want)
	}
	stderr.Reset()
	a.Summary(tally, "read", "damaged")
	if want := "pakbox: 4 files read, 1 damaged, 1 failed; 1 of other kinds left out\n"; stderr.String() != want {
		t.Errorf("%q, want %q", stderr, want)
	}
}

// The files below a folder are taken, without hidden ones; a folder as such is one input.
func TestInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"d/a", "d/sub/b", "d/.git/c", "d/.d", "e"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	a, _, _ := testRun(t)
	for _, c := range []struct {
		m    Many
		args []string
		want string
	}{
		{Many{Recursive: true}, []string{"d", "e"}, "1 d/a d true, 2 d/sub/b d true, 3 e  true, "}, {Many{Folders: true}, []string{"d/sub"}, "1 d/sub/b d/sub true, "},
		{Many{}, []string{"d"}, "1 d  false, "}, {Many{}, []string{"e", "e"}, "1 e  true, 2 e  true, "},
	} {
		got := ""
		for _, in := range a.Inputs(c.m, "x", c.args) {
			got += strings.Join([]string{string(rune('0' + in.Number)), in.Path, in.Folder, map[bool]string{true: "true", false: "false"}[in.Many]}, " ") + ", "
		}
		if got != c.want {
			t.Errorf("%+v %q: %q, want %q", c.m, c.args, got, c.want)
		}
	}
	if names, err := a.LocalPaths([]string{"e", "d"}); err != nil || strings.Join(names, " ") != "e d" {
		t.Errorf(`names = %q, err = %v; want no error, strings.Join(names, " ") = "e d"`, names, err)
	}
	if _, err := a.LocalPaths([]string{"-"}); !question.IsUsage(err) {
		t.Errorf("err = %v; want question.IsUsage(err) = true", err)
	}
}

// A passphrase is the first line of a file, or a variable; without a prompt its absence is an error.
func TestPassphrases(t *testing.T) {
	t.Chdir(t.TempDir())
	a, _, _ := testRun(t)
	request := source.Request{Path: "a.zip"}
	if _, err := a.findPassphrase(request); !errors.Is(err, fault.PassphraseRequired) {
		t.Errorf("err = %v; want err matching fault.PassphraseRequired", err)
	}
	a.Env.Getenv = func(name string) string {
		return map[string]string{"PAKBOX_PASSPHRASE": "variable", "PAKBOX_KEYS": "none.txt"}[name]
	}
	if p, err := a.findPassphrase(request); p != "variable" || err != nil {
		t.Errorf(`p = %q, err = %v; want p = "variable", no error`, p, err)
	}
	if _, err := a.LoadKeys(); question.ErrorKind(err) != "not_found" || question.Hints(err)[0] != "this is the keys file that PAKBOX_KEYS names" {
		t.Errorf(`err = %v, question.Hints(err) = %q; want question.ErrorKind(err) = "not_found", question.Hints(err)[0] = "this is the keys file that PAKBOX_KEYS names"`, err, question.Hints(err))
	}
	a.KeysFile = "other.txt"
	if _, err := a.LoadKeys(); err == nil || question.Hints(err)[0] != "this is the keys file that --keys names" {
		t.Errorf(`err = %v, question.Hints(err) = %q; want an error, question.Hints(err)[0] = "this is the keys file that --keys names"`, err, question.Hints(err))
	}
	a.PassphraseFile = "p.txt"
	for text, want := range map[string]string{"one\r\ntwo": "one", "\ufeffone\n": "one", " one ": " one ", "\nx": "", "": ""} {
		t.Run(text, func(t *testing.T) {
			if err := os.WriteFile("p.txt", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if p, err := a.findPassphrase(request); p != want || (err == nil) != (want != "") {
				t.Errorf(`%q: p = %q, err = %v; want p = %q, no error exactly if want is not empty`, text, p, err, want)
			}
		})
	}
	a.PassphraseFile, a.Env.Stdin = "-", bytes.NewBufferString("typed\nrest")
	for range 2 { // standard input is read once
		if p, err := a.findPassphrase(request); p != "typed" || err != nil {
			t.Errorf(`p = %q, err = %v; want p = "typed", no error`, p, err)
		}
	}
}
