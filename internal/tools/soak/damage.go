//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// look is a way to use a damaged file.
type look struct {
	name   string
	task   func(a *attack, box *sandbox) task
	writes bool // into the target
	// more is memory that it may hold beside the bound: a session keeps what it
	// was asked, and its own stores.
	more int64
}

// looks are what every damaged file goes through: commands, the index, the
// explorer and a mount.
var looks = []look{
	{name: "info", task: command("info")},
	{name: "ls", task: command("ls", "-l")},
	{name: "dump", task: command("dump")},
	{name: "verify", task: command("verify")},
	{name: "extract", task: command("extract", "-C", "out"), writes: true},
	{name: "index", task: command("index", "--lint", "--check", "--verify", "-o", "out/i.sqlite"), writes: true, more: 64 << 20},
	{name: "serve", task: explorer, more: 512 << 20},
	{name: "mount", task: mounted, more: 64 << 20},
}

// command is a look that is one command with the file as its last argument.
func command(args ...string) func(a *attack, box *sandbox) task {
	return func(a *attack, box *sandbox) task { return a.task(box, append(args[:len(args):len(args)], box.input)) }
}

// task runs pakbox in the sandbox within the bounds.
func (a *attack) task(box *sandbox, args []string) task {
	return task{
		args: args, dir: box.inside("."), root: box.root(),
		env:   []string{"TMPDIR=" + box.inside("tmp"), "PAKBOX_KEYS=" + box.inside("keys"), "PAKBOX_PASSPHRASE=" + a.passphrase},
		limit: timeBound(box.size), memory: memoryBound(box.size),
	}
}

// The bounds of SECURITY.md.
const (
	memoryPerByte = 16
	memoryBase    = 64 << 20
	timePerMB     = 5 * time.Second
	leastTime     = 5 * time.Second
)

// memoryBound is how much pakbox may hold for input of that size, beside what
// it takes to run at all.
func memoryBound(size int64) int64 { return memoryPerByte*size + memoryBase }

func timeBound(size int64) time.Duration {
	return max(leastTime, time.Duration(float64(timePerMB)*float64(size)/1e6))
}

// attack is the damage part: what its workers share.
type attack struct {
	*soak
	sources    []source
	passphrase string
	program    int64 // memory that pakbox takes to run at all

	mu    sync.Mutex
	next  uint64
	stats map[[2]string]*stat // by format and kind
}

// stat counts the runs with one kind of damage to one format.
type stat struct {
	cases, runs int
	codes       tally[int]
	memory      float64 // the most, as part of the bound
	time        float64 // the most, as part of the bound
	unmade      int     // inputs that could not be prepared
}

func (s *soak) damage(ctx context.Context, until time.Time) (section, error) {
	staySmall()
	a := &attack{soak: s, stats: map[[2]string]*stat{}}
	sec := section{title: "Damage"}
	var err error
	if a.sources, err = s.sources(ctx); err != nil {
		return sec, err
	}
	if a.passphrase, err = s.secrets(filepath.Join(s.work, "keys")); err != nil {
		return sec, err
	}
	idle, err := task{args: []string{"version"}}.run(ctx, s.pakbox)
	if err != nil {
		return sec, err
	}
	a.program = idle.peak

	errs := make([]error, s.workers)
	var wg sync.WaitGroup
	for w := range s.workers {
		wg.Go(func() { errs[w] = a.work(ctx, w, until) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return sec, err
		}
	}
	a.describe(&sec)
	return sec, nil
}

// work takes one case after the other until the time is over.
func (a *attack) work(ctx context.Context, worker int, until time.Time) error {
	box, err := newSandbox(a.soak, fmt.Sprintf("box%d", worker))
	if err != nil {
		return err
	}
	for time.Now().Before(until) && ctx.Err() == nil {
		a.mu.Lock()
		i := a.next
		a.next++
		a.mu.Unlock()
		if err := a.try(ctx, box, i); err != nil {
			return err
		}
	}
	return nil
}

// try is one case: a file, broken in one way, through all commands. Everything
// about it follows from the seed and its number.
func (a *attack) try(ctx context.Context, box *sandbox, number uint64) error {
	r := rand.New(rand.NewPCG(a.seed, number))
	src := a.sources[number%uint64(len(a.sources))]
	k := kinds[number/uint64(len(a.sources))%uint64(len(kinds))]
	in, other := src.inputs[r.IntN(len(src.inputs))], src.inputs[r.IntN(len(src.inputs))]

	data, err := a.load(ctx, box, in)
	if err != nil {
		return err
	}
	otherData, err := a.load(ctx, box, other)
	if err != nil {
		return err
	}
	st := a.stat(src.format, k.name)
	if data == nil || otherData == nil {
		a.mu.Lock()
		st.unmade++
		a.mu.Unlock()
		return nil
	}
	hit := r.IntN(len(data))
	data[hit] = k.apply(r, data[hit], otherData[min(hit, len(otherData)-1)])
	if err := box.fill(in, data); err != nil {
		return err
	}
	a.mu.Lock()
	st.cases++
	a.mu.Unlock()
	for _, look := range looks {
		if look.name == "mount" && !canMount() {
			continue
		}
		if err := a.look(ctx, box, st, look, fmt.Sprintf("%s, %s, %s (case %d)", src.format, in.name(), k.name, number)); err != nil {
			return err
		}
	}
	return nil
}

// load reads the files of an input. A deep one is unpacked by pakbox first;
// nil if it cannot be, because it is broken as it is.
func (a *attack) load(ctx context.Context, box *sandbox, in input) ([][]byte, error) {
	path := in.path
	if in.deep {
		path = filepath.Join(a.soak.work, box.name+".unpacked.Gbx")
		o, err := task{args: []string{"convert", "--force", "--body", "uncompressed", in.path, path}, limit: time.Minute}.run(ctx, a.pakbox)
		if err != nil || o.code != 0 {
			return nil, err
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := [][]byte{data}
	if in.beside != "" {
		data, err := os.ReadFile(in.beside)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// look uses what is in the sandbox in one way and judges it.
func (a *attack) look(ctx context.Context, box *sandbox, st *stat, l look, what string) error {
	t := l.task(a, box)
	bound := memoryBound(box.size) + l.more
	t.memory = bound
	o, err := t.run(ctx, a.pakbox)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if o.hung {
		// On a busy machine one slow run proves nothing: it has to be slow
		// twice.
		if err := box.empty(); err != nil {
			return err
		}
		if o, err = t.run(ctx, a.pakbox); err != nil {
			return err
		}
	}
	problem := o.problem()
	if over := o.peak - a.program - bound; over > 0 && problem == "" {
		problem = fmt.Sprintf("memory %s for %s of input, %s above the bound", mib(o.peak-a.program), mib(box.size), mib(over))
	}
	strays, err := box.strays(l.writes)
	if err != nil {
		return err
	}
	if len(strays) > 0 {
		problem = "wrote outside the target: " + strings.Join(strays, ", ")
	}
	a.mu.Lock()
	st.runs++
	st.codes[o.code]++
	st.memory = max(st.memory, float64(o.peak-a.program)/float64(bound))
	st.time = max(st.time, float64(o.took)/float64(t.limit))
	a.mu.Unlock()
	if problem != "" {
		command := "pakbox " + strings.Join(t.args, " ")
		if err := a.findings.add(fmt.Sprintf("%s: `%s`: %s", what, command, problem),
			fmt.Sprintf("seed %d\nexit code %d, %v, %s\n\n%s", a.seed, o.code, o.took, mib(o.peak), o.stderr), box.inputs()...); err != nil {
			return err
		}
	}
	return box.empty()
}

func (a *attack) stat(format, kind string) *stat {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := [2]string{format, kind}
	if a.stats[key] == nil {
		a.stats[key] = &stat{codes: tally[int]{}}
	}
	return a.stats[key]
}

// describe writes the section.
func (a *attack) describe(sec *section) {
	t := &table{head: []string{"format", "damage", "files", "runs", "exit codes", "memory, of the bound", "time, of the bound"}}
	cases, runs := 0, 0
	for _, src := range a.sources {
		for _, k := range kinds {
			st := a.stats[[2]string{src.format, k.name}]
			if st == nil {
				continue
			}
			cases, runs = cases+st.cases, runs+st.runs
			t.add(src.format, k.name, st.cases, st.runs, codes(st.codes), fmt.Sprintf("%.0f %%", 100*st.memory), fmt.Sprintf("%.0f %%", 100*st.time))
		}
	}
	sec.table = t
	sec.notes = append(sec.notes,
		fmt.Sprintf("%d damaged files, %d runs of pakbox, each a process of its own: %s.", cases, runs, lookNames()),
		fmt.Sprintf("Bounds: %d times the input and %s beside the %s that pakbox takes to run at all (GOMEMLIMIT is set to the bound, resident memory is measured by the kernel); %v per megabyte, at least %v.",
			memoryPerByte, mib(memoryBase), mib(a.program), timePerMB, leastTime),
		fmt.Sprintf("Soak itself held %s, below which the kernel's figure for a child does not go.", mib(ownPeak())))
	sec.notes = append(sec.notes, fmt.Sprintf("`serve` answers the %d questions that the page asks about a file; what `mount` shows is walked through and read.", len(questions)), moreNotes())
	if !canMount() {
		sec.notes = append(sec.notes, "Nothing was mounted: that takes root and /dev/fuse.")
	}
	if !canChroot() {
		sec.notes = append(sec.notes, "Not root: the program was not locked into its folder, so absolute paths were not watched.")
	}
}

func lookNames() string {
	var names []string
	for _, l := range looks {
		names = append(names, "`"+l.name+"`")
	}
	return strings.Join(names, ", ")
}

// moreNotes says what may hold more than the bound.
func moreNotes() string {
	var parts []string
	for _, l := range looks {
		if l.more > 0 {
			parts = append(parts, fmt.Sprintf("`%s` %s", l.name, mib(l.more)))
		}
	}
	return "Beside the bound may hold, for what they keep: " + strings.Join(parts, ", ") + "."
}
