//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// fault is one way in which writing goes wrong. It changes the task, or the
// folder that is written to; level, from 0 to just below 1, says how early it
// strikes.
type fault struct {
	name   string
	levels int
	arm    func(st *stand, t *task, level float64) error
}

// faultKinds lists them in the order of the report.
var faultKinds = []fault{
	{"full disk", 6, (*stand).fillDisk},
	{"short write", 6, func(st *stand, t *task, level float64) error {
		t.fileSize = uint64(1 + level*float64(st.largest))
		return nil
	}},
	{"no permission", 1, (*stand).forbid},
	{"kill", 6, func(st *stand, t *task, level float64) error {
		t.killAt = max(time.Microsecond, time.Duration(level*1.3*float64(st.took)))
		return nil
	}},
}

// otherUser is nobody, who owns nothing that soak makes.
const otherUser = 65534

// stand is a command under test: where it runs, and what it does when nothing
// goes wrong.
type stand struct {
	*soak
	writer
	dir      string // holds src and at
	old      state  // as it is written
	was, new state  // the old and the new state as they are compared: see view
	largest  int64  // the largest file of the new state
	room     int64  // what the new state takes beyond the old one
	took     time.Duration
	mounted  bool
}

// trial counts what a command did under one fault.
type trial struct{ runs, old, new, mixed, untried int }

func (t trial) String() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{t.old, "old"}, {t.new, "new"}, {t.mixed, "some new"}, {t.untried, "not tried"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

func (s *soak) faults(ctx context.Context, until time.Time) (section, error) {
	sec := section{title: "Faults"}
	dir := filepath.Join(s.work, "faults")
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		return sec, err
	}
	if err := writeSources(filepath.Join(dir, "src")); err != nil {
		return sec, err
	}
	for _, args := range prepared {
		if err := s.must(ctx, dir, args); err != nil {
			return sec, err
		}
	}
	full, err := s.fullOutput(ctx, dir)
	if err != nil {
		return sec, err
	}
	sec.table = &table{head: []string{"command"}}
	for _, f := range faultKinds {
		sec.table.head = append(sec.table.head, f.name)
	}
	total := 0
	all := writers(s.corpus)
	results := make([][]trial, len(all))
	rounds := 0
	for ; rounds == 0 || time.Now().Before(until); rounds++ {
		for i, w := range all {
			if rounds > 0 && time.Now().After(until) {
				break
			}
			if results[i] == nil {
				results[i] = make([]trial, len(faultKinds))
			}
			if err := s.stand(ctx, dir, w, rounds, results[i]); err != nil {
				return sec, fmt.Errorf("%s: %w", w.name, err)
			}
			if ctx.Err() != nil {
				return sec, ctx.Err()
			}
		}
	}
	untried := 0
	for i, w := range all {
		row := []any{w.name}
		for _, r := range results[i] {
			total += r.runs
			untried += r.untried
			row = append(row, r)
		}
		sec.table.add(row...)
	}
	sec.notes = append(sec.notes,
		fmt.Sprintf("%d runs of %d commands that write, %d rounds; %d runs of %d commands whose standard output is full.", total, len(all), rounds, full, len(printers)),
		"The table says what was found afterwards: the old state, the new one, or, of commands that write many files, some new ones, each complete.",
		"After each, what was there before is unchanged, or what is new is complete, nothing else is left behind unless pakbox was killed, and the command succeeds when it is run again.")
	if untried > 0 {
		sec.notes = append(sec.notes, fmt.Sprintf("%d runs were not tried: a full disk needs root, to make a small one.", untried))
	}
	return sec, nil
}

// must runs a command that has to succeed.
func (s *soak) must(ctx context.Context, dir string, args []string) error {
	o, err := task{args: args, dir: dir}.run(ctx, s.pakbox)
	if err == nil && o.code != 0 {
		err = fmt.Errorf("pakbox %s: exit code %d: %s", strings.Join(args, " "), o.code, o.stderr)
	}
	return err
}

// fullOutput lets the commands that print meet a standard output that takes
// nothing more.
func (s *soak) fullOutput(ctx context.Context, dir string) (runs int, err error) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	defer full.Close()
	for _, args := range printers {
		o, err := task{args: args, dir: dir, stdout: full, limit: time.Minute}.run(ctx, s.pakbox)
		if err != nil {
			return runs, err
		}
		runs++
		problem := o.problem()
		if problem == "" && o.code != 3 {
			problem = fmt.Sprintf("exit code %d though nothing could be printed", o.code)
		}
		if problem != "" {
			if err := s.findings.add(fmt.Sprintf("`pakbox %s` > /dev/full: %s", strings.Join(args, " "), problem), o.stderr); err != nil {
				return runs, err
			}
		}
	}
	return runs, nil
}

// stand tries one command under every fault.
func (s *soak) stand(ctx context.Context, dir string, w writer, round int, results []trial) error {
	st := &stand{soak: s, writer: w, dir: dir}
	defer st.clear() // also when the work is called off: no disk stays mounted
	if err := st.learn(ctx); err != nil {
		return err
	}
	for j, f := range faultKinds {
		for i := range f.levels {
			// Other rounds strike in between.
			level := (float64(i) + float64(round%7)/7) / float64(f.levels)
			if err := st.try(ctx, f, level, &results[j]); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
	}
	return nil
}

func (st *stand) at() string { return filepath.Join(st.dir, "at") }

// learn makes the old state and sees what the command makes of it when nothing
// goes wrong.
func (st *stand) learn(ctx context.Context) (err error) {
	if err := st.clear(); err != nil {
		return err
	}
	for _, dir := range []string{"pak", "inner.vpk", "new.pak"} { // made by others' before
		os.RemoveAll(filepath.Join(st.dir, "src", dir))
	}
	for _, args := range st.before {
		if err := st.must(ctx, st.dir, args); err != nil {
			return err
		}
	}
	if st.old, err = readState(st.at()); err != nil {
		return err
	}
	if st.was, err = st.view(ctx, st.old); err != nil {
		return err
	}
	start := time.Now()
	if err := st.must(ctx, st.dir, st.args); err != nil {
		return err
	}
	st.took = time.Since(start)
	made, err := readState(st.at())
	if err != nil {
		return err
	}
	if st.new, err = st.view(ctx, made); err != nil {
		return err
	}
	var after int64
	for _, data := range made {
		st.largest = max(st.largest, int64(len(data)))
		after += int64(len(data))
	}
	st.room = after
	if st.same(st.was, st.new) {
		return errors.New("the command changes nothing, so nothing could be seen")
	}
	return nil
}

// clear empties at.
func (st *stand) clear() error {
	if st.mounted {
		if err := syscall.Unmount(st.at(), 0); err != nil {
			return err
		}
		st.mounted = false
	}
	if err := os.RemoveAll(st.at()); err != nil {
		return err
	}
	return os.Mkdir(st.at(), 0o755)
}

// errUntried means that a fault cannot be made here.
var errUntried = errors.New("cannot be tried here")

// fillDisk makes at a disk with room for the old state and a part of what the
// command will write.
func (st *stand) fillDisk(_ *task, level float64) error {
	var size int64
	for _, data := range st.old {
		size += (int64(len(data)) + 4095) &^ 4095
	}
	size = max(4096, size+int64(level*float64(st.room))) // 0 would mean any size
	err := syscall.Mount("tmpfs", st.at(), "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", size))
	if err != nil {
		return errUntried
	}
	st.mounted = true
	return nil
}

// forbid makes at a folder that the command may not write to.
func (st *stand) forbid(t *task, _ float64) error {
	if os.Geteuid() == 0 {
		t.uid = otherUser // root may write everywhere
		return nil
	}
	return os.Chmod(st.at(), 0o555)
}

// try runs the command once under a fault.
func (st *stand) try(ctx context.Context, f fault, level float64, r *trial) error {
	if err := st.clear(); err != nil {
		return err
	}
	t := task{args: st.args, dir: st.dir, limit: time.Minute, env: []string{"PAKBOX_PASSPHRASE=soak"}}
	err := f.arm(st, &t, level)
	if errors.Is(err, errUntried) {
		r.untried++
		return nil
	}
	if err != nil {
		return err
	}
	os.Chmod(st.at(), 0o755)
	if err := st.old.write(st.at()); err != nil {
		return err
	}
	if f.name == "no permission" {
		if err := f.arm(st, &t, level); err != nil {
			return err
		}
	}
	o, err := t.run(ctx, st.pakbox)
	if err != nil || ctx.Err() != nil {
		return err
	}
	os.Chmod(st.at(), 0o755)
	r.runs++
	problem, err := st.judge(ctx, o, r)
	if err != nil {
		return err
	}
	if problem == "" {
		problem, err = st.again(ctx)
		if err != nil {
			return err
		}
	}
	if problem != "" {
		return st.findings.add(fmt.Sprintf("`pakbox %s`, %s at %.2f: %s", strings.Join(st.args, " "), f.name, level, problem),
			fmt.Sprintf("exit code %d, killed %v\n\n%s", o.code, o.killed, o.stderr))
	}
	return st.clear()
}

// judge looks at what is left after a fault.
func (st *stand) judge(ctx context.Context, o outcome, r *trial) (string, error) {
	if p := o.problem(); p != "" {
		return p, nil
	}
	left, err := readState(st.at())
	if err != nil {
		return "", err
	}
	if o.killed {
		// What is left by a sudden end may not be in anyone's way, and a set
		// of files that was committed is put in place by whoever opens it next.
		left.dropTemporary()
		left.finish()
	}
	if left, err = st.view(ctx, left); err != nil {
		return "", err
	}
	switch {
	case o.code == 0:
		if !st.same(left, st.new) {
			return "success, but what is there is not the new state: " + left.differs(st.new), nil
		}
		r.new++
	case st.same(left, st.was):
		if !o.killed && o.code != 3 {
			return fmt.Sprintf("exit code %d instead of 3", o.code), nil
		}
		r.old++
	case st.same(left, st.new): // and what came after, such as a note, failed
		r.new++
	case st.several:
		for name, data := range left {
			was, wasThere := st.was[name]
			will := st.new[name]
			if wasThere && data == was || data == will || o.killed && st.partial && !wasThere {
				continue
			}
			return "neither old nor new: " + name, nil
		}
		for name := range st.was {
			_, stays := st.new[name]
			if _, ok := left[name]; stays && !ok {
				return "lost: " + name, nil
			}
		}
		r.mixed++
	default:
		return "neither the old state nor the new one: " + left.differs(st.was), nil
	}
	return "", nil
}

// again runs the command without a fault: nothing may be in its way.
func (st *stand) again(ctx context.Context) (string, error) {
	if st.mounted {
		// A full disk stays full; what it holds goes to one with room.
		left, err := readState(st.at())
		if err != nil {
			return "", err
		}
		if err := errors.Join(st.clear(), left.write(st.at())); err != nil {
			return "", err
		}
	}
	left, err := readState(st.at())
	if err != nil {
		return "", err
	}
	left.dropTemporary()
	left.finish()
	if left, err = st.view(ctx, left); err != nil {
		return "", err
	}
	if st.same(left, st.new) && !st.several {
		return "", nil // done already, and doing it twice may be wrong
	}
	args := st.args
	if st.partial {
		args = append(args[:len(args):len(args)], "--force")
	}
	o, err := task{args: args, dir: st.dir, limit: time.Minute, env: []string{"PAKBOX_PASSPHRASE=soak"}}.run(ctx, st.pakbox)
	if err != nil {
		return "", err
	}
	if o.code != 0 {
		return fmt.Sprintf("afterwards the command fails: exit code %d: %s", o.code, strings.TrimSpace(o.stderr)), nil
	}
	if left, err = readState(st.at()); err != nil {
		return "", err
	}
	left.dropTemporary()
	if left, err = st.view(ctx, left); err != nil {
		return "", err
	}
	if !st.same(left, st.new) {
		return "run again, the command gives something else: " + left.differs(st.new), nil
	}
	return "", nil
}
