//go:build linux

package soak

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The same seed damages a file in the same way, another seed in another way, and no
// kind of damage fails on a file that is too small for it.
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

// A shell script in pakbox's place does each misdeed, and the judge sees it.
func TestProblem(t *testing.T) {
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
			o, err := task{args: []string{"sh", "-c", c.script}, limit: time.Second / 4}.run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if got := o.problem(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A change outside the target is noticed.
func TestStrays(t *testing.T) {
	s := &soak{T: t, work: t.TempDir()}
	for _, name := range []string{"pakbox", "keys"} {
		s.ok(os.WriteFile(filepath.Join(s.work, name), nil, 0o777))
	}
	b := newSandbox(s, filepath.Join(s.work, "box"))
	s.ok(b.fill(input{files: []string{"x.zip"}}, [][]byte{{1, 2, 3}}))
	write := func(name string) { s.ok(os.WriteFile(filepath.Join(b.base, name), []byte("text"), 0o666)) }
	check := func(writes bool, want ...string) {
		t.Helper()
		got, err := b.strays(writes)
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
	s.ok(os.Symlink("/etc", filepath.Join(b.base, "out", "link")))
	check(true, "a/b/c/d/in/x.zip", "a/b/c/d/out/link", "a/b/c/stray")
}

// After a fault each file of a command that writes many is old or new, and none is
// missing.
func TestJudgeSeveral(t *testing.T) {
	st := &stand{writer: writer{several: true}, was: state{"a": "old a", "b": "old b", "c": "old c"}, will: state{"a": "new a", "b": "new b", "d": "new d"}}
	for _, c := range []struct {
		left state
		want string
	}{
		{state{"a": "old a", "b": "new b", "c": "old c"}, ""},
		{state{"a": "old a", "b": "new b"}, ""}, // c goes
		{state{"a": "half", "b": "new b"}, "neither old nor new: a"},
		{state{"a": "new a"}, "lost: b"},
	} {
		var count tally
		if got := st.judge(outcome{code: 3, stderr: "pakbox: no"}, c.left, &count); got != c.want || (count.some == 1) != (c.want == "") {
			t.Errorf("%v: %q, %+v, want %q", c.left, got, count, c.want)
		}
	}
	// The note of a finished folder may be gone, its tables may not.
	st = &stand{writer: writer{several: true, noted: true}, was: state{"t/_SUCCESS": "1", "t/a": "old"}, will: state{"t/_SUCCESS": "2", "t/a": "new"}}
	for want, left := range map[string]state{"": {"t/a": "old"}, "lost: t/a": {"t/_SUCCESS": "1"}} {
		if got := st.judge(outcome{code: -1, killed: true}, left, &tally{}); got != want {
			t.Errorf("%v: %q, want %q", left, got, want)
		}
	}
}
