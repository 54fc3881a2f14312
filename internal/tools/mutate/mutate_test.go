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

import "testing"

func TestClamp(t *testing.T) {
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
		"sample.go:5: `if n > most` turned round", "sample.go:5: `n > most`: >= for >",
		"sample.go:13: `if n == 0` turned round", "sample.go:13: `n == 0`: != for ==", "sample.go:13: 0 is one more",
		"sample.go:14: break for continue", "sample.go:16: `sum += n` missing",
	}
	if got := strings.Join(what, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

// What is tested is noticed, what is not is named.
func TestTry(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.24\n", "sample.go": sample, "sample_test.go": sampleTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	r, err := try(t.Context(), ".", 7, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if r.places != 7 || r.tried != 7 || r.noticed != 1 {
		t.Errorf("%d places, %d tried, %d noticed: %v", r.places, r.tried, r.noticed, r.unnoticed)
	}
	var out strings.Builder
	r.print(&out)
	if !strings.Contains(out.String(), "1 of 7 changes noticed, of 7") || strings.Count(out.String(), "\n- sample.go:1") != 5 {
		t.Error(out.String())
	}
}
