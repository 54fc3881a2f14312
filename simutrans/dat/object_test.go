package dat_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/simutrans/dat"
)

// Numbers are read as C's strtol and strtod read them, warnings and all.
func TestNumbersAsC(t *testing.T) {
	for value, want := range map[string]string{
		"0": "0", "+5": "5", "-": "0 !", "0x": "0 !", "0xg": "0 !", "0X1f": "31", "0xaF": "175", "0xA": "10", "0xF": "15", "0xf": "15", "0xa": "10", "0xG": "0 !", "08": "0 !", "07": "7",
		"  12": "12", "9a": "9 !", "0x/": "0 !", "0x:": "0 !", "0x`": "0 !", "12:": "12 !", "12/": "12 !", "-0x10": "-16",
		"99999999999999999999": "4611686018427387904", "4611686018427387904": "4611686018427387904", "4611686018427387899": "4611686018427387899", "5@": "5 !",
	} {
		o := parseOne(t, "v="+value+"\n")
		got := fmt.Sprint(o.Int("v", 0))
		if len(o.Problems()) > 0 {
			got += " !"
		}
		if got != want {
			t.Errorf("Int of %q: %s, want %s", value, got, want)
		}
	}
	for value, want := range map[string]string{
		"1.5": "1.5", " -2 ": "-2", "0x10": "16", "1.5x": "1.5 !", "x": "0 !", "1.5.5": "1.5 !", "3 m": "3 !", "": "7", "-": "0 !",
	} {
		o := parseOne(t, "v="+value+"\n")
		got := fmt.Sprint(o.Float("v", 7))
		if len(o.Problems()) > 0 {
			got += " !"
		}
		if got != want {
			t.Errorf("Float of %q: %s, want %s", value, got, want)
		}
	}
	o := parseOne(t, "a=\nb=1\n")
	if o.Float("none", 7) != 7 || o.Ints("none") != nil || o.Ints("a") != nil || fmt.Sprint(o.Ints("b")) != "[1]" {
		t.Error("a value that is missing, or a list of one")
	}
	if o.Int("a", 0) != 0 || len(o.Problems()) != 0 {
		t.Error("0 is what an empty value counts as and what is meant")
	}
}

// Entries come in their order, with their lines, and an object answers for what
// is there, what is empty and what is missing.
func TestEntries(t *testing.T) {
	o := parseOne(t, "# x\nobj=way\nname=\nimage[0-1]=a.<$0>\n")
	var got []string
	for _, e := range o.Entries() {
		got = append(got, fmt.Sprintf("%d:%s=%s", e.Line, e.Key, e.Value))
	}
	if s := strings.Join(got, " "); s != "2:obj=way 3:name= 4:image[0]=a.0 4:image[1]=a.1" {
		t.Errorf(`s = %v; want "2:obj=way 3:name= 4:image[0]=a.0 4:image[1]=a.1"`, s)
	}
	if !o.Has("obj") || o.Has("name") || o.Has("none") || !o.IsSet("name") || o.IsSet("none") {
		t.Error("what is there")
	}
	o.Default("name", "x")
	o.Default("cost", "5")
	if o.Get("name") != "" || o.Int("cost", 0) != 5 {
		t.Error("a default takes no place that is taken, and the others")
	}
	for key, line := range map[string]int{"name": 3, "image[1]": 4, "cost": 2, "none": 2} {
		if o.Line(key) != line {
			t.Errorf("%s is in line %d", key, o.Line(key))
		}
	}
	second, _ := dat.Parse("x.dat", []byte("a=1\n---\n\nb=2\n"))
	if second[1].Line("none") != 3 {
		t.Errorf("an object without a type begins in line %d", second[1].Line("none"))
	}
}

func TestReports(t *testing.T) {
	objects, _ := dat.Parse("x.dat", []byte("obj=way\n#pakbox pin 5\n#pakboxer\ncost=1\n"))
	o := objects[0]
	directives := o.Directives()
	if len(directives) != 1 || directives[0].Value != "pin 5" || directives[0].Line != 2 {
		t.Fatalf(`directives = %+v; want directives of length 1, directives[0].Value = "pin 5", directives[0].Line = 2`, directives)
	}
	o.FailAt(directives[0], "no pin %d", 5)
	o.Fail("cost", "", "too %s", "low")
	o.Warn("cost", "think", "odd")
	o.Report("cost", finding.New(finding.Note, "rule", finding.Nowhere, "known"))
	var got []string
	for _, p := range o.Problems() {
		got = append(got, p.String())
	}
	want := []string{
		"x.dat:2: error: #pakbox: no pin 5", "x.dat:4: error: cost: too low",
		"x.dat:4: warning: cost: odd (think)", "x.dat:4: note: cost: known",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// In an object with errors, keys that somebody asked for are not reported as
// unused, and none are if the object was not looked at.
func TestUnusedAfterErrors(t *testing.T) {
	unused := func(ask ...string) string {
		o := parseOne(t, "obj=way\nimage[0]=a\nimage[1]=b\ncoast=3\nimage_x=1\n")
		o.Fail("obj", "", "wrong")
		for _, key := range ask {
			o.Get(key)
		}
		var keys []string
		for _, f := range o.Unused() {
			keys = append(keys, f.Field+" "+f.Suggestion)
		}
		return strings.Join(keys, ", ")
	}
	if got := unused("obj", "image[0]"); got != "" {
		t.Errorf("an object of an unknown type: %s", got)
	}
	if got := unused("obj", "copyright", "image[0]", "cost"); got != "coast did you mean cost?, image_x " {
		t.Errorf(`got = %v; want "coast did you mean cost?, image_x "`, got)
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"topsped": "topspeed", "TOPSPEED": "topspeed", "cst": "cost", "x": "", "gear": "geara", "waytyp": "waytype"} {
		if got := dat.Nearest(word, []string{"waytype", "geary", "topspeed", "geara", "cost"}); got != want {
			t.Errorf("%s is taken for %q, want %q", word, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	objects, _ := dat.Parse("x.dat", []byte("Obj=way\nimage[0-1]=a.<$0+1>\n---\nobj=good\n"))
	var b bytes.Buffer
	if err := dat.Write(&b, objects); err != nil || b.String() != "obj=way\nimage[0]=a.1\nimage[1]=a.2\n---\nobj=good\n---\n" {
		t.Errorf("b.String() = %q, err = %v; want no error, b.String() = \"obj=way\\nimage[0]=a.1\\nimage[1]=a.2\\n---\\nobj=good\\n---\\n\"", b.String(), err)
	}
	if err := dat.Write(fullDisk{}, objects); err == nil {
		t.Error("a full disk takes everything")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("full") }

// A line stands for as many keys as its brackets have values, the first fastest.
func TestExpansion(t *testing.T) {
	for src, want := range map[string]string{
		"a[0-2]=<$0*2>":        "a[0]=0 a[1]=2 a[2]=4",
		"a[n,s][0-1]=<$0><$1>": "a[n][0]=00 a[s][0]=10 a[n][1]=01 a[s][1]=11",
		"a[5,7-8]=<$0>":        "a[5]=5 a[7]=7 a[8]=8",
		"a[-]=1":               "a[-]=1",
		"a[x][1,2]=<$0>":       "a[x][1]=1 a[x][2]=2",
		"a[ 1 , 2 ] =<$0>":     "a[1]=1 a[2]=2",
		"a[3-3]=<$0>":          "a[3]=3",
		"a=x<1":                "a=x<1",
		"a=<1>-<2>!":           "a=1-2!",
		"a[]=1":                "a[]=1",
		"a[n,-,s]=<$0>":        "a[n]=0 a[-]=1",
		"a[nsew,-][0,1]=<$1>":  "a[nsew][0]=0 a[nsew][1]=1",
		"a[1,-,3-4]=<$0>":      "a[1]=1 a[3]=3 a[4]=4",
	} {
		objects, _ := dat.Parse("x.dat", []byte(src+"\n"))
		var got []string
		for _, e := range objects[0].Entries() {
			got = append(got, e.Key+"="+e.Value)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s stands for %q, want %q", src, s, want)
		}
	}
}

// Expansions that are too large, or make no sense, are reported and skipped.
func TestExpansionLimits(t *testing.T) {
	brackets := func(n int) string { return "a" + strings.Repeat("[0,1]", n) }
	for src, want := range map[string]string{
		"a[0-254]=1":                            "",
		"a[0-255]=1":                            "the range 0-255 has more than 255 values",
		"a[0-254,255]=1":                        "",
		"a[0-254,255-256]=1":                    "more than 256 values in one bracket",
		"a[1-x]=1":                              `"x" is not a number; [1-x] counts as 1`,
		"a[3-2]=1":                              "3-2 is not a range; [3-2] counts as 3",
		"a[1,x]=1":                              `"x" is not a number; [1,x] counts as 1, 0`,
		"a[-n,s]=1":                             `"s" is not a number; [-n,s] counts as 0, 0`,
		"a[n,-]=1":                              "a dash makes a list of names shorter; [n,-] counts as n",
		"a[n-s]=1":                              "a range of names is not supported; [n-s] counts as n-s",
		"a[1,]=1":                               "",
		"a[1,,2]=1":                             "nothing stands where a number belongs; [1,,2] counts as 1, 2",
		brackets(10) + "=1":                     "",
		brackets(11) + "=1":                     "more than 10 brackets with several values",
		"a[0-200][0-200][0-200]=1":              "the file stands for too many keys",
		"a=<" + strings.Repeat("1", 1000) + ">": "",
		"a=<" + strings.Repeat("1", 1001) + ">": "an expression is longer than 1000 characters",
		"a[0-1]=<$-1>":                          "",
		"a[0-1]=<$2>":                           "$2 refers to a bracket with several values that the key does not have",
		"a=<7%0>":                               "division by zero",
		"a=< >":                                 "<> is an empty expression",
	} {
		objects, problems := dat.Parse("x.dat", []byte("obj=x\n"+src+"\n"))
		got := ""
		for _, p := range append(problems, objects[0].Problems()...) {
			got += p.Message
		}
		if got != want {
			t.Errorf("%.60s: %q, want %q", src, got, want)
		}
	}
}

// The smallest number divided by -1 does not fit in 32 bits, and wraps.
func TestSmallestNumber(t *testing.T) {
	for expression, want := range map[string]string{"(0-2147483647-1)/(0-1)": "-2147483648", "7%(0-1)": "0", "7/(0-1)": "-7", "(0-7)/2": "-3", "(0-7)%2": "-1"} {
		if got := parseOne(t, "v=<"+expression+">\n").Get("v"); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
}

// Long texts are cut in messages.
func TestLongTexts(t *testing.T) {
	for n, want := range map[int]string{40: strings.Repeat("x", 40), 41: strings.Repeat("x", 37) + "..."} {
		_, problems := dat.Parse("x.dat", []byte(strings.Repeat("x", n)+"\n"))
		if len(problems) != 1 || problems[0].Message != fmt.Sprintf("%q is not a key=value", want) {
			t.Errorf(`%d: problems = %v; want problems of length 1, problems[0].Message = fmt.Sprintf("%%q is not a key=value", want)`, n, problems)
		}
	}
}
