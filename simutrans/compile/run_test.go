package compile_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/finding"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/lint"
)

// project is a folder with sources and a sheet.
func project(t testing.TB, sources map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func symbol(name string) string { return "obj=menu\nname=" + name + "\nimage[0]=sheet.0.0\n" }

func run(t *testing.T, opts compile.Options) *compile.Result {
	t.Helper()
	result, err := compile.Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// compiled counts the outputs that were made anew.
func compiled(r *compile.Result) (n int) {
	for _, o := range r.Outputs {
		if !o.Unchanged {
			n++
		}
	}
	return n
}

func TestOnlyWhatHasChangedIsCompiled(t *testing.T) {
	for _, library := range []bool{false, true} {
		dir := project(t, map[string]string{"a.dat": symbol("a") + "topspeed=3\n", "b.dat": symbol("b")})
		writePNG(t, filepath.Join(dir, "sheet.png"), image.NewNRGBA(image.Rect(0, 0, 64, 64)))
		opts := compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/", Notes: t.TempDir()}
		all := 1
		if library {
			opts.Out, all = filepath.Join(dir, "lib.pak"), 2
		}
		steps := []struct {
			what string
			do   func()
			want int
		}{
			{"the first time", func() {}, 2},
			{"again", func() {}, 0},
			{"with another source", func() { touch(t, filepath.Join(dir, "b.dat"), symbol("b")+"copyright=me\n") }, all},
			{"with an output gone", func() { os.Remove(filepath.Join(dir, "out", "menu.a.pak")); os.Remove(filepath.Join(dir, "lib.pak")) }, all},
			{"for another target", func() { opts.Target = "60.12" }, 2},
			{"by force", func() { opts.Force = true }, 2},
		}
		for _, step := range steps {
			step.do()
			r := run(t, opts)
			if got := compiled(r); got != step.want || r.Failed() {
				t.Errorf("library %v, %s: %d compiled, want %d (%v)", library, step.what, got, step.want, r.Problems)
			}
			if len(r.Problems) != 1 || r.Problems[0].Severity != finding.Warning || !strings.Contains(r.Problems[0].Message, "nothing reads this key") {
				t.Errorf("library %v, %s: the warning is gone: %v", library, step.what, r.Problems)
			}
		}
		opts.Force = false
		future := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "sheet.png"), future, future); err != nil {
			t.Fatal(err)
		}
		if got := compiled(run(t, opts)); got != 2 {
			t.Errorf("library %v: %d compiled after the picture changed", library, got)
		}
	}
}

func touch(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTheResultDoesNotDependOnTheNumberOfWorkers(t *testing.T) {
	sources := map[string]string{}
	for i := range 40 {
		text := symbol(fmt.Sprint("s", i))
		if i%5 == 0 {
			text += "---\nobj=way\nname=bad\nwaytype=rail\n"
		}
		sources[fmt.Sprintf("%02d.dat", i)] = text
	}
	dir := project(t, sources)
	writePNG(t, filepath.Join(dir, "sheet.png"), image.NewNRGBA(image.Rect(0, 0, 64, 64)))
	var first string
	for _, workers := range []int{1, 2, 8} {
		out := filepath.Join(dir, "out")
		os.RemoveAll(out)
		r := run(t, compile.Options{Sources: []string{dir}, Out: out + "/", Workers: workers})
		text := fmt.Sprint(r.Outputs, r.Problems)
		if first == "" {
			first = text
		}
		if text != first || len(r.Outputs) != 40 {
			t.Errorf("with %d workers the result is another", workers)
		}
	}
}

func TestTwoObjectsForOneFileAreAnError(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "\nobj=sound\nname=x\n", "b.dat": "\n\nobj=sound\nname=x\nsound_nr=3\n"})
	r := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/"})
	if !r.Failed() || r.Problems[0].Line != 3 || !strings.Contains(r.Problems[0].Message, "a.dat:2 too") {
		t.Errorf(`r.Problems = %v; want r.Failed() = true, r.Problems[0].Line = 3, r.Problems[0].Message with "a.dat:2 too"`, r.Problems)
	}
	// The last one counts, as with makeobj.
	data, err := os.ReadFile(filepath.Join(dir, "out", "sound.x.pak"))
	if err != nil || !strings.Contains(string(data), "\x02\x80\x03\x00") {
		t.Errorf("%v: the first one was written: %q", err, data)
	}
}

func TestNothingIsLeftInTheOutput(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "obj=sound\nname=x\n"})
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	touch(t, filepath.Join(out, ".pakbox-compile.json"), "{}") // of an earlier version
	run(t, compile.Options{Sources: []string{dir}, Out: out, Notes: t.TempDir()})
	if names, _ := os.ReadDir(out); len(names) != 1 || names[0].Name() != "sound.x.pak" {
		t.Errorf("the folder holds %v", names)
	}
}

func TestWhatNoSourceMakesAnyMoreIsStale(t *testing.T) {
	sound := func(name string) string { return "obj=sound\nname=" + name + "\n---\n" }
	dir := project(t, map[string]string{"a.dat": sound("a") + sound("b"), "c.dat": sound("c"), "d.dat": sound("d")})
	out := filepath.Join(dir, "out")
	opts := compile.Options{Sources: []string{dir}, Out: out + "/", Notes: t.TempDir()}
	stale := func(what, want string) {
		t.Helper()
		var got []string
		for _, path := range run(t, opts).Stale {
			got = append(got, filepath.Base(path))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v are stale, want %s", what, got, want)
		}
	}
	stale("the first time", "")
	touch(t, filepath.Join(dir, "a.dat"), sound("a"))
	os.Remove(filepath.Join(dir, "c.dat"))
	stale("with an object and a source gone", "sound.b.pak sound.c.pak")
	stale("again", "sound.b.pak sound.c.pak")
	touch(t, filepath.Join(dir, "e.dat"), sound("c"))
	stale("with the object in another source", "sound.b.pak")
	touch(t, filepath.Join(dir, "d.dat"), "obj=vehicle\nname=d\n")
	stale("with a source that fails", "sound.b.pak")
	touch(t, filepath.Join(out, "sound.b.pak"), "somebody's own")
	opts.Prune = true
	stale("with the file changed", "")
	touch(t, filepath.Join(dir, "a.dat"), "")
	stale("with no object left", "sound.a.pak")
	if _, err := os.Stat(filepath.Join(out, "sound.a.pak")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was not removed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, "sound.b.pak")); err != nil {
		t.Errorf("somebody's own file was removed: %v", err)
	}
}

// problems runs and returns what was found, without the folder.
func problems(t *testing.T, dir string, opts compile.Options) string {
	t.Helper()
	opts.Sources, opts.Out = []string{dir}, filepath.Join(t.TempDir(), "out")+"/"
	var got []string
	for _, p := range run(t, opts).Problems {
		if slices.ContainsFunc(lint.Rules, func(r lint.Rule) bool { return r.Name == p.Rule }) { // package lint has its own tests
			continue
		}
		got = append(got, strings.ReplaceAll(p.String(), dir+"/", ""))
	}
	return strings.Join(got, "\n")
}

func TestAPictureThatCannotBeUsedIsOneProblem(t *testing.T) {
	dir := filepath.Join(project(t, nil), "boats192")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	object := func(name string) string {
		return "obj=vehicle\nname=" + name + "\nwaytype=water\nemptyimage[s,w,sw,se]=ship.0.0\nfreightimage[s,w,sw,se]=none.0.0\nwieght=3\n---\n"
	}
	touch(t, filepath.Join(dir, "a.dat"), object("a")+object("b"))
	touch(t, filepath.Join(dir, "b.dat"), object("c"))
	writePNG(t, filepath.Join(dir, "ship.png"), image.NewNRGBA(image.Rect(0, 0, 192, 192)))
	want := `a.dat:4: error: emptyimage[s]: ship.png is 192 × 192 pixels, which 128 does not divide (the folder boats192 is named for a cell size of 192: choose this cell size, or set cell_size=192)
a.dat:5: error: freightimage[s]: picture none.png not found
a.dat:6: warning: wieght: nothing reads this key (did you mean weight?)
a.dat:13: warning: wieght: nothing reads this key (did you mean weight?)
b.dat:6: warning: wieght: nothing reads this key (did you mean weight?)`
	if got := problems(t, dir, compile.Options{Cell: 128}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestValuesThatDoNotFitHaveTheirLine(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": `obj=factory
name=a
mapcolor=5
inputgood[0]=Coal
inputcapacity[0]=70000
outputgood[0]=Steel
outputcapacity[0]=66000
range=-1
intro_year=9000
backimage[0][0][0][0][0]=-
=88
`})
	want := `a.dat:11: warning: syntax: the line begins with =, so it sets nothing (write the key before it)
a.dat:9: warning: intro_year: 108000 does not fit and becomes 42464
a.dat:5: warning: inputcapacity[0]: 70000 does not fit and becomes 4464
a.dat:7: warning: outputcapacity[0]: 66000 does not fit and becomes 464
a.dat:8: warning: range: -1 does not fit and becomes 65535`
	if got := problems(t, dir, compile.Options{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An object with a line that means nothing is not what its author meant.
func TestAnObjectWithABadLineIsHeldBack(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "obj=sound\nname=a\nsound_nr=<1/0>\n---\nobj=sound\nname=b\n"})
	r := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/"})
	if !r.Failed() || len(r.Outputs) != 1 || r.Outputs[0].Name != "b" {
		t.Errorf(`r.Outputs = %v, r.Problems = %v; want r.Failed() = true, r.Outputs of length 1, r.Outputs[0].Name = "b"`, r.Outputs, r.Problems)
	}
}

func TestSuggestions(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": `obj=vehicle
name=a
waytype=raod
engine_type=stem
emptyimage[s]=shet.0.0
freightimage[n]=-
wieght=3
`, "sheet.png": ""})
	r := run(t, compile.Options{Sources: []string{filepath.Join(dir, "a.dat")}, Out: filepath.Join(dir, "out") + "/"})
	var got []string
	for _, p := range r.Problems {
		got = append(got, strings.TrimPrefix(p.String(), dir+"/"))
	}
	want := `a.dat:3: error: waytype: unknown way type "raod" (did you mean road?)
a.dat:4: warning: engine_type: unknown engine type "stem"; diesel is taken (did you mean steam?)
a.dat:5: error: emptyimage[s]: picture shet.png not found (did you mean sheet.png?)
a.dat:7: warning: wieght: nothing reads this key (did you mean weight?)`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestCancelledAndWrongOptions(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := project(t, map[string]string{"a.dat": "obj=sound\nname=x\n"})
	for _, out := range []string{dir + "/", filepath.Join(dir, "x.pak")} {
		if _, err := compile.Run(ctx, compile.Options{Sources: []string{dir}, Out: out}); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v; want err matching context.Canceled", err)
		}
	}
	for _, opts := range []compile.Options{{Target: "59"}, {Cell: 3}} {
		if _, err := compile.Run(context.Background(), opts); err == nil {
			t.Errorf("%+v is accepted", opts)
		}
	}
}

func TestOneFileHoldsManyObjectsOfOneSource(t *testing.T) {
	good := func(name string) string { return "obj=good\nname=" + name + "\nvalue=1\n---\n" }
	dir := project(t, map[string]string{"a.dat": good("a") + good("b"), "c.dat": good("c")})
	opts := compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "lib.pak"), Notes: t.TempDir()}
	for _, want := range []int{3, 0} {
		if r := run(t, opts); r.Failed() || compiled(r) != want || len(r.Outputs) != 3 {
			t.Fatalf("%d compiled, want %d: %+v", compiled(r), want, r.Problems)
		}
	}
	touch(t, filepath.Join(dir, "c.dat"), good("a"))
	if r := run(t, opts); !r.Failed() {
		t.Error("two objects of one type and name went into one file")
	}
}

// Names of files and folders may be written in another case, because many
// authors work where it does not matter.
func TestPicturesAreFoundInAnyCase(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "obj=menu\nname=a\nimage[0]=IMAGES/Rail/Sheet.0.0\n"})
	if err := os.MkdirAll(filepath.Join(dir, "images", "rail"), 0o755); err != nil {
		t.Fatal(err)
	}
	writePNG(t, filepath.Join(dir, "images", "rail", "sheet.PNG"), image.NewNRGBA(image.Rect(0, 0, 64, 64)))
	result := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/"})
	if result.Failed() || len(result.Outputs) != 1 {
		t.Errorf("result.Problems = %v; want result.Failed() = false, result.Outputs of length 1", result.Problems)
	}
}

// Two names that are not UTF-8 are two files.
func TestNamesOfAnyEncodingAreToldApart(t *testing.T) {
	dir := project(t, map[string]string{"a.dat": "obj=menu\nname=\x89\x77\n---\nobj=menu\nname=\x8e\x77\n"})
	result := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/"})
	files, _ := filepath.Glob(filepath.Join(dir, "out", "menu.?w.pak"))
	if len(files) != 2 {
		t.Errorf("files = %q, result.Problems = %v; want files of length 2", files, result.Problems)
	}
}

// Sources that makeobj rejects are rejected.
func TestWhatCannotBeIsAnError(t *testing.T) {
	for _, source := range []string{
		"obj=crossing\nname=a\nwaytype[0]=road\nwaytype[1]=road\nspeed[0]=1\nspeed[1]=1\nopenimage[ns][0]=-\nopenimage[ew][0]=-\n",
		"obj=pier\nname=a\nbackimage[00][0][0]=-\n",
		"obj=building\nname=a\ntype=signalbox\nbackimage[0][0][0][0][0]=-\n",
		"obj=factory\nname=a\nmapcolor=-1\nbackimage[0][0][0][0][0]=-\n",
		"obj=vehicle\nname=a\nwaytype=road\nemptyimage[s,w,sw,se]=-\nfreightimage[w,sw,se]=-\n",
	} {
		dir := project(t, map[string]string{"a.dat": source})
		if result := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "out") + "/"}); !result.Failed() {
			t.Errorf("compiled:\n%s", source)
		}
	}
}

// TestSourcesInFoldersBelowAreCompiled: a folder stands for everything below it.
func TestSourcesInFoldersBelowAreCompiled(t *testing.T) {
	dir := project(t, nil)
	for _, below := range []string{"rail", "road/bus"} {
		if err := os.MkdirAll(filepath.Join(dir, below), 0o755); err != nil {
			t.Fatal(err)
		}
		touch(t, filepath.Join(dir, below, "a.DAT"), "obj=good\nname="+filepath.Base(below)+"\n")
	}
	r := run(t, compile.Options{Sources: []string{dir}, Out: filepath.Join(dir, "all.pak")})
	if compiled(r) != 2 || r.Failed() {
		t.Errorf("r = %+v; want compiled(r) = 2, r.Failed() = false", r)
	}
}

// TestAGoodFileIsNotReplacedByAnEmptyOne: neither without a source nor without
// an object in the sources.
func TestAGoodFileIsNotReplacedByAnEmptyOne(t *testing.T) {
	dir := project(t, map[string]string{"good.pak": "precious", "empty.dat": "# nothing\n"})
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "good.pak")
	if _, err := compile.Run(context.Background(), compile.Options{Sources: []string{filepath.Join(dir, "none")}, Out: out}); !errors.Is(err, compile.ErrNoSource) {
		t.Errorf("without a source: %v", err)
	}
	for _, lenient := range []bool{false, true} {
		r := run(t, compile.Options{Sources: []string{filepath.Join(dir, "empty.dat")}, Out: out, Lenient: lenient})
		if !r.Failed() {
			t.Error("a run without an object did not fail")
		}
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "precious" {
		t.Errorf("the file holds %q (%v)", data, err)
	}
}
