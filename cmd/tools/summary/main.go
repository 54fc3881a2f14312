// Summary reads what 'go test -json' prints, and prints less of it: a line for each
// package, the output of failed tests, and in the last line how many tests passed and what
// the skipped ones need.
//
//	go test -json ./... | cmd/tools/run summary
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	verbose := flag.Bool("v", false, "print every skipped test")
	hint := flag.String("hint", "", "end the last line with this `sentence`, if tests were skipped")
	flag.Parse()
	s := &summary{out: os.Stdout, verbose: *verbose, hint: *hint, running: map[test][]string{}, skipped: map[string]int{}}
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(1)
	}
	if !s.close() {
		os.Exit(1)
	}
}

// event is a line of 'go test -json'; see 'go doc test2json'.
type event struct {
	Action, Package, Test, Output string
}

type test struct{ pkg, name string }

type summary struct {
	out     io.Writer
	verbose bool
	hint    string
	running map[test][]string // output of the tests that have not ended
	skipped map[string]int    // tests by what they need
	passed  int
	failed  []string
}

func (s *summary) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if line != "" && json.Unmarshal([]byte(line), &e) != nil {
			fmt.Fprint(s.out, line) // not of a test: the message of a tool
		}
		s.take(e)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) take(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		if e.Test != "" {
			s.running[t] = append(s.running[t], e.Output)
		} else if e.Output != "PASS\n" && !strings.Contains(e.Output, "[no test files]") {
			fmt.Fprint(s.out, e.Output)
		}
	case "pass", "skip", "fail":
		s.end(e.Action, t)
	}
}

// need is the end of the message with which package tier skips a test.
var need = regexp.MustCompile(`make test-all: needs (.*)`)

func (s *summary) end(action string, t test) {
	output := s.running[t]
	delete(s.running, t)
	switch {
	case action == "fail" && t.name == "":
		s.failed = append(s.failed, t.pkg)
		s.endPackage(t.pkg)
	case action == "fail":
		s.failed = append(s.failed, t.pkg+"."+t.name)
		fmt.Fprint(s.out, strings.Join(output, ""))
	case t.name == "": // a package has passed
	case action == "pass":
		s.passed++
	default:
		text := strings.Join(output, "")
		why := "something that is missing here"
		if found := need.FindStringSubmatch(text); found != nil {
			why = found[1]
		}
		s.skipped[why]++
		if s.verbose {
			fmt.Fprint(s.out, text)
		}
	}
}

// endPackage prints the output of the tests that a package ended in, as a panic does.
func (s *summary) endPackage(pkg string) {
	for _, t := range slices.SortedFunc(maps.Keys(s.running), func(a, b test) int { return cmp.Compare(a.name, b.name) }) {
		if t.pkg == pkg {
			fmt.Fprint(s.out, strings.Join(s.running[t], ""))
			delete(s.running, t)
		}
	}
}

// close prints the last line, and reports whether tests were run and none failed.
func (s *summary) close() bool {
	if len(s.failed) > 0 {
		fmt.Fprintf(s.out, "FAIL: %s\n", strings.Join(s.failed, ", "))
		return false
	}
	line := fmt.Sprintf("%d tests passed", s.passed)
	total := 0
	var needs []string
	for _, why := range slices.Sorted(maps.Keys(s.skipped)) {
		total += s.skipped[why]
		needs = append(needs, fmt.Sprintf("%d need %s", s.skipped[why], why))
	}
	if total > 0 {
		line += fmt.Sprintf("; %d were skipped: %s", total, strings.Join(needs, ", "))
		if s.hint != "" {
			line += "; " + s.hint
		}
	}
	fmt.Fprintln(s.out, line)
	return s.passed > 0
}
