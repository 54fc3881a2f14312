package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"
	"time"
)

// report has all figures of a run.
type report struct {
	*tables       `json:"-"`
	Schema        string       `json:"schema"`
	Date          string       `json:"date"`
	Machine       machine      `json:"machine"`
	Rounds        int          `json:"rounds"`
	ScalingRounds int          `json:"scaling_rounds"`
	Rows          []comparison `json:"rows"`
	Scaling       []growth     `json:"scaling"`
	Explorer      string       `json:"explorer,omitempty"` // the table of cmd/tools/load
}

// comparison compares pakbox with one peer or floor.
type comparison struct {
	Row      string  `json:"row"`
	What     string  `json:"what"`
	Bytes    int64   `json:"input_bytes,omitempty"`
	Units    int     `json:"files"`
	OursName string  `json:"ours"`
	Ours     sample  `json:"ours_took"`
	Peer     string  `json:"reference"`
	Floor    bool    `json:"floor"`
	Theirs   sample  `json:"reference_took"`
	Missing  string  `json:"missing,omitempty"`
	Done     string  `json:"reference_did,omitempty"` // files, if not all
	Target   float64 `json:"target,omitempty"`        // how many times the floor pakbox may take
	Largest  int64   `json:"largest_file,omitempty"`
	Library  bool    `json:"library,omitempty"`
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// Time and Cost are the figures of the peer divided by those of pakbox.
func (c comparison) Time() float64 { return ratio(c.Theirs.Wall, c.Ours.Wall) }
func (c comparison) Cost() float64 { return ratio(c.Theirs.CPU, c.Ours.CPU) }

// Floors is the processor time of pakbox divided by that of the floor.
func (c comparison) Floors() float64 { return ratio(c.Ours.CPU, c.Theirs.CPU) }

// Busy is the wall clock divided by the processor time.
func (c comparison) Busy() float64 { return ratio(c.Ours.Wall, c.Ours.CPU) }

// Allowed is the memory that a command may hold.
func (c comparison) Allowed() int64 { return 64<<20 + 16*c.Largest }

// Job names the row, its work and the amount of input.
func (c comparison) Job() string {
	if c.Bytes > 0 {
		return fmt.Sprintf("`%s` %s (%d files, %s)", c.Row, c.What, c.Units, size(c.Bytes))
	}
	return fmt.Sprintf("`%s` %s (%d)", c.Row, c.What, c.Units)
}

// Verdict states whether a command is within its target, and which limit it exceeds.
func (r *report) Verdict(c comparison) string {
	var above []string
	if c.Missing != "" {
		return c.Missing
	}
	if c.Floors() > c.Target {
		above = append(above, fmt.Sprintf("%.1f times its target", c.Floors()/c.Target))
	}
	if c.Ours.Memory > c.Allowed() {
		above = append(above, "more than "+size(c.Allowed()))
	}
	if len(above) == 0 {
		return "within"
	}
	if why := r.reasons[c.Row]; why != "" {
		above = append(above, why)
	}
	return strings.Join(above, "; ")
}

// noise is the difference below which two figures count as even.
const noise = 0.05

// ahead names the faster of two, by the wall clock.
func (c comparison) ahead() string {
	switch t := c.Time(); {
	case c.Missing != "":
		return c.Missing
	case t >= 1+noise:
		return "**pakbox**"
	case t > 1-noise:
		return "even"
	default:
		return "peer"
	}
}

// Remark names the faster one, with the reason if that is the peer, and lists the files
// that the peer left out.
func (r *report) Remark(c comparison) string {
	words := c.ahead()
	if words == "peer" {
		why := r.reasons[c.Row+" / "+c.Peer]
		if why == "" {
			why = r.reasons[c.Row]
		}
		if why == "" {
			why = "behind, unexplained"
		}
		words += ": " + why
	}
	if c.Done != "" {
		words += fmt.Sprintf(": the peer gets through %s of %d files", c.Done, c.Units)
	}
	return words
}

// Count counts the comparisons with peers by their outcome.
func (r *report) Count(outcome string) (n int) {
	for _, c := range r.Peers() {
		if c.ahead() == outcome {
			n++
		}
	}
	return n
}

func (r *report) only(keep func(comparison) bool) (list []comparison) {
	for _, c := range r.Rows {
		if keep(c) {
			list = append(list, c)
		}
	}
	return list
}

// Commands, and the functions below, return the tables of the page.
func (r *report) Commands() []comparison {
	return r.only(func(c comparison) bool { return c.Target > 0 })
}
func (r *report) Libraries() []comparison {
	return r.only(func(c comparison) bool { return c.Library })
}
func (r *report) Peers() []comparison {
	return r.only(func(c comparison) bool { return !c.Floor && !c.Library })
}
func (r *report) OverFloors() []comparison {
	return r.only(func(c comparison) bool { return c.Floor && !c.Library && c.Target == 0 })
}

// growth is a command on inputs of growing size.
type growth struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`
	Steps []step `json:"steps"`
}

type step struct {
	Scale int    `json:"scale"`
	Units int    `json:"units"`
	Took  sample `json:"took"`
}

// PerUnit returns the processor time per unit. Other work on the machine hardly affects
// it.
func (s step) PerUnit() time.Duration { return s.Took.CPU / time.Duration(s.Units) }

// Growth from 100 to 1,000 times the input that still counts as flat: files are
// cached better or worse, and the garbage collector lets the heap double.
const (
	flatTime   = 1.25
	flatMemory = 8 << 20
)

// Time describes how the time per unit grows.
func (g growth) Time() string {
	before, last := g.Steps[len(g.Steps)-2], g.Steps[len(g.Steps)-1]
	if r := ratio(last.PerUnit(), before.PerUnit()); r > flatTime {
		return fmt.Sprintf("grows ×%.2f", r)
	} else {
		return fmt.Sprintf("flat (×%.2f)", r)
	}
}

// Memory describes how the memory grows.
func (r *report) Memory(g growth) string {
	before, last := g.Steps[len(g.Steps)-2], g.Steps[len(g.Steps)-1]
	more := last.Took.Memory - before.Took.Memory
	if more <= flatMemory {
		return "flat"
	}
	word := fmt.Sprintf("%.3g kB per unit", float64(more)/float64(last.Units-before.Units)/1e3)
	if why := r.memoryReasons[filepath.Base(g.Name)]; why != "" {
		word += ": " + why
	}
	return word
}

// machine describes the machine of the run.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	System string `json:"system"`
	Go     string `json:"go"`
	Load   string `json:"load,omitempty"` // when the run started
}

func thisMachine() machine {
	m := machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
			if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
			}
		}
	}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(data), " ")
	}
	return m
}

// clock formats a time with three digits.
func clock(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	default:
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	}
}

// size formats an amount of memory.
func size(n int64) string { return fmt.Sprintf("%.3g MB", float64(n)/1e6) }

// pages has the templates of docs/evidence/benchmarks.md and docs/evidence/benchmarks-all.md.
//
//go:embed page.md details.md
var pages embed.FS

// page fills a template.
func (r *report) page(name string) ([]byte, error) {
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	t, err := template.New(name).Funcs(template.FuncMap{"clock": clock, "size": size, "cell": cell}).ParseFS(pages, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, r)
	return b.Bytes(), err
}

// write writes the documents.
func (r *report) write(dir string, page, details []byte) error {
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"bench.json": append(data, '\n'), "benchmarks.md": page, "benchmarks-all.md": details,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
