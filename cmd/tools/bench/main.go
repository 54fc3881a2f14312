// Bench measures pakbox on real files, each command and library call in turns with
// other programs that do the same work, and writes the figures to
// docs/evidence/benchmarks.md and docs/evidence/bench.json.
//
// The figures of one machine mean little elsewhere. Ratios measured in one run mean
// more: all commands of a row run in turns, several rounds of it, and the medians
// are compared. hyperfine measures the wall clock and the processor time of each
// run, GNU time the peak memory of the first one. Library calls run in a process of
// their own, which is this program again.
//
// The rows are data: rows.txt has the commands, inputs.mk makes their inputs. A row
// compares with a peer, which is a program that does the same job, or with a floor,
// which does only what nobody can avoid, such as reading the bytes.
//
// The scaling part runs commands on 1, 10, 100 and 1,000 times the same input: time
// per unit and memory should not grow with it. A run removes its files at the end.
// ext4 does not give out the numbers of removed files for five minutes, and every new
// file looks at all of them first: a second run within this time measures that, too.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"text/template"
	"time"

	"pakbox/internal/testkit/corpus"

	_ "embed"
)

func main() {
	pakbox := flag.String("pakbox", "./pakbox", "the program to measure")
	rows := flag.String("rows", "", "measure only the rows whose name matches this regular expression, and write no documents")
	rounds := flag.Int("n", 7, "rounds of each row")
	scalingRounds := flag.Int("scaling-n", 3, "rounds of each step of the scaling part")
	docs := flag.String("docs", "docs/evidence", "the folder for documents")
	library := flag.Bool("library", false, "run a library call for some files: CALL FILE...")
	making := flag.Bool("make", false, "make an input: KIND ARGUMENT...")
	flag.Parse()
	var err error
	switch {
	case *library:
		err = runLibrary(flag.Args())
	case *making:
		err = makeInput(flag.Args())
	default:
		err = run(*pakbox, *rows, *docs, *rounds, *scalingRounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(pakbox, rows, docs string, rounds, scalingRounds int) error {
	wanted, err := regexp.Compile(rows)
	if err != nil {
		return err
	}
	tables, err := readTables()
	if err != nil {
		return err
	}
	b, err := newBench(tables, pakbox)
	if err != nil {
		return err
	}
	defer b.end()
	r := &report{tables: tables, Schema: "pakbox.bench/1", Machine: thisMachine(), Date: time.Now().UTC().Format(time.DateOnly), Rounds: rounds, ScalingRounds: scalingRounds}
	var failed []error // a row that fails does not stop the others
	for _, row := range tables.rows {
		if !wanted.MatchString(row.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "bench:", row.name)
		found, err := b.compare(row, rounds)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", row.name, err))
		}
		r.Rows = append(r.Rows, found...)
	}
	if wanted.MatchString("explorer/load") {
		if r.Explorer, err = b.explorer(); err != nil {
			failed = append(failed, err)
		}
	}
	for _, row := range tables.scaling {
		if !wanted.MatchString(row.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "bench:", row.name)
		found, err := b.scale(row, scalingRounds)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", row.name, err))
			continue
		}
		r.Scaling = append(r.Scaling, found)
	}
	page, err := r.page("page.md")
	if err != nil {
		return err
	}
	details, err := r.page("details.md")
	if err != nil {
		return err
	}
	fmt.Printf("%s\n%s\n", page, details)
	if rows == "" {
		failed = append(failed, r.write(docs, page, details))
	}
	return errors.Join(failed...)
}

// bench holds the tables, and the folder of inputs in which the commands run.
type bench struct {
	*tables
	dir string
}

//go:embed inputs.mk
var inputs string

//go:embed mount.sh
var mountScript []byte

// newBench makes the folder, with a folder bin that comes first in PATH.
func newBench(t *tables, pakbox string) (*bench, error) {
	dir, err := os.MkdirTemp("", "pakbox-bench-")
	if err != nil {
		return nil, err
	}
	absolute := func(path string) string {
		path, e := filepath.Abs(path)
		err = errors.Join(err, e)
		return path
	}
	os.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	os.Setenv("PAKBOX_KEYS", filepath.Join(dir, "keys"))
	os.Setenv("PAKBOX_CORPUS", absolute(corpus.Root()))
	var makefile bytes.Buffer
	fmt.Fprintf(&makefile, "CORPUS = %s\nPROJECT = %s\nSOURCE = $(PROJECT)/cmd/tools/bench\n", corpus.Root(), absolute("."))
	self, e := os.Executable()
	err = errors.Join(err, e, template.Must(template.New("inputs.mk").Parse(inputs)).Execute(&makefile, templateData()),
		os.WriteFile(filepath.Join(dir, "inputs.mk"), makefile.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, "mount.sh"), mountScript, 0o666),
		// These keys are not secret, and not those of a game.
		os.WriteFile(filepath.Join(dir, "keys"), []byte("* final:000102030405060708090A0B0C0D0E0F\neterpack-index 1,2,3,4\neterpack-data 5,6,7,8\n"), 0o600),
		os.Mkdir(filepath.Join(dir, "bin"), 0o777),
		os.Symlink(self, filepath.Join(dir, "bin", "bench")),
		os.Symlink(absolute(pakbox), filepath.Join(dir, "bin", "pakbox")))
	return &bench{t, dir}, err
}

// end unmounts everything, and removes all files.
func (b *bench) end() {
	exec.Command("umount", filepath.Join(b.dir, "mounted")).Run()
	os.RemoveAll("/dev/shm/pakbox-bench")
	os.RemoveAll(b.dir)
}

// explorer runs cmd/tools/load on the maps of the corpus for a minute, and returns
// its table.
func (b *bench) explorer() (string, error) {
	fmt.Fprintln(os.Stderr, "bench: explorer/load")
	cmd := exec.Command("sh", "cmd/tools/run", "load", "-pakbox", filepath.Join(b.dir, "bin", "pakbox"),
		"-files", filepath.Join(corpus.Root(), "gbx", "03043000"), "-time", "60s")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("load: %w", err)
	}
	return string(bytes.TrimSpace(out)), nil
}
