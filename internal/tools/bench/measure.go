package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// row is one job and everybody who does it.
type row struct {
	name  string // area/job
	what  string // for readers
	bytes int64  // of input
	units int    // files or entries

	target  float64 // times the floor's processor time that a command may take; 0 for none
	largest int64   // bytes of the largest file, which a command's memory depends on

	ours command
	refs []command
}

// command is a program that does a job.
type command struct {
	name    string
	floor   bool // does only what cannot be avoided
	library bool // a call of the library, not a command
	args    []string
	env     []string
	dir     string
	clean   func() error // before every run, not measured
	missing string       // why it cannot run
	mayFail bool         // the exit code says something else than success
}

// sample is what one run took.
type sample struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	Memory int64         `json:"peak_bytes"`
}

// measure runs everybody in turns. The first turn only warms up the caches,
// and tells how much of the job each gets done.
func (b *bench) measure(r row) ([]comparison, error) {
	all := append([]command{r.ours}, r.refs...)
	samples := make([][]sample, len(all))
	done := make([]string, len(all))
	for i, c := range all {
		if c.missing != "" {
			continue
		}
		out, _, err := b.run(c, true)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		done[i] = doneOf(out)
	}
	for range b.rounds {
		for i, c := range all {
			if c.missing != "" {
				continue
			}
			_, s, err := b.run(c, false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	var list []comparison
	for i, c := range r.refs {
		cmp := comparison{Row: r.name, What: r.what, Bytes: r.bytes, Units: r.units, Ours: median(samples[0]), OursName: r.ours.name, Peer: c.name, Floor: c.floor, Missing: c.missing, Target: r.target, Largest: r.largest, Library: r.ours.library}
		if c.missing == "" {
			cmp.Theirs = median(samples[i+1])
			if !c.floor && done[i+1] != "" && done[i+1] != fmt.Sprint(r.units) {
				cmp.Done = done[i+1]
			}
		}
		list = append(list, cmp)
	}
	return list, nil
}

var doneLine = regexp.MustCompile(`(?m)^done (\d+)$`)

// doneOf is how many files a program says it got through, "" if it says
// nothing.
func doneOf(out []byte) string {
	if m := doneLine.FindSubmatch(out); m != nil {
		return string(m[1])
	}
	return ""
}

// median takes each figure's own median.
func median(list []sample) sample {
	pick := func(of func(sample) int64) int64 {
		values := make([]int64, len(list))
		for i, s := range list {
			values[i] = of(s)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return sample{
		Wall:   time.Duration(pick(func(s sample) int64 { return int64(s.Wall) })),
		CPU:    time.Duration(pick(func(s sample) int64 { return int64(s.CPU) })),
		Memory: pick(func(s sample) int64 { return s.Memory }),
	}
}

// run runs a command once. Its output is dropped, unless it is wanted.
func (b *bench) run(c command, wantOutput bool) (out []byte, s sample, err error) {
	if c.clean != nil {
		if err := c.clean(); err != nil {
			return nil, s, err
		}
	}
	report := b.path("report")
	args := c.args
	if b.tools.launcher != "" {
		args = append([]string{b.tools.launcher, report}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	var stdout, stderr bytes.Buffer
	if wantOutput {
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
	}
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	if err != nil && !c.mayFail {
		return nil, s, fmt.Errorf("%w: %s", err, lastLine(stderr.Bytes()))
	}
	if b.tools.launcher == "" {
		state := cmd.ProcessState
		return stdout.Bytes(), sample{wall, state.UserTime() + state.SystemTime(), peakOf(state)}, nil
	}
	s, err = readReport(report)
	return stdout.Bytes(), s, err
}

func lastLine(b []byte) string {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return string(lines[len(lines)-1])
}

// readReport reads what launch.c writes.
func readReport(path string) (s sample, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	fields := bytes.Fields(data)
	if len(fields) != 3 {
		return s, fmt.Errorf("a report of %d figures", len(fields))
	}
	var v [3]int64
	for i := range v {
		if v[i], err = strconv.ParseInt(string(fields[i]), 10, 64); err != nil {
			return s, err
		}
	}
	return sample{time.Duration(v[0]), time.Duration(v[1]), v[2] << 10}, nil
}
