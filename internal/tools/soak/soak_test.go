//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The same seed breaks a file in the same way, another seed in another, and no
// kind of damage trips over a file that is too small for it.
func TestKinds(t *testing.T) {
	whole, other := make([]byte, 5000), make([]byte, 3000)
	for i := range whole {
		whole[i] = byte(i * 7)
	}
	for _, k := range kinds[1:] {
		apply := func(seed uint64, data []byte) []byte {
			return k.apply(rand.New(rand.NewPCG(seed, 1)), bytes.Clone(data), other)
		}
		changed := 0
		for seed := range uint64(20) {
			a := apply(seed, whole)
			if !bytes.Equal(a, apply(seed, whole)) {
				t.Errorf("%s: not the same twice", k.name)
			}
			if !bytes.Equal(a, whole) {
				changed++
			}
			for n := range 6 {
				apply(seed, whole[:n])
			}
		}
		if changed < 15 {
			t.Errorf("%s: changed the file only %d times of 20", k.name, changed)
		}
	}
}

// The judges see what they are there to see: each misdeed is done by a shell
// script in pakbox's place.
func TestJudges(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"fine", "exit 0", ""},
		{"refused", "echo 'pakbox: no' >&2; exit 3", ""},
		{"silent", "exit 3", "exit code 3 without a message"},
		{"code", "exit 77", "exit code 77"},
		{"panic", "echo 'panic: oops' >&2; exit 2", "panic"},
		{"fatal", "echo 'fatal error: out of memory' >&2; exit 2", "panic"},
		{"signal", "kill -SEGV $$", "exit code -1"},
		{"hang", "exec sleep 60", "hang"},
		{"busy", "while :; do :; done", "hang"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := task{args: []string{"-c", c.script}, limit: time.Second / 4}.run(context.Background(), "/bin/sh")
			if err != nil {
				t.Fatal(err)
			}
			if got := o.problem(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Only the end of the time is no failure.
func TestRanOut(t *testing.T) {
	for out, want := range map[string]bool{
		"--- FAIL: FuzzX (20.06s)\n    context deadline exceeded\nFAIL\n":                                                                                      true,
		"--- FAIL: FuzzX (1s)\n    --- FAIL: FuzzX (0s)\n        x_test.go:9: no\n\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n":                false,
		"--- FAIL: FuzzX (1s)\n    Failing input written to testdata/fuzz/FuzzX/1\n    context deadline exceeded\nFAIL\n":                                      false,
		"--- FAIL: FuzzX (1s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\n    Failing input written to testdata/fuzz/FuzzX/1\nFAIL\n": false,
	} {
		if got := ranOut([]byte(out)); got != want {
			t.Errorf("%q: %v", out, got)
		}
	}
}

// Whatever is done outside the target is noticed.
func TestStrays(t *testing.T) {
	s := &soak{work: t.TempDir()}
	s.pakbox = filepath.Join(s.work, "program")
	for _, name := range []string{"program", "keys"} {
		if err := os.WriteFile(filepath.Join(s.work, name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	b, err := newSandbox(s, "box")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.fill(input{path: "x.zip"}, [][]byte{{1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(b.base, name), []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check := func(extracting bool, want ...string) {
		t.Helper()
		got, err := b.strays(extracting)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	check(true)
	write("out/fine")
	check(true)
	check(false, "a/b/c/d/out/fine")
	write("../stray")
	write("in/x.zip")
	check(true, "a/b/c/d/in/x.zip", "a/b/c/stray")
	if err := os.Symlink("/etc", filepath.Join(b.base, "out", "link")); err != nil {
		t.Fatal(err)
	}
	check(true, "a/b/c/d/in/x.zip", "a/b/c/d/out/link", "a/b/c/stray")
}

func TestTrimCache(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := trimCache(dir, 2); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 || filepath.Base(left[0]) != "3" || filepath.Base(left[1]) != "4" {
		t.Errorf("left: %v", left)
	}
	if err := trimCache(filepath.Join(dir, "none"), 2); err != nil {
		t.Error(err)
	}
}

func TestLeastExecutions(t *testing.T) {
	for took, want := range map[time.Duration]int{time.Second: 0, 5 * time.Second: 10, 20 * time.Second: 160} {
		if got := leastExecutions(took); got != want {
			t.Errorf("%v: %d, want %d", took, got, want)
		}
	}
}
