package format_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/format"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

func target(t testing.TB, name string) object.Target {
	t.Helper()
	target, err := object.LookupTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestForm(t *testing.T) {
	const messy = "\ufeff\n\n# A comment  \r\n Another, a=b  \r\nObj=vehicle\r\nName = My Bus \r\nSPEED = 80 \r\nEmptyImage[ S , W ]= > s.0.<$0> # here\r\n\r\n\r\n\r\n" +
		"power\t=3\r\nunknown =  4 \r\nengine_type=steam \r\n-------------\r\n\r\n--- the end ---\r\nno key\r\n\r\n"
	const want = "# A comment\r\n Another, a=b\r\nobj=vehicle\r\nname= My Bus \r\nspeed=80\r\nemptyimage[s,w]= > s.0.<$0> # here\r\n\r\n" +
		"power\t=3\r\nunknown=  4 \r\nengine_type=steam \r\n---\r\n\r\n--- the end ---\r\nno key\r\n"
	if got := string(format.Source([]byte(messy), target(t, "60.6"))); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestTheFormMeansTheSame: every source of the corpus compiles to the same
// objects after it is formatted, and formatting twice changes nothing more.
func TestTheFormMeansTheSame(t *testing.T) {
	dir := corpus.Dir(t, "simutrans")
	paths, err := node.Files([]string{filepath.Join(dir, "source"), filepath.Join(dir, "hard"), filepath.Join(dir, "extended")}, ".dat")
	if err != nil || len(paths) < 100 {
		t.Fatalf("len(paths) = %v, err = %v; want no error, len(paths) at least 100", len(paths), err)
	}
	changed := 0
	for _, path := range paths {
		name, cell := "60.6", 128
		if strings.HasPrefix(path, filepath.Join(dir, "extended")) {
			name = object.Extended
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		formatted := format.Source(src, target(t, name))
		if again := format.Source(formatted, target(t, name)); !bytes.Equal(again, formatted) {
			t.Errorf("%s: formatting twice gives something else", path)
		}
		if bytes.Equal(formatted, src) {
			continue
		}
		changed++
		c, err := compile.NewCompiler(name, cell)
		if err != nil {
			t.Fatal(err)
		}
		before, after := c.Source(path, filepath.Dir(path), src), c.Source(path, filepath.Dir(path), formatted)
		if len(before.Objects) != len(after.Objects) {
			t.Fatalf("%s: %d objects become %d", path, len(before.Objects), len(after.Objects))
		}
		for i, o := range before.Objects {
			if !o.Node.Equal(after.Objects[i].Node) || o.Name != after.Objects[i].Name {
				t.Errorf("%s: %s becomes another object", path, o.Name)
			}
		}
	}
	t.Logf("%d of %d sources changed", changed, len(paths))
}

func FuzzSource(f *testing.F) {
	f.Add([]byte("Obj=good\nname = a \n----\n"))
	f.Add([]byte("\xef\xbb\xbf\r\n -x=1\n[=\n"))
	f.Add([]byte("\n\xef\xbb\xbf"))
	f.Fuzz(func(t *testing.T, src []byte) {
		once := format.Source(src, target(t, "60.6"))
		if twice := format.Source(once, target(t, "60.6")); !bytes.Equal(once, twice) {
			t.Errorf("%q becomes %q and then %q", src, once, twice)
		}
	})
}

// The form of a line depends on how makeobj reads it. Lines in between are kept, and
// of empty ones no more than one.
func TestLines(t *testing.T) {
	long := "speed = " + strings.Repeat("1", 4095-8)
	for src, want := range map[string]string{
		"": "\n", "\n\n\n": "\n", "a=b": "a=b\n", "a=b\n\n\n\nc=d\n\n": "a=b\n\nc=d\n", "\n\na=b": "a=b\n", "a=b\n\n\n": "a=b\n", "a=b\n\n---\n\n": "a=b\n\n---\n", "a=b\n\nc=d": "a=b\n\nc=d\n",
		"a=b\r\nc=d": "a=b\r\nc=d\r\n", "\ufeff\ufeffa=b": "a=b\n", "\n\n\ufeffa=b": "\n\ufeffa=b\n", "a\ufeff=b": "a\ufeff=b\n",
		"-": "---\n", "-----\t \r": "---\n", "- - -": "---\n", "--x  ": "--x\n", "# x \t": "# x\n", " x=y \t": " x=y\n", "\tx = 1 ": "\tx = 1 \n",
		"obj=good\nvalue = 1 \nNAME = a \nmetric = t ": "obj=good\nvalue=1\nname= a \nmetric= t \n",
		// Numeric keys are known from the type of the block, even if obj= comes last.
		"value = 1 \nobj=good\n---\nvalue = 1 \n---\nOBJ =good\nvalue = 2 ": "value=1\nobj=good\n---\nvalue= 1 \n---\nobj=good\nvalue=2\n",
		"obj=nothing\nvalue = 1 ": "obj=nothing\nvalue= 1 \n", "name=obj\nvalue = 1 ": "name=obj\nvalue= 1 \n",
		"obj=vehicle\nspeed = 80 \nfreight = Kohle \nwaytype = road \nfreightimage[0][s] = a.0.0 \n": "obj=vehicle\nspeed=80\nfreight= Kohle \nwaytype= road \nfreightimage[0][s]= a.0.0 \n",
		"obj=vehicle\n" + long + " ": "obj=vehicle\n" + long + " \n", // the end of it is another line for makeobj
		"obj=vehicle\n" + long:       "obj=vehicle\n" + strings.ReplaceAll(long, " ", "") + "\n",
		"obj=good\nvalue = 1\x00 ":   "obj=good\nvalue = 1\x00 \n",
	} {
		if got := string(format.Source([]byte(src), target(t, "60.6"))); got != want {
			t.Errorf("%.80q becomes %.80q, want %.80q", src, got, want)
		}
	}
}
