//go:build linux

package soak

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

//go:embed looks.txt
var looksText string

// look is a line of looks.txt: a way to use a damaged file.
type look struct {
	name   string
	args   []string
	more   int64 // memory beside the bound
	writes bool  // into the target
}

// readLooks reads looks.txt. Without root nothing can be mounted.
func readLooks() (all []look) {
	for line := range strings.Lines(looksText) {
		if fields := strings.Fields(line); fields[0] != "#" && (fields[0] != "mount" || isRoot() && exists("/dev/fuse")) {
			more, _ := strconv.ParseInt(fields[1], 10, 64)
			all = append(all, look{fields[0], fields[2:], more << 20, strings.Contains(line, " out")})
		}
	}
	return all
}

// The bounds of SECURITY.md, for input of a size.
func memoryBound(size int64) int64 { return 16*size + 64<<20 }

func timeBound(size int64) time.Duration {
	return max(5*time.Second, time.Duration(size)*5*time.Microsecond)
}

// attack is the damage part.
type attack struct {
	*soak
	sources []source
	looks   []look
	env     []string // keys, passphrases, and the questions of the explorer
	idle    int64    // memory that pakbox takes to run at all
	next    atomic.Uint64
	counts  map[string]*count // by format
}

// count counts the runs with files of one format. memory and time are the most, as
// parts of their bounds.
type count struct {
	files, runs  int
	codes        [4]int
	memory, time float64
}

func TestDamage(t *testing.T) {
	a := &attack{soak: start(t), looks: readLooks(), counts: map[string]*count{}}
	a.sources = a.findSources()
	a.env = []string{"PATH=" + os.Getenv("PATH"), "PAKBOX_PASSPHRASE=" + a.writeSecrets(), "QUESTIONS=" + questions()}
	for _, script := range []string{"serve.sh", "mount.sh"} {
		data, err := os.ReadFile(script)
		a.ok(err)
		a.ok(os.WriteFile(filepath.Join(a.work, script), data, 0o666))
	}
	idle, err := task{args: []string{"pakbox", "version"}}.run(t.Context())
	a.ok(err)
	a.idle = idle.peak
	var all sync.WaitGroup
	for w := range *workers {
		b := newSandbox(a.soak, filepath.Join(a.work, fmt.Sprintf("box%d", w)))
		all.Go(func() {
			for number := a.number(); time.Now().Before(a.until) || number < uint64(len(a.sources)); number = a.number() {
				a.try(b, number)
			}
		})
	}
	all.Wait()
	a.addSection("Damage", a.describe())
}

// number is the number of the next case.
func (a *attack) number() uint64 { return a.next.Add(1) - 1 }

// try is one case: a file, damaged in one way, goes through all looks. Everything
// about it follows from the seed and its number.
func (a *attack) try(b *sandbox, number uint64) {
	r := rand.New(rand.NewPCG(*seed, number))
	src := a.sources[number%uint64(len(a.sources))]
	k := kinds[number/uint64(len(a.sources))%uint64(len(kinds))]
	in, other := src.inputs[r.IntN(len(src.inputs))], src.inputs[r.IntN(len(src.inputs))]
	data, otherData := a.load(b, in), a.load(b, other)
	if data == nil || otherData == nil {
		return
	}
	hit := r.IntN(len(data))
	data[hit] = k.apply(r, data[hit], otherData[min(hit, len(otherData)-1)])
	a.ok(b.fill(in, data))
	a.mu.Lock()
	if a.counts[src.format] == nil {
		a.counts[src.format] = &count{}
	}
	a.counts[src.format].files++
	a.mu.Unlock()
	for _, l := range a.looks {
		a.look(b, l, a.counts[src.format], fmt.Sprintf("%s, %s, %s (case %d)", src.format, filepath.Base(in.files[0]), k.name, number))
	}
}

// look uses the file in the sandbox in one way and judges the outcome. Shell scripts
// cannot be locked into the sandbox, as they use other programs and devices.
func (a *attack) look(b *sandbox, l look, c *count, what string) {
	root := b.top
	if l.args[0] == "sh" || !isRoot() {
		root = ""
	}
	inside := func(name string) string { return strings.TrimPrefix(filepath.Join(b.base, name), root) }
	t := task{
		dir: inside("."), root: root, env: append([]string{"TMPDIR=" + inside("tmp"), "PAKBOX_KEYS=" + inside("keys")}, a.env...),
		limit: timeBound(b.size), memory: memoryBound(b.size) + l.more,
	}
	for _, arg := range l.args {
		if arg == "FILE" {
			arg = b.input
		}
		t.args = append(t.args, arg)
	}
	if l.args[0] == "sh" {
		t.args[1] = filepath.Join(a.work, t.args[1])
	}
	if l.name == "serve" { // many questions
		t.limit *= 40
	}
	o, err := t.run(a.Context())
	if err == nil && o.hung { // on a busy machine it must be slow twice
		a.ok(b.empty())
		o, err = t.run(a.Context())
	}
	a.ok(err)
	problem := o.problem()
	held := o.peak - a.idle
	if held > t.memory && problem == "" {
		problem = fmt.Sprintf("held %d MiB for %d kB of input", held>>20, b.size/1000)
	}
	strays, err := b.strays(l.writes)
	a.ok(err)
	if len(strays) > 0 {
		problem = "wrote outside the target: " + strings.Join(strays, ", ")
	}
	a.mu.Lock()
	c.runs++
	c.codes[max(0, min(o.code, 3))]++
	c.memory = max(c.memory, float64(held)/float64(t.memory))
	c.time = max(c.time, float64(o.took)/float64(t.limit))
	a.mu.Unlock()
	if problem != "" {
		summary := fmt.Sprintf("%s: `%s`: %s", what, strings.Join(t.args, " "), problem)
		a.find(summary, fmt.Sprintf("seed %d, exit code %d, %v, %d MiB\n\n%s", *seed, o.code, o.took, o.peak>>20, o.stderr), b.inputs()...)
	}
	a.ok(b.empty())
}

// describe writes the part of the report.
func (a *attack) describe() string {
	var out strings.Builder
	var files, runs int
	for _, format := range slices.Sorted(maps.Keys(a.counts)) {
		c := a.counts[format]
		files, runs = files+c.files, runs+c.runs
		fmt.Fprintf(&out, "| %s | %d | %d | %d, %d, %d, %d | %.0f %% | %.0f %% |\n", format, c.files, c.runs, c.codes[0], c.codes[1], c.codes[2], c.codes[3], 100*c.memory, 100*c.time)
	}
	var names, ways []string
	for _, l := range a.looks {
		names = append(names, "`"+l.name+"`")
	}
	for _, k := range kinds {
		ways = append(ways, k.name)
	}
	text := fmt.Sprintf("%d damaged files went through %d processes of pakbox: %s. `serve` answers every question of the page,\nand the mounted files are read. Kinds of damage: %s.\nThe bounds: 16 times the input and 64 MiB beside the %d MiB of an idle pakbox (`index` and `mount` 64 MiB more, `serve` 512);\n5 s of processor time per megabyte, at least 5 s.\n",
		files, runs, strings.Join(names, ", "), strings.Join(ways, ", "), a.idle>>20)
	if !isRoot() {
		text += "Soak was not root: nothing was mounted, and the program was not locked into its folder.\n"
	}
	return text + "\n| format | files | processes | exit codes 0, 1, 2, 3 | most memory, of the bound | most time, of the bound |\n|---|---|---|---|---|---|\n" + out.String()
}

// sandbox is the whole world of a process: the damaged file, a target folder, and
// little else. Anything new outside the target is a finding. The folder is deep, so
// that paths with a few "../" stay inside even without root.
type sandbox struct {
	top, base string // the world, and the folder in it in which pakbox runs
	input     string // path of the damaged file for pakbox
	size      int64  // of the input
	known     map[string]string
}

func newSandbox(s *soak, top string) *sandbox {
	b := &sandbox{top: top, base: filepath.Join(top, "a/b/c/d")}
	for _, dir := range []string{"out", "in", "tmp"} {
		s.ok(os.MkdirAll(filepath.Join(b.base, dir), 0o777))
	}
	s.ok(os.Link(filepath.Join(s.work, "pakbox"), filepath.Join(top, "pakbox")))
	s.ok(os.Link(filepath.Join(s.work, "keys"), filepath.Join(b.base, "keys")))
	return b
}

// fill puts a damaged input in place of the last one.
func (b *sandbox) fill(in input, data [][]byte) error {
	dir := filepath.Join(b.base, "in")
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777)); err != nil {
		return err
	}
	b.input, b.size = filepath.Join("in", filepath.Base(in.files[0])), 0
	for i := range data {
		b.size += int64(len(data[i]))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(in.files[i])), data[i], 0o666); err != nil {
			return err
		}
	}
	return b.empty()
}

func (b *sandbox) inputs() []string {
	names, _ := filepath.Glob(filepath.Join(b.base, "in", "*"))
	return names
}

// list describes every file of the sandbox so that a change shows.
func (b *sandbox) list() (map[string]string, error) {
	all := map[string]string{}
	return all, filepath.WalkDir(b.top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == b.top {
			return err
		}
		info, err := d.Info()
		if err == nil && d.IsDir() {
			all[path] = "a folder"
		} else if err == nil {
			all[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
}

// strays lists what is new, changed or gone outside the target. In the target, files
// and folders may appear if the command writes, but no links.
func (b *sandbox) strays(writes bool) (names []string, err error) {
	all, err := b.list()
	out := filepath.Join(b.base, "out") + "/"
	for path, now := range all {
		if b.known[path] != now && !(writes && strings.HasPrefix(path, out) && (now[0] == '-' || now == "a folder")) {
			names = append(names, strings.TrimPrefix(path, b.top+"/"))
		}
	}
	for path := range b.known {
		if all[path] == "" {
			names = append(names, strings.TrimPrefix(path, b.top+"/")+" (gone)")
		}
	}
	slices.Sort(names)
	return names, err
}

// empty clears the target, and marks stray files as known.
func (b *sandbox) empty() (err error) {
	out := filepath.Join(b.base, "out")
	if err := errors.Join(os.RemoveAll(out), os.Mkdir(out, 0o777)); err != nil {
		return err
	}
	b.known, err = b.list()
	return err
}
