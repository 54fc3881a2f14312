package dat_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/dat"
)

// parseOne parses source that holds one object and no problem.
func parseOne(t *testing.T, src string) *dat.Object {
	t.Helper()
	objects, problems := dat.Parse("x.dat", []byte(src))
	if len(objects) != 1 || len(problems) != 0 {
		t.Fatalf("%d objects, problems %v", len(objects), problems)
	}
	return objects[0]
}

func TestSyntax(t *testing.T) {
	o := parseOne(t, "# comment\r\n a comment\r\n\r\nObj=good\r\nName = a b \r\nImage[ N ][ 0 ] =x.<3+4>\r\n")
	for key, want := range map[string]string{"obj": "good", "name": " a b ", "image[n][0]": "x.7", "value": ""} {
		if got := o.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	objects, _ := dat.Parse("x.dat", []byte("--- a\nobj=good\n-\n----\nobj=way\n"))
	if len(objects) != 2 || objects[1].Get("obj") != "way" {
		t.Errorf("%d objects", len(objects))
	}
}

func TestNumbers(t *testing.T) {
	o := parseOne(t, "a=12 \nb=0x1F\nc=010\nd= -7x\ne=\nf=1.5\ng=1, 2,x\nh=1e3\n")
	for key, want := range map[string]int64{"a": 12, "b": 31, "c": 8, "d": -7, "e": 0, "z": 99} {
		if got := o.Int(key, 99); got != want {
			t.Errorf("%s is %d, want %d", key, got, want)
		}
	}
	if f, e := o.Float("f", 0), o.Float("h", 0); f != 1.5 || e != 1000 {
		t.Errorf("got %g and %g", f, e)
	}
	if got := fmt.Sprint(o.Ints("g")); got != "[1 2 0]" {
		t.Errorf("got %s", got)
	}
	if n := len(o.Problems()); n != 4 {
		t.Errorf("%d problems, want one for c, d, e and g: %v", n, o.Problems())
	}
}

// The results are makeobj's own.
func TestExpressions(t *testing.T) {
	for expression, want := range map[string]string{
		"3+4": "7", "7-2-1": "4", "(7-2)*2": "10", "10-2*3+1": "5", "8/2/2": "2",
		"20%7%4": "2", "100/7*7": "98", "7*100/7": "98", "2*3%2": "2", "-3+1": "-2",
		"2*-3": "-1", " 3 * 2 ": "6", "3a": "3", "3+": "3", "x": "0", "99999999999": "1215752191",
		"0x10": "0", "010": "10", "(2": "2", "2)": "2", "5-3)": "2", "(1)+2)": "3", "1+)2": "1",
		"-((3-24)*(3-24))/50)": "-8", "(2*3))": "6", "((1+2)*3": "9", "(1+2)+(3+4))": "10", "-(3))": "-3", ")4": "0",
	} {
		objects, _ := dat.Parse("x.dat", []byte("v=<"+expression+">\n"))
		if got := objects[0].Get("v"); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
}

func TestProblems(t *testing.T) {
	for src, want := range map[string]string{
		"a[0-1]=<$1>":        "x.dat:1: error: a[0-1]: $1 refers to a bracket with several values that the key does not have",
		"\na[0-1]=<5/$0>":    "x.dat:2: error: a[0-1]: division by zero",
		"a[0-900]=1":         "x.dat:1: error: a[0-900]: the range 0-900 has more than 255 values",
		"a[0-1=2":            "x.dat:1: error: a[0-1: a bracket is not closed",
		"a=<>":               "x.dat:1: error: a: <> is an empty expression",
		"a=1\na=2":           `x.dat:2: warning: a: line 1 already has the value "1", which counts (remove one of them)`,
		"hello":              `x.dat:1: warning: syntax: "hello" is not a key=value (begin a comment with #)`,
		"=1":                 "x.dat:1: warning: syntax: the line begins with =, so it sets nothing (write the key before it)",
		"a=<5-3)>":           "x.dat:1: warning: a: the parentheses of <5-3)> do not match; it counts as 2",
		"a=<(1+2>":           "x.dat:1: warning: a: the parentheses of <(1+2> do not match; it counts as 3",
		"b=1\na=<8-2)-1)>":   "x.dat:2: error: a: a parenthesis is closed that was not opened",
		"b=1\na=<2*(1+2>":    "x.dat:2: error: a: a parenthesis is not closed",
		"\tkey=1":            "x.dat:1: warning: key: a key cannot hold a tab, so the line sets nothing (remove it)",
		"key\t=1":            "x.dat:1: warning: key: a key cannot hold a tab, so the line sets nothing (remove it)",
		"k-ey=1":             "x.dat:1: warning: k-ey: a key cannot hold '-', so the line sets nothing (remove it)",
		"key =1":             "",
		"  speed = 80":       "x.dat:1: warning: speed: the line begins with a blank, so it is a comment and sets nothing (begin it with the key, or with #)",
		" image[0]=s.0.0":    "x.dat:1: warning: image[0]: the line begins with a blank, so it is a comment and sets nothing (begin it with the key, or with #)",
		" it is = to":        "",
		" words only":        "",
		"-speed=80":          "x.dat:1: warning: speed: the line begins with a dash, so it ends the object and sets nothing (begin it with the key, or with #)",
		"--- speed 80":       "",
		"a=1\x00b=2":         "x.dat:1: warning: syntax: the line holds a NUL, and makeobj reads only what stands before it (remove it)",
		"\xef\xbb\xbfobj=hi": "x.dat:1: warning: syntax: the file begins with a byte order mark (save it without one; makeobj cannot read it)",
	} {
		objects, problems := dat.Parse("x.dat", []byte(src))
		for _, o := range objects {
			problems = append(problems, o.Problems()...)
		}
		if want == "" && len(problems) == 0 {
			continue
		}
		if len(problems) != 1 || problems[0].String() != want {
			t.Errorf("%q: got %v, want %s", src, problems, want)
		}
	}
}

func TestUnusedKeysComeWithWhatWasMeant(t *testing.T) {
	o := parseOne(t, "obj=way\ntopsped=3\nxyzzy=3\n")
	o.Get("obj")
	o.Get("topspeed")
	o.Get("cost")
	got := fmt.Sprint(o.Unused())
	want := "[x.dat:2: warning: topsped: nothing reads this key (did you mean topspeed?) x.dat:3: warning: xyzzy: nothing reads this key]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestExpansionIsThatOfMakeobj(t *testing.T) {
	makeobj := peer.Makeobj(t)
	dir := t.TempDir()
	sources := corpus.Files(t, corpus.Dir(t, "simutrans"), "source", "*", "*", "*", "*.dat")
	own := filepath.Join(dir, "own.dat")
	text := "obj=good\nname=a\nimage[0-3][n,s,w]=a.<$0*2+1>.<$1>,<$0-$1>\nx[0-2,5]=<$0>\ny[5,3-4]=<$0>\n" +
		"z[0-1][0][0-1]=<$0+2*$1>|<7-$0-1>\nq[ n , s ]= v <$0> w \n--- foo\nobj=good\nd[-]=5\ne[2]=<3*2>\n"
	if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, source := range append(sources, own) {
		out := filepath.Join(dir, "out.dat")
		os.Remove(out)
		if err := exec.Command(makeobj, "QUIET", "EXPAND", out, source).Run(); err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		want, _ := os.ReadFile(out)
		src, _ := os.ReadFile(source)
		objects, _ := dat.Parse(source, src)
		var got bytes.Buffer
		if err := dat.Write(&got, objects); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), withoutDuplicates(want)) {
			t.Errorf("%s is expanded differently", source)
		}
	}
	t.Logf("%d files expanded as makeobj does", len(sources)+1)
}

// withoutDuplicates drops the keys that stand there already, which makeobj
// writes out although only the first one counts.
func withoutDuplicates(text []byte) []byte {
	var b bytes.Buffer
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		key, _, _ := strings.Cut(line, "=")
		if line == "---\n" {
			seen = map[string]bool{}
		} else if seen[key] {
			continue
		}
		seen[key] = true
		b.WriteString(line)
	}
	return b.Bytes()
}

// FuzzParse: any text gives objects whose expansion reads back as itself.
func FuzzParse(f *testing.F) {
	f.Add([]byte("obj=good\nname=a\nimage[0-3][n,s]=a.<$0*2>.<$1>\n---\nobj=way\nx=<(1+2)*3>\n"))
	f.Add([]byte("a[0-1=<$0>\n=\n\tx=1\n-\n#pakbox BUIL=9\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		objects, _ := dat.Parse("x.dat", src)
		for _, o := range objects {
			for _, e := range o.Entries() {
				o.Int(e.Key, 0)
				o.Float(e.Key, 0)
				o.Ints(e.Key)
			}
			o.Unused()
		}
		var b bytes.Buffer
		if err := dat.Write(&b, objects); err != nil {
			t.Fatal(err)
		}
	})
}
