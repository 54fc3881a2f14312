package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sample = `package sample

// Clamp is tested; Ignored is not.
func Clamp(n, most int) int {
	if n > most {
		return most
	}
	return n
}

func Ignored(list []int) (sum int) {
	for _, n := range list {
		if n == 0 {
			continue
		}
		sum += n
	}
	return sum
}
`

const sampleTest = `package sample

import (
	"os"
	"testing"
)

func TestClamp(t *testing.T) {
	if err := os.WriteFile(t.TempDir()+"/file", nil, 0o666); err != nil || os.Geteuid() == 0 {
		t.Error("root runs what may do anything, or it cannot do its work", err)
	}
	if Clamp(5, 3) != 3 || Clamp(2, 3) != 2 {
		t.Error("wrong")
	}
}
`

func TestChangesIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.go")
	if err := os.WriteFile(file, []byte(sample), 0o666); err != nil {
		t.Fatal(err)
	}
	all, err := changesIn(file)
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, c := range all {
		what = append(what, c.String())
		if string(c.apply([]byte(sample))) == sample {
			t.Errorf("%s changes nothing", c)
		}
	}
	want := []string{
		"sample.go:5:5: `if n > most` turned round", "sample.go:5:7: `n > most`: >= for >",
		"sample.go:13:8: `n == 0`: != for ==", "sample.go:13:11: 0 is one more",
		"sample.go:14:4: break for continue", "sample.go:16:3: `sum += n` missing",
	}
	if got := strings.Join(what, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

// How much room is made changes nothing that a test could see.
func TestRoomStays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.go")
	text := `package sample

import "bufio"

func F(n int, w io.Writer) {
	a, m := make([]int, n+1, 2*n), make(map[int]int, n+2)
	b, c := bufio.NewWriterSize(w, 1<<20), make(chan int, 3)
	g(a, m, b, c)
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	all, err := changesIn(file)
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, c := range all {
		what = append(what, c.what)
	}
	if got, want := strings.Join(what, "; "), "`n+1`: - for +; 1 is one more; 3 is one more; `g(a, m, b, c)` missing"; got != want {
		t.Errorf("got %s", got)
	}
}

// What is tested is noticed, what is not is named; and root does not run it.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // others may look, as in any checkout
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.24\n", "sample.go": sample, "sample_test.go": sampleTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	r, err := try(t.Context(), "./.", nil, 7, 1, time.Minute, false)
	if err != nil {
		t.Fatal(err)
	}
	if r.places != 6 || r.tried != 6 || r.noticed != 1 || r.ofHundred() != 16 {
		t.Errorf("%d places, %d tried, %d noticed: %v", r.places, r.tried, r.noticed, r.unnoticed)
	}
	p := readPage("")
	p.set(r, nil, time.Unix(0, 0))
	var out strings.Builder
	p.print(&out)
	for _, want := range []string{
		"\n| ./. | 6 | 6 | 1 | 16 | 0 | 1 | its own | 1970-01-01 |\n",
		"\n- sample.go:5:7: `n > most`: >= for >\n",
		"\n- no test runs it: sample.go:14:4: break for continue\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Count(out.String(), "no test runs it") != 4 {
		t.Error(out.String())
	}
}

// A package that was tried again takes its old place on the page; what was said
// about others stays.
func TestPage(t *testing.T) {
	p := readPage("")
	p.set(&result{pkg: "./b", tried: 2, noticed: 1, unnoticed: []string{"b.go:1: old"}}, nil, time.Unix(0, 0))
	p.set(&result{pkg: "./a", tried: 2, noticed: 1, unnoticed: []string{"a.go:1: kept"}}, []string{"./c"}, time.Unix(0, 0))
	var old, now, after strings.Builder
	p.print(&old)
	p = readPage(old.String())
	p.print(&now)
	if now.String() != old.String() {
		t.Errorf("read again:\n%s\nwant\n%s", now.String(), old.String())
	}
	p.set(&result{pkg: "./b", tried: 2, noticed: 2}, nil, time.Unix(0, 0))
	p.print(&after)
	if got := after.String(); strings.Contains(got, "old") || !strings.Contains(got, "kept") || !strings.Contains(got, "| ./b | 0 | 2 | 2 | 100 |") {
		t.Error(got)
	}
}
