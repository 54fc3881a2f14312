package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The exit code and the last line must follow from the events alone, also when a package
// does not compile or a test panics.
func TestSummary(t *testing.T) {
	pkg := func(action, output string) event { return event{Action: action, Package: "p", Output: output} }
	one := func(name, action, output string) event {
		return event{Action: action, Package: "p", Test: name, Output: output}
	}
	for _, c := range []struct {
		name   string
		events []event
		verbose,
		good bool
		want string
	}{
		{"passed", []event{one("TestA", "output", "noise\n"), one("TestA", "pass", ""), pkg("output", "PASS\n"), pkg("output", "ok  \tp\t1s\n"), pkg("pass", "")}, false, true,
			"ok  \tp\t1s\n1 tests passed\n"},
		{"skipped", []event{one("TestA", "pass", ""), one("TestB", "output", "x_test.go:3: make test-all: needs real files\n"), one("TestB", "skip", ""), one("TestC", "output", "no hands\n"), one("TestC", "skip", ""), pkg("pass", "")}, false, true,
			"1 tests passed; 2 were skipped: 1 need real files, 1 need something that is missing here\n"},
		{"skipped, verbose", []event{one("TestA", "pass", ""), one("TestC", "output", "no hands\n"), one("TestC", "skip", "")}, true, true,
			"no hands\n1 tests passed; 1 were skipped: 1 need something that is missing here\n"},
		{"failed", []event{one("TestA", "output", "got 1, want 2\n"), one("TestA", "fail", ""), pkg("output", "FAIL\tp\t1s\n"), pkg("fail", "")}, false, false,
			"got 1, want 2\nFAIL\tp\t1s\nFAIL: p.TestA, p\n"},
		{"panic", []event{one("TestA", "output", "panic: x\n"), pkg("fail", "")}, false, false,
			"panic: x\nFAIL: p\n"},
		{"compile error", []event{{Action: "build-output", Output: "x.go:1: syntax error\n"}, pkg("fail", "")}, false, false,
			"x.go:1: syntax error\nFAIL: p\n"},
		{"nothing", nil, false, false, "0 tests passed\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var in, out bytes.Buffer
			for _, e := range c.events {
				if err := json.NewEncoder(&in).Encode(e); err != nil {
					t.Fatal(err)
				}
			}
			s := &summary{out: &out, verbose: c.verbose, running: map[test][]string{}, skipped: map[string]int{}}
			if err := s.read(&in); err != nil {
				t.Fatal(err)
			}
			if good := s.close(); good != c.good || out.String() != c.want {
				t.Errorf("close() = %v with output\n%s\nwant %v with\n%s", good, &out, c.good, c.want)
			}
		})
	}
}

// A line that is not JSON is a message of go itself, which must not be lost.
func TestNotJSON(t *testing.T) {
	var out bytes.Buffer
	s := &summary{out: &out, running: map[test][]string{}, skipped: map[string]int{}}
	if err := s.read(strings.NewReader("go: no module\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "go: no module\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}
