package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pakbox/internal/testkit/corpus"
)

// sample is the time and memory that a command takes.
type sample struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	Memory int64         `json:"peak_bytes"`
}

// prepared is a command that is ready to run: its arguments, and a shell script that runs
// before it.
type prepared struct {
	command
	args   []string
	before string
	done   string // the number of files that it reports to have processed
	took   []sample
}

// compare makes the inputs of a row and measures its commands in turns.
func (b *bench) compare(r row, rounds int) ([]comparison, error) {
	all, err := b.prepare(r, 0)
	if err != nil {
		return nil, err
	}
	base := comparison{Row: r.name, What: r.what, OursName: all[0].name, Target: r.target, Library: strings.HasPrefix(all[0].name, "library:")}
	if base.Units, err = strconv.Atoi(r.of); err != nil {
		paths, size, largest, err := b.files(b.dir, r.of)
		if err != nil {
			return nil, err
		}
		base.Units, base.Bytes, base.Largest = len(paths), size, largest
	}
	if err := b.measure(all, r.anyExit, rounds); err != nil {
		return nil, err
	}
	base.Ours = median(all[0].took)
	var list []comparison
	for _, p := range all[1:] {
		c := base
		c.Peer, c.Floor = p.name, p.floor
		if len(p.took) == 0 {
			c.Missing = "peer missing"
		} else {
			c.Theirs = median(p.took)
			if !p.floor && p.done != "" && p.done != fmt.Sprint(c.Units) {
				c.Done = p.done
			}
		}
		list = append(list, c)
	}
	return list, nil
}

var scales = []int{1, 10, 100, 1000}

// scale measures a command on inputs of growing size.
func (b *bench) scale(r row, rounds int) (growth, error) {
	g := growth{Name: r.name, Unit: r.unit}
	for _, scale := range scales {
		n := r.base * scale
		all, err := b.prepare(r, n)
		if err == nil {
			err = b.measure(all, false, rounds)
		}
		if err != nil {
			return g, fmt.Errorf("×%d: %w", scale, err)
		}
		g.Steps = append(g.Steps, step{scale, n, median(all[0].took)})
	}
	return g, nil
}

// prepare makes the inputs of a row and fills in its commands. n is the factor in the
// scaling part.
func (b *bench) prepare(r row, n int) (all []prepared, err error) {
	count := strings.NewReplacer("{n}", fmt.Sprint(n))
	for _, need := range r.needs {
		cmd := exec.Command("make", "--silent", "-f", "inputs.mk", count.Replace(need))
		cmd.Dir = b.dir
		if out, err := cmd.CombinedOutput(); err != nil { // commands of a missing peer are left out
			fmt.Fprintf(os.Stderr, "bench: %s cannot be made: %s\n", need, lastLine(out))
		}
	}
	for i, c := range r.commands {
		p := prepared{command: c}
		if p.args, err = b.arguments(count.Replace(c.line)); err != nil {
			return nil, err
		}
		for _, out := range r.out {
			if slices.Contains(p.args, out) || strings.Contains(c.line, out) {
				p.before += "fresh " + out + "; "
			}
		}
		if i == 0 {
			p.before += r.before
		}
		all = append(all, p)
	}
	return all, nil
}

var word = regexp.MustCompile(`"[^"]*"|\S+`)

// arguments splits a command into words and replaces the names of sets by their files.
func (b *bench) arguments(line string) (args []string, err error) {
	for _, w := range word.FindAllString(line, -1) {
		w = strings.Trim(w, `"`)
		set, isSet := strings.CutPrefix(w, "{")
		if set, ok := strings.CutSuffix(set, "}"); ok && isSet {
			paths, _, _, err := b.files(b.dir, set)
			if err != nil {
				return nil, err
			}
			args = append(args, paths...)
			continue
		}
		args = append(args, strings.ReplaceAll(w, "{corpus}", corpus.Root()))
	}
	return args, nil
}

// freshScript defines the shell function that removes an old output. It moves a folder
// aside and empties its files: removing many files would slow down the next run, as the
// comment of this program explains.
const freshScript = `set -e
fresh() {
	if [ -d "$1" ]; then
		find "$1" -type f -exec truncate -s 0 {} +
		mkdir -p aside
		mv "$1" "$(mktemp -d -p aside)"
	else
		rm -rf "$1" "$1"-*
	fi
	case "$1" in */) mkdir -p "$1" ;; esac
}
`

var doneLine = regexp.MustCompile(`(?m)^done (\d+)$`)

// measure runs commands in turns. The first turn fills the caches, and gives the peak
// memory and the number of files that each command processed. Commands whose program is
// missing get no samples.
func (b *bench) measure(all []prepared, anyExit bool, rounds int) error {
	var present []*prepared
	args := []string{"--shell=none", "--runs=1", "--style=none", "--export-json=took.json"}
	if anyExit {
		args = append(args, "--ignore-failure")
	}
	var memory []int64
	for i := range all {
		p := &all[i]
		if _, err := exec.LookPath(p.args[0]); err != nil && i > 0 {
			continue
		}
		script := fmt.Sprintf("before%d.sh", i)
		if err := os.WriteFile(filepath.Join(b.dir, script), []byte(freshScript+p.before+"\n"), 0o666); err != nil {
			return err
		}
		if out, err := b.command("sh", script).CombinedOutput(); err != nil {
			return fmt.Errorf("before %s: %w: %s", p.name, err, lastLine(out))
		}
		var stderr bytes.Buffer
		first := b.command("time", append([]string{"--quiet", "--format=%M", "--output=peak"}, p.args...)...)
		first.Stderr = &stderr
		out, err := first.Output()
		if err != nil && !anyExit {
			return fmt.Errorf("%s: %w: %s", p.name, err, lastLine(stderr.Bytes()))
		}
		if m := doneLine.FindSubmatch(out); m != nil {
			p.done = string(m[1])
		}
		peak, err := os.ReadFile(filepath.Join(b.dir, "peak"))
		if err != nil {
			return err
		}
		kilobytes, err := strconv.ParseInt(string(lastLine(peak)), 10, 64)
		if err != nil {
			return err
		}
		memory = append(memory, kilobytes<<10)
		present = append(present, p)
		args = append(args, "--prepare", "sh "+script, quoted(p.args))
	}
	for range rounds {
		if out, err := b.command("hyperfine", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("hyperfine: %w: %s", err, lastLine(out))
		}
		data, err := os.ReadFile(filepath.Join(b.dir, "took.json"))
		if err != nil {
			return err
		}
		var took struct {
			Results []struct{ Mean, User, System float64 }
		}
		if err := json.Unmarshal(data, &took); err != nil || len(took.Results) != len(present) {
			return errors.Join(err, fmt.Errorf("hyperfine reported %d commands, want %d", len(took.Results), len(present)))
		}
		for i, t := range took.Results {
			present[i].took = append(present[i].took, sample{seconds(t.Mean), seconds(t.User + t.System), memory[i]})
		}
	}
	return nil
}

func (b *bench) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = b.dir
	return cmd
}

// quoted quotes arguments for a shell.
func quoted(args []string) string {
	var line strings.Builder
	for _, a := range args {
		line.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "' ")
	}
	return line.String()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func lastLine(b []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return lines[len(lines)-1]
}

// median takes the median of each figure separately.
func median(list []sample) sample {
	pick := func(of func(sample) int64) int64 {
		var values []int64
		for _, s := range list {
			values = append(values, of(s))
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
