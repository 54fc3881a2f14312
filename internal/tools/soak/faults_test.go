//go:build linux

package main

import "testing"

// Of a command that writes many files each is old or new after a fault, and
// none is gone.
func TestJudgeSeveral(t *testing.T) {
	old := state{"a": "old a", "b": "old b", "c": "old c"}
	next := state{"a": "new a", "b": "new b", "d": "new d"}
	for _, c := range []struct {
		left state
		want string
	}{
		{state{"a": "old a", "b": "new b", "c": "old c"}, ""},
		{state{"a": "old a", "b": "new b"}, ""}, // c goes
		{state{"a": "half", "b": "new b"}, "neither old nor new: a"},
		{state{"a": "new a"}, "lost: b"},
	} {
		st := &stand{soak: &soak{work: t.TempDir()}, writer: writer{several: true}, dir: t.TempDir(), was: old, new: next}
		if err := st.clear(); err != nil {
			t.Fatal(err)
		}
		if err := c.left.write(st.at()); err != nil {
			t.Fatal(err)
		}
		var r trial
		got, err := st.judge(t.Context(), outcome{code: 3, stderr: "pakbox: no"}, &r)
		if err != nil || got != c.want {
			t.Errorf("%v: %q, %v, want %q", c.left, got, err, c.want)
		}
		if (r.mixed == 1) != (c.want == "") {
			t.Errorf("%v: counted as %v", c.left, r)
		}
	}
}
