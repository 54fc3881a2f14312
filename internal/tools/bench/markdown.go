package main

import (
	"bytes"
	"fmt"
	"strings"
)

// markdown writes docs/benchmarks.md.
func (r *report) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Benchmarks

Written by %[1]smake bench%[1]s on %[2]s (%[3]s). The same figures are in
[bench.json](bench.json).

Every job runs as a whole process, start included, on the real files that the
tests use, in turns with its references; the figures are medians of %[4]d rounds.
CPU is the processor time of all cores, peak the most memory held. **×** is the
reference's figure divided by pakbox's: above 1, pakbox is faster. What is less
than %[5]d %% apart counts as even. A machine's own figures mean little elsewhere;
the ratios mean more.

`, "`", r.Date, r.Machine, r.Rounds, int(noise*100))
	r.commands(&b)
	r.library(&b)
	r.peers(&b)
	r.floors(&b)
	r.explorer(&b)
	r.growths(&b)
	return b.Bytes()
}

// commands is the table of the commands that have targets.
func (r *report) commands(b *bytes.Buffer) {
	b.WriteString(`## Commands

What people type, beside the floor of everybody who reads these files: liblzo2
in C, which unpacks the same bodies and understands nothing of them. **Floors**
is how many times its processor time the whole process takes. A command may hold
64 MiB and 16 times the largest file; on several files it should keep both cores
busy, so that it takes at most 0.6 of its processor time.

![Processor time of commands over liblzo2's](` + commandsPlot + `)

| command | took | CPU | peak | allowed | floors | target | time / CPU | |
|---|---|---|---|---|---|---|---|---|
`)
	for _, c := range r.Rows {
		if c.Target > 0 {
			fmt.Fprintf(b, "| `%s` %s (%d files, %s) | %s | %s | %s | %s | %.1f | %.0f | %.2f | %s |\n", cell(c.OursName), c.What, c.Units, size(c.Bytes),
				clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory), size(c.allowed()), c.floors(), c.Target, ratio(c.Ours.Wall, c.Ours.CPU), cell(c.verdict()))
		}
	}
	b.WriteByte('\n')
}

// library is the table of what the library does alone.
func (r *report) library(b *bytes.Buffer) {
	b.WriteString(`## The library alone

The same work without the command around it: one call for each file, on one core.

| job | pakbox | CPU | peak | reference | took | CPU | × CPU |
|---|---|---|---|---|---|---|---|
`)
	for _, c := range r.Rows {
		switch {
		case !c.Library:
		case c.Missing != "":
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | | |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory), cell(c.Peer), c.Missing)
		default:
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %.2f |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory),
				cell(c.Peer), clock(c.Theirs.Wall), clock(c.Theirs.CPU), c.cpu())
		}
	}
	b.WriteByte('\n')
}

func (r *report) peers(b *bytes.Buffer) {
	counts := map[string]int{}
	for _, c := range r.Rows {
		if !c.Floor && !c.Library {
			counts[c.ahead()]++
		}
	}
	fmt.Fprintf(b, "## Beside its peers\n\nAhead in %d comparisons, even in %d, behind in %d", counts["pakbox"], counts["even"], counts["peer"])
	if n := counts["peer missing"]; n > 0 {
		fmt.Fprintf(b, "; in %d the peer was missing", n)
	}
	b.WriteString(".\n\n![How many times as fast as its peers pakbox is](" + peersPlot + ")\n\n| job | pakbox | CPU | peak | peer | took | CPU | peak | × time | × CPU | ahead |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, c := range r.Rows {
		if c.Floor || c.Library {
			continue
		}
		if c.Missing != "" {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | | | | | | %s |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory), cell(c.Peer), c.Missing)
			continue
		}
		verdict := c.ahead()
		if verdict == "pakbox" {
			verdict = "**pakbox**"
		}
		if remark := c.remark(); remark != "" {
			verdict += ": " + remark
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %.2f | %.2f | %s |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory),
			cell(c.Peer), clock(c.Theirs.Wall), clock(c.Theirs.CPU), size(c.Theirs.Memory), c.wall(), c.cpu(), cell(verdict))
	}
	b.WriteByte('\n')
}

func (r *report) floors(b *bytes.Buffer) {
	b.WriteString(`## Above the floor

A floor does only what nobody can avoid: it reads the same bytes, copies the same
files, or unpacks the same bodies with liblzo2 in C, and understands nothing of
them. **Floors** is how many times the floor's processor time pakbox takes.

| job | pakbox | CPU | peak | floor | took | CPU | floors |
|---|---|---|---|---|---|---|---|
`)
	for _, c := range r.Rows {
		switch {
		case !c.Floor || c.Library || c.Target > 0:
		case c.Missing != "":
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | | |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory), cell(c.Peer), c.Missing)
		default:
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %.1f |\n", c.what(), clock(c.Ours.Wall), clock(c.Ours.CPU), size(c.Ours.Memory),
				cell(c.Peer), clock(c.Theirs.Wall), clock(c.Theirs.CPU), 1/c.cpu())
		}
	}
	b.WriteByte('\n')
}

// explorer is what many people at once wait for.
func (r *report) explorer(b *bytes.Buffer) {
	if r.Explorer == "" {
		return
	}
	fmt.Fprintf(b, `## The explorer under load

What internal/tools/load printed: clients that ask %[1]spakbox serve%[1]s one question after
the other, all at once, and leave before one answer in twenty.

%[2]s

`, "`", r.Explorer)
}

// what names the job and how much of it there is.
func (c comparison) what() string {
	s := "`" + c.Row + "` " + c.What
	if c.Bytes > 0 {
		return fmt.Sprintf("%s (%d files, %s)", s, c.Units, size(c.Bytes))
	}
	return fmt.Sprintf("%s (%d)", s, c.Units)
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

func (r *report) growths(b *bytes.Buffer) {
	if len(r.Scaling) == 0 {
		return
	}
	fmt.Fprintf(b, `## Scaling

The same commands on 1, 10, 100 and 1,000 times the input; medians of %[1]d rounds.
Each column holds the processor time per unit, start included, and the peak
memory. Small inputs show what starting costs. The last columns compare 1,000 with
100: time per unit and memory that do not grow with the input are flat.
Extracting small files is mostly the file system's work: %[3]scp -r%[3]s of the same files
shows how much, and whether that grows.

![Time per unit and memory over the size of the input](%[2]s)

| command | unit |`, r.ScalingRounds, plotName, "`")
	for _, s := range scales {
		fmt.Fprintf(b, " ×%d |", s)
	}
	b.WriteString(" time per unit | memory |\n|---|---|" + strings.Repeat("---|", len(scales)) + "---|---|\n")
	for _, g := range r.Scaling {
		fmt.Fprintf(b, "| `%s` | %s |", g.Name, g.Unit)
		for _, s := range g.Steps {
			fmt.Fprintf(b, " %s, %s |", clock(s.perUnit()), size(s.Took.Memory))
		}
		fmt.Fprintf(b, " %s | %s |\n", cell(g.timeWord()), cell(g.memoryWord()))
	}
}
