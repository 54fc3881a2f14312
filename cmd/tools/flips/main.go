// Command flips measures what verify notices of flipped bits in GBX files. Each trial flips
// one bit of one file in memory, verifies the result, and counts the verdict by kind of
// file. The seed decides all trials, so that two runs print the same table.
//
//	cmd/tools/run flips -n 10000 -seed 1 FOLDER...
//
// GBX has no checksum: a flip that changes a value and no structure cannot be found. A flip
// that breaks the structure must be found; the program fails if one is not.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/wire"
	"pakbox/nadeo/gbxarchive"
)

func main() {
	trials := flag.Int("n", 10000, "number of flips")
	seed := flag.Uint64("seed", 1, "seed of the trials")
	largest := flag.Int64("max-size", 1<<20, "leave out larger files")
	show := flag.Bool("v", false, "list each flip of a structure that verify does not find")
	flag.Parse()
	folders := flag.Args()
	if len(folders) == 0 {
		folders = []string{"samples"}
	}
	missed, err := run(os.Stdout, folders, *trials, *seed, *largest, *show)
	if err == nil && missed > 0 {
		err = fmt.Errorf("%d broken structures were not found", missed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "flips:", err)
		os.Exit(1)
	}
}

// outcome is the result of verify for a file with a flipped bit.
type outcome int

const (
	refused  outcome = iota // the file cannot be opened
	damaged                 // a finding is an error
	unknown                 // not all could be checked
	warned                  // a warning that the file did not have before
	unseen                  // nothing, and the structure is intact: a value has changed
	missed                  // nothing, although the structure is broken
	outcomes                // number of outcomes
)

// subject is a file to damage.
type subject struct {
	path, kind string
	data       []byte
	before     measure
}

// measure is what is known about a file.
type measure struct {
	outcome
	findings, misfits int
}

func run(out io.Writer, folders []string, trials int, seed uint64, largest int64, show bool) (int, error) {
	subjects, err := collect(folders, largest)
	if err != nil {
		return 0, err
	}
	if len(subjects) == 0 {
		return 0, fmt.Errorf("no GBX files in %s", strings.Join(folders, ", "))
	}
	kinds := map[string][]*subject{}
	var names []string
	for i := range subjects {
		s := &subjects[i]
		if kinds[s.kind] == nil {
			names = append(names, s.kind)
		}
		kinds[s.kind] = append(kinds[s.kind], s)
	}
	slices.Sort(names)
	random := rand.New(rand.NewPCG(seed, 0))
	counts := map[string]*[outcomes]int{}
	for i := range trials {
		kind := names[i%len(names)]
		if counts[kind] == nil {
			counts[kind] = new([outcomes]int)
		}
		s := kinds[kind][random.IntN(len(kinds[kind]))]
		bit := random.Int64N(8 * int64(len(s.data)))
		o := flip(s, bit)
		counts[kind][o]++
		if o == missed && show {
			fmt.Fprintf(os.Stderr, "%s, %s: bit %d of byte %d\n", s.path, s.kind, bit%8, bit/8)
		}
	}
	return print(out, names, counts, trials, seed, len(subjects)), nil
}

// collect reads the files, each as it is stored and with an uncompressed body.
func collect(folders []string, largest int64) (list []subject, err error) {
	for _, folder := range folders {
		err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(strings.ToLower(path), ".gbx") {
				return err
			}
			info, err := d.Info()
			if err != nil || info.Size() > largest {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			list = append(list, forms(path, data)...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// forms returns the file packed and unpacked. Files that are not sound from the beginning
// are left out.
func forms(path string, data []byte) (list []subject) {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	class := engine.Registry().ClassName(f.Class)
	add := func(storage string, data []byte) {
		if m := look(data); m.outcome == unseen || m.outcome == warned {
			list = append(list, subject{path, class + ", " + storage, data, m})
		}
	}
	if !f.IsCompressed() {
		add("unpacked", data)
		return list
	}
	add("packed", data)
	f.SetCompression(false, 0)
	if unpacked, err := f.Encode(); err == nil {
		add("unpacked", unpacked)
	}
	return list
}

func flip(s *subject, bit int64) outcome {
	data := slices.Clone(s.data)
	data[bit/8] ^= 1 << (bit % 8)
	m := look(data)
	switch {
	case m.outcome != unseen && m.outcome != warned:
		return m.outcome
	case m.misfits > s.before.misfits:
		return missed
	case m.findings > s.before.findings:
		return warned
	}
	return unseen
}

// look verifies a file in memory.
func look(data []byte) measure {
	ctx := context.Background()
	a, err := gbxarchive.Format{}.Open(ctx, archive.Input{ReaderAt: wire.Content(data), Size: int64(len(data))}, archive.Options{})
	if err != nil {
		return measure{outcome: refused}
	}
	r, err := a.Verify(ctx, archive.Options{})
	if err != nil {
		return measure{outcome: refused}
	}
	m := measure{outcome: unseen, findings: len(r.Findings)}
	if f, err := gbx.Parse(data, engine.Registry()); err == nil {
		for _, o := range f.Coverage().Opaque {
			if o.Misfit != nil {
				m.misfits++
			}
		}
	}
	switch {
	case r.Damaged():
		m.outcome = damaged
	case !r.OK():
		m.outcome = unknown
	case finding.Worst(r.Findings) == finding.Warning:
		m.outcome = warned
	}
	return m
}

func print(out io.Writer, names []string, counts map[string]*[outcomes]int, trials int, seed uint64, files int) int {
	fmt.Fprintf(out, "%d flips, seed %d, %d files\n\n", trials, seed, files)
	fmt.Fprintln(out, "| kind of file | flips | refused | damaged | not all known | warning | value changed, not found | structure broken, not found |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|")
	var sum [outcomes]int
	row := func(name string, c *[outcomes]int) {
		all := 0
		for _, n := range c {
			all += n
		}
		fmt.Fprintf(out, "| %s | %d |", name, all)
		for _, n := range c {
			fmt.Fprintf(out, " %d |", n)
		}
		fmt.Fprintln(out)
	}
	for _, name := range names {
		if counts[name] == nil {
			continue
		}
		row(name, counts[name])
		for i, n := range counts[name] {
			sum[i] += n
		}
	}
	row("all", &sum)
	return sum[missed]
}
