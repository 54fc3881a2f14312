//go:build linux

package soak

import (
	"bytes"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"pakbox/cmd/tools/formats"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
)

//go:embed writers.txt
var writersText string

// writer is a command that writes, as writers.txt has it.
type writer struct {
	name    string
	before  [][]string
	args    []string
	several bool // it writes many files, each of which is old or new by itself
	noted   bool // notes among them say that the folder is finished, and go before it changes
	partial bool // a new file may be found half-written after a kill
}

// readWriters reads writers.txt, and the commands that print.
func readWriters() (writers []writer, printers [][]string, err error) {
	type format struct{ Name, Ext string }
	var packing []format
	for _, f := range formats.Packing() {
		packing = append(packing, format{f.Name(), formats.Extension(f)})
		if packing[len(packing)-1].Ext == "" {
			packing[len(packing)-1].Ext = "/"
		}
	}
	var text bytes.Buffer
	if err := template.Must(template.New("").Parse(writersText)).Execute(&text, packing); err != nil {
		return nil, nil, err
	}
	real := map[string]string{"{map}": "03043000/*.[Mm]ap.[Gg]bx", "{replay}": "03093000/*.[Rr]eplay.[Gg]bx", "{item}": "2e002000/*.[Ii]tem.[Gg]bx"}
	for name, pattern := range real {
		if found, _ := filepath.Glob(filepath.Join(corpus.Root(), "gbx", pattern)); len(found) > 0 {
			real[name] = found[0]
		}
	}
	for line := range strings.Lines(text.String()) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		words := strings.Fields(rest)
		for i, w := range words {
			if real[w] != "" {
				words[i] = real[w]
			}
		}
		switch kind {
		case "", "#":
		case "print":
			printers = append(printers, append([]string{"pakbox"}, words...))
		case "write", "write-several", "write-noted", "write-partial":
			writers = append(writers, writer{name: rest, several: kind != "write", noted: kind == "write-noted", partial: kind == "write-partial"})
		case "before":
			writers[len(writers)-1].before = append(writers[len(writers)-1].before, words)
		case "run":
			writers[len(writers)-1].args = append([]string{"pakbox"}, words...)
		default:
			return nil, nil, fmt.Errorf("writers.txt: %q", line)
		}
	}
	if _, err := os.Stat(real["{map}"]); err != nil { // no real files
		writers = slices.DeleteFunc(writers, func(w writer) bool { return strings.HasPrefix(w.name, "GBX: ") })
	}
	return writers, printers, nil
}

// fault is one way in which writing goes wrong. level, from 0 to just below 1, is the
// moment at which it strikes.
type fault struct {
	name   string
	levels int
	arm    func(st *stand, t *task, level float64) error
}

var faultKinds = []fault{
	{"full disk", 6, func(st *stand, _ *task, level float64) error {
		size := 0
		for _, f := range st.oldSizes {
			size += (f + 4095) &^ 4095
		}
		size = max(4096, size+int(level*float64(st.room)))
		st.mounted = true
		return syscall.Mount("tmpfs", st.at, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", size))
	}},
	{"short write", 6, func(st *stand, t *task, level float64) error {
		t.fileSize = uint64(1 + level*float64(st.largest))
		return nil
	}},
	{"no permission", 1, func(_ *stand, t *task, _ float64) error {
		t.uid = 65534 // nobody; root may write everywhere
		return nil
	}},
	{"kill", 6, func(st *stand, t *task, level float64) error {
		t.killAt = max(time.Microsecond, time.Duration(level*1.3*float64(st.took)))
		return nil
	}},
}

// stand is a command under test. It runs in dir, which holds src, its input, and at,
// the only folder that it may change. old, was and will are the files of at before
// the command, and both states as they are compared.
type stand struct {
	*soak
	writer
	dir, at, old string
	was, will    state
	oldSizes     []int
	largest      int // of the new files
	room         int // that all new files take
	took         time.Duration
	mounted      bool
}

// tally counts what was found after one kind of fault.
type tally struct{ runs, old, new, some int }

func TestFaults(t *testing.T) {
	if !isRoot() {
		peer.Missing(t, "small disks and another user need root")
	}
	s := start(t)
	dir := filepath.Join(s.work, "faults")
	writers, printers, err := readWriters()
	s.ok(err)
	s.writeSources(dir)
	s.fullOutput(dir, printers)
	if *total == 0 { // a short test: every sixteenth command
		writers = slices.Collect(func(yield func(writer) bool) {
			for i := 0; i < len(writers) && yield(writers[i]); i += 16 {
			}
		})
	}
	tallies := make([]tally, len(faultKinds))
	rounds := 0
	for ; rounds == 0 || time.Now().Before(s.until); rounds++ {
		for _, w := range writers {
			if rounds > 0 && time.Now().After(s.until) {
				break
			}
			s.tryAll(dir, w, rounds, tallies)
		}
	}
	text := fmt.Sprintf("%d commands that write met every fault at several moments, in %d rounds; %d commands that print met a full standard\noutput. Afterwards the old state was there, or the new one, or (of commands that write many files) some complete new files.\nNothing else was left behind, except after a kill, and the command succeeded when it was run again.\n\n| fault | runs | old | new | some new |\n|---|---|---|---|---|\n", len(writers), rounds, len(printers))
	for i, t := range tallies {
		text += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", faultKinds[i].name, t.runs, t.old, t.new, t.some)
	}
	s.addSection("Faults", text)
}

// must runs a command of pakbox that has to succeed.
func (s *soak) must(dir string, args ...string) {
	s.Helper()
	o, err := task{args: append([]string{"pakbox"}, args...), dir: dir}.run(s.Context())
	if err != nil || o.code != 0 {
		s.Fatalf("pakbox %s: %v, exit code %d: %s", strings.Join(args, " "), err, o.code, o.stderr)
	}
}

// fullOutput lets the commands that print meet a standard output that takes nothing.
func (s *soak) fullOutput(dir string, printers [][]string) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	s.ok(err)
	defer full.Close()
	for _, args := range printers {
		o, err := task{args: args, dir: dir, stdout: full, limit: time.Minute}.run(s.Context())
		s.ok(err)
		problem := o.problem()
		if problem == "" && o.code != 3 {
			problem = fmt.Sprintf("exit code %d though nothing could be printed", o.code)
		}
		if problem != "" {
			s.find(fmt.Sprintf("`%s` > /dev/full: %s", strings.Join(args, " "), problem), o.stderr)
		}
	}
}

// tryAll tries one command under every fault. Each round strikes at other moments.
func (s *soak) tryAll(dir string, w writer, round int, tallies []tally) {
	st := &stand{soak: s, writer: w, dir: dir, at: filepath.Join(dir, "at"), old: filepath.Join(dir, "old")}
	defer st.clear() // no disk stays mounted
	st.learn()
	for i, f := range faultKinds {
		for n := range f.levels {
			st.try(f, (float64(n)+float64(round%7)/7)/float64(f.levels), &tallies[i])
		}
	}
}

// learn makes the old state, and sees what the command makes of it without a fault.
func (st *stand) learn() {
	st.clear()
	st.ok(os.RemoveAll(st.old))
	for _, made := range []string{"pak", "inner.vpk", "new.pak", "one.sqlite", "two.sqlite", "part.glb"} { // by other writers
		st.ok(os.RemoveAll(filepath.Join(st.dir, "src", made)))
	}
	for _, args := range st.before {
		st.must(st.dir, args...)
	}
	st.ok(os.CopyFS(st.old, os.DirFS(st.at)))
	st.was, st.oldSizes = st.read(false)
	start := time.Now()
	st.must(st.dir, st.args[1:]...)
	st.took = time.Since(start)
	will, sizes := st.read(false)
	for _, size := range sizes {
		st.largest, st.room = max(st.largest, size), st.room+size
	}
	if st.will = will; st.was.differs(will) == "" {
		st.Fatalf("%s changes nothing, so nothing could be seen", st.name)
	}
}

// clear empties at.
func (st *stand) clear() {
	if st.mounted {
		st.ok(syscall.Unmount(st.at, 0))
		st.mounted = false
	}
	st.ok(os.RemoveAll(st.at))
	st.ok(os.MkdirAll(st.at, 0o755))
}

// try runs the command once under a fault, and then again without.
func (st *stand) try(f fault, level float64, count *tally) {
	st.clear()
	t := task{args: st.args, dir: st.dir, limit: time.Minute, env: []string{"PAKBOX_PASSPHRASE=soak"}}
	st.ok(f.arm(st, &t, level))
	st.ok(os.CopyFS(st.at, os.DirFS(st.old)))
	o, err := t.run(st.Context())
	st.ok(err)
	count.runs++
	left, _ := st.read(o.killed)
	problem := o.problem()
	if problem == "" {
		problem = st.judge(o, left, count)
	}
	if problem == "" && (st.several || left.differs(st.will) != "") { // doing it twice may be wrong
		problem = st.again()
	}
	if problem != "" {
		st.find(fmt.Sprintf("`%s`, %s at %.2f: %s", strings.Join(st.args, " "), f.name, level, problem), fmt.Sprintf("exit code %d, killed %v\n\n%s", o.code, o.killed, o.stderr))
	}
}

// judge looks at the files that are left after a fault.
func (st *stand) judge(o outcome, left state, count *tally) string {
	isNew := left.differs(st.will)
	switch isOld := left.differs(st.was); {
	case o.code == 0 && isNew != "":
		return "success, but the new state is not there: " + isNew
	case isNew == "":
		count.new++
	case isOld == "" && !o.killed && o.code != 3:
		return fmt.Sprintf("exit code %d instead of 3", o.code)
	case isOld == "":
		count.old++
	case !st.several:
		return "neither the old state nor the new one: " + isOld
	default:
		for name, content := range left {
			was, wasThere := st.was[name]
			if !(wasThere && content == was || content == st.will[name] || o.killed && st.partial && !wasThere) {
				return "neither old nor new: " + name
			}
		}
		for name := range st.was {
			note := st.noted && strings.HasPrefix(path.Base(name), "_")
			if st.will[name] != "" && left[name] == "" && !note {
				return "lost: " + name
			}
		}
		count.some++
	}
	return ""
}

// again runs the command without a fault: nothing may be in its way. A full disk is
// exchanged for one with room.
func (st *stand) again() string {
	if st.mounted {
		kept := filepath.Join(st.dir, "kept")
		st.ok(os.CopyFS(kept, os.DirFS(st.at)))
		st.clear()
		st.ok(os.CopyFS(st.at, os.DirFS(kept)))
		st.ok(os.RemoveAll(kept))
	}
	args := st.args
	if st.partial {
		args = append(slices.Clone(args), "--force")
	}
	o, err := task{args: args, dir: st.dir, limit: time.Minute, env: []string{"PAKBOX_PASSPHRASE=soak"}}.run(st.Context())
	st.ok(err)
	if o.code != 0 {
		return fmt.Sprintf("afterwards the command fails: exit code %d: %s", o.code, strings.TrimSpace(o.stderr))
	}
	left, _ := st.read(true)
	if differs := left.differs(st.will); differs != "" {
		return "run again, the command gives something else: " + differs
	}
	return ""
}

// writeSources makes the input of writers.txt. Its content does not compress, so that
// writes are as long as files.
func (s *soak) writeSources(dir string) {
	dat := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("obj=good\nname=G%02d\nvalue=%d\n---\n", i, n+i)
		}
		return text
	}
	files := map[string]string{
		"old.dat": dat(4), "new.dat": dat(60), "track.recipe": "place block=A at=1,9,1\nmove block=A by=1,0,0\n", "blocks.csv": "name,x,y,z\nA,1,9,1\n",
		"key": "0123456789ABCDEF0123456789ABCDEF\n", "keys": "one 0123456789ABCDEF0123456789ABCDEF\n",
	}
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 24<<10)
	for i := range 36 {
		random.Read(data)
		files[fmt.Sprintf("%s/f%02d", []string{"files", "files", "more"}[i/12], i%24)] = string(data)
	}
	for name, content := range files {
		path := filepath.Join(dir, "src", name)
		s.ok(os.MkdirAll(filepath.Dir(path), 0o755))
		s.ok(os.WriteFile(path, []byte(content), 0o644))
	}
	s.must(dir, "create", "src/files.zip", "src/files")
	s.must(dir, "create", "src/more.zip", "src/more")
	s.must(dir, "simutrans", "compile", "src/good.pak", "src/old.dat")
}
