//go:build linux

package soak

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

var (
	total    = flag.Duration("time", 0, "the time of the test; 0 for a short one")
	seed     = flag.Uint64("seed", 1, "chooses the damage")
	workers  = flag.Int("workers", 2, "processes at a time")
	findings = flag.String("findings", "", "folder for the inputs of findings")
	report   = flag.String("report", "", "file to which the parts add their section")
)

// project is the folder of the project.
const project = "../../.."

// soak holds the settings and results that all parts of the soak share.
type soak struct {
	*testing.T
	work  string // the folder for temporary files
	until time.Time
	mu    sync.Mutex
	found int
}

// start builds the program into a folder that comes first in PATH.
func start(t *testing.T) *soak {
	s := &soak{T: t, work: t.TempDir(), until: time.Now().Add(*total)}
	for dir := s.work; dir != filepath.Dir(os.TempDir()); dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755) // another user runs pakbox in here, without permission to write
	}
	t.Setenv("PATH", s.work+":"+os.Getenv("PATH"))
	build := exec.Command("go", "build", "-o", s.work, "./cmd/pakbox")
	build.Dir, build.Env = project, append(os.Environ(), "CGO_ENABLED=0") // static, for chroot
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// The kernel counts the memory of a parent at the start of a child as the child's.
	debug.SetMemoryLimit(24 << 20)
	return s
}

// ok ends the test if there is an error. It belongs to the work of soak itself, not to
// pakbox.
func (s *soak) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// find notes a finding and saves what shows it: a text, and copies of files.
func (s *soak) find(summary, detail string, inputs ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found++
	s.Errorf("FINDING: %s\n%s", summary, detail)
	if *findings == "" {
		return
	}
	dir := filepath.Join(*findings, fmt.Sprintf("%s-%03d", s.Name(), s.found))
	s.ok(os.MkdirAll(dir, 0o777))
	s.ok(os.WriteFile(filepath.Join(dir, "finding.txt"), []byte(summary+"\n\n"+detail+"\n"), 0o666))
	for _, name := range inputs {
		data, err := os.ReadFile(name)
		s.ok(err)
		s.ok(os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
}

// addSection adds a section to the report.
func (s *soak) addSection(title, text string) {
	s.Log(text)
	if *report == "" {
		return
	}
	f, err := os.OpenFile(*report, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	s.ok(err)
	defer f.Close()
	_, err = fmt.Fprintf(f, "\n## %s: %d findings\n\n%s", title, s.found, text)
	s.ok(err)
}
