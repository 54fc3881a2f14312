package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is everything a run found.
type report struct {
	Schema        string       `json:"schema"`
	Date          string       `json:"date"`
	Machine       machine      `json:"machine"`
	Rounds        int          `json:"rounds"`
	ScalingRounds int          `json:"scaling_rounds"`
	Rows          []comparison `json:"rows"`
	Scaling       []growth     `json:"scaling"`
	Explorer      string       `json:"explorer,omitempty"` // what load printed
}

// comparison is pakbox beside one reference.
type comparison struct {
	Row      string `json:"row"`
	What     string `json:"what"`
	Bytes    int64  `json:"input_bytes,omitempty"`
	Units    int    `json:"files"`
	OursName string `json:"ours"`
	Ours     sample `json:"ours_took"`
	Peer     string `json:"reference"`
	Floor    bool   `json:"floor"`
	Theirs   sample `json:"reference_took"`
	Missing  string `json:"missing,omitempty"`
	Done     string `json:"reference_did,omitempty"` // files, if not all

	Target  float64 `json:"target,omitempty"` // of a command: how many floors it may take
	Largest int64   `json:"largest_file,omitempty"`
	Library bool    `json:"library,omitempty"`
}

// wall and cpu tell how many times as fast as the reference pakbox is.
func (c comparison) wall() float64 { return ratio(c.Theirs.Wall, c.Ours.Wall) }
func (c comparison) cpu() float64  { return ratio(c.Theirs.CPU, c.Ours.CPU) }

func ratio(theirs, ours time.Duration) float64 {
	return float64(theirs) / float64(max(ours, 1))
}

// floors is how many times the processor time of the floor a command takes.
func (c comparison) floors() float64 { return ratio(c.Ours.CPU, c.Theirs.CPU) }

// allowed is how much memory a command may hold.
func (c comparison) allowed() int64 { return 64<<20 + 16*c.Largest }

// verdict tells whether a command is within its target, and what is above it.
func (c comparison) verdict() string {
	var above []string
	if c.Missing != "" {
		return c.Missing
	}
	if c.floors() > c.Target {
		above = append(above, fmt.Sprintf("%.1f times its target", c.floors()/c.Target))
	}
	if c.Ours.Memory > c.allowed() {
		above = append(above, "more than "+size(c.allowed()))
	}
	if len(above) == 0 {
		return "within"
	}
	if why := reasons[c.Row]; why != "" {
		above = append(above, why)
	}
	return strings.Join(above, "; ")
}

// noise is how far two figures may be apart and still count as even.
const noise = 0.05

// ahead tells who is, by the wall clock.
func (c comparison) ahead() string {
	switch r := c.wall(); {
	case c.Missing != "":
		return c.Missing
	case c.Floor:
		return "floor"
	case r >= 1+noise:
		return "pakbox"
	case r > 1-noise:
		return "even"
	default:
		return "peer"
	}
}

// remark is what else is to be said: why pakbox is behind, what the peer
// leaves out.
func (c comparison) remark() string {
	var words []string
	if c.ahead() == "peer" {
		if why := reasons[c.Row+" / "+c.Peer]; why != "" {
			words = append(words, why)
		} else if why := reasons[c.Row]; why != "" {
			words = append(words, why)
		} else {
			words = append(words, "behind, unexplained")
		}
	}
	if c.Done != "" {
		words = append(words, fmt.Sprintf("the reference gets through %s of %d files", c.Done, c.Units))
	}
	return strings.Join(words, "; ")
}

// machine is what the figures were taken on.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	System string `json:"system"`
	Go     string `json:"go"`
	Load   string `json:"load,omitempty"` // of the machine at the start, without this program
}

func thisMachine() machine {
	m := machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if name, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load, _, _ = strings.Cut(string(data), " ")
	}
	return m
}

func (m machine) String() string {
	s := fmt.Sprintf("%s, %d cores, %s, %s", m.CPU, m.Cores, m.System, m.Go)
	if m.Load != "" {
		s += ", load " + m.Load + " at the start"
	}
	return s
}

// text writes the tables for a terminal.
func (r *report) text(out io.Writer) error {
	fmt.Fprintf(out, "%s; %s; medians of %d\n\n", r.Date, r.Machine, r.Rounds)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	r.commandsText(w)
	if slices.ContainsFunc(r.Rows, func(c comparison) bool { return c.Target == 0 }) {
		fmt.Fprintln(w, "ROW\tPAKBOX\tCPU\tPEAK\tREFERENCE\tTOOK\tCPU\tPEAK\tx TIME\tx CPU\tAHEAD\t")
	}
	for _, c := range r.Rows {
		if c.Target > 0 {
			continue
		}
		if c.Missing != "" {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t\t\t\t\t\t%s\t\n", c.Row, clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory), c.Peer, c.Missing)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t%s\n", c.Row, clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory),
			c.Peer, clock(c.Theirs.Wall), clock(c.Theirs.CPU), size(c.Theirs.Memory), c.wall(), c.cpu(), c.ahead(), c.remark())
	}
	if r.Explorer != "" {
		fmt.Fprintf(w, "\nEXPLORER\n%s\n", r.Explorer)
	}
	if len(r.Scaling) > 0 {
		fmt.Fprint(w, "\nSCALING\tUNIT\t")
		for _, s := range scales {
			fmt.Fprintf(w, "x%d\t\t", s)
		}
		fmt.Fprintln(w, "TIME\tMEMORY\t")
	}
	for _, g := range r.Scaling {
		fmt.Fprintf(w, "%s\t%s\t", g.Name, g.Unit)
		for _, s := range g.Steps {
			fmt.Fprintf(w, "%s\t%s\t", clock(s.perUnit()), size(s.Took.Memory))
		}
		fmt.Fprintf(w, "%s\t%s\t\n", g.timeWord(), g.memoryWord())
	}
	return w.Flush()
}

// commandsText writes the commands that have targets.
func (r *report) commandsText(w io.Writer) {
	head := "COMMAND\tTOOK\tCPU\tPEAK\tFLOORS\tTARGET\tWALL/CPU\t\n"
	for _, c := range r.Rows {
		if c.Target == 0 {
			continue
		}
		fmt.Fprint(w, head)
		head = ""
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.1f\t%.0f\t%.2f\t%s\n", c.OursName, clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory),
			c.floors(), c.Target, ratio(c.Ours.Wall, c.Ours.CPU), c.verdict())
	}
	if head == "" {
		fmt.Fprintln(w)
	}
}

// clock writes a time with three digits.
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

// size writes an amount of memory.
func size(n int64) string { return fmt.Sprintf("%.3g MB", float64(n)/1e6) }

// write writes the documents.
func (r *report) write(dir string) error {
	r.Schema = "pakbox.bench/1"
	data, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"bench.json": append(data, '\n'), "benchmarks.md": r.markdown(),
		commandsPlot: r.commandsChart(), peersPlot: r.peersChart(), plotName: plot(r.Scaling),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
