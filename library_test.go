package pakbox_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pakbox/internal/testkit/tier"
)

const medalProgram = `package main

import (
	"context"
	"log"
	"os"

	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

func main() {
	m, err := maps.Open(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	medals := m.Medals()
	medals.Gold = gbx.Time(41_000)
	m.SetMedals(medals)
	if err := m.Save(os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
`

const telemetryProgram = `package main

import (
	"context"
	"encoding/csv"
	"log"
	"math"
	"os"
	"strconv"

	"pakbox/nadeo/runs"
)

func main() {
	ghost, err := runs.OpenGhost(context.Background(), os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	lines, err := ghost.Telemetry()
	if err != nil {
		log.Fatal(err)
	}
	out, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	table := csv.NewWriter(out)
	row := make([]string, len(runs.Columns))
	for i, c := range runs.Columns {
		row[i] = c.Name
	}
	table.Write(row)
	for i := range lines[0].Samples {
		for k, c := range runs.Columns {
			row[k] = ""
			if v := c.Get(&lines[0].Samples[i]); !math.IsNaN(v) {
				row[k] = strconv.FormatFloat(v, 'g', 9, 64)
			}
		}
		table.Write(row)
	}
	table.Flush()
	if err := table.Error(); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}
`

// Programs of another module, written with the documentation of the library alone, write
// the same bytes as the command. TestAnotherModuleCreates is the third one.
func TestAnotherModuleChangesAndReads(t *testing.T) {
	tier.All(t, "much time")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":                "module example.com/mine\n\ngo 1.26.0\n",
		"src/medal/main.go":     medalProgram,
		"src/telemetry/main.go": telemetryProgram,
	} {
		t.Run(name, func(t *testing.T) {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	runGo(t, dir, "mod", "edit", "-require=pakbox@v0.0.0", "-replace=pakbox="+here)
	runGo(t, dir, "get", "./...")
	runGo(t, dir, "build", "-o", dir+string(filepath.Separator), "./src/medal", "./src/telemetry")
	runGo(t, here, "build", "-o", filepath.Join(dir, "command"), "./cmd/pakbox")
	samples := filepath.Join(here, "samples", "trackmania")
	for _, test := range []struct {
		program, sample string
		command         []string
		prefix          *regexp.Regexp // the columns of the command that say where a row is from
	}{
		{"medal", "Sample.Map.Gbx", []string{"map", "medals", "--gold", "0:41.000"}, nil},
		{"telemetry", "Sample.Ghost.Gbx", []string{"replay", "telemetry"}, regexp.MustCompile(`(?m)^[^,]*,[^,]*,[^,]*,`)},
	} {
		t.Run(test.program, func(t *testing.T) {
			in, ext := filepath.Join(samples, test.sample), ".csv"
			if test.prefix == nil {
				ext = ".Map.Gbx"
			}
			own, theirs := filepath.Join(dir, "program"+ext), filepath.Join(dir, "command"+ext)
			for _, args := range [][]string{
				{filepath.Join(dir, test.program), in, own},
				append(append([]string{filepath.Join(dir, "command")}, test.command...), in, "-o", theirs),
			} {
				if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%q: %v\n%s", args, err, out)
				}
			}
			got, want := read(t, own), read(t, theirs)
			if test.prefix != nil {
				want = test.prefix.ReplaceAll(want, nil)
			}
			if len(got) == 0 || !bytes.Equal(got, want) {
				t.Errorf("the program writes %d bytes, the command %d other ones:\n%.300q\n%.300q", len(got), len(want), got, want)
			}
		})
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every package that docs/library.md names has an example that runs.
func TestExamples(t *testing.T) {
	guide := string(read(t, filepath.Join("docs", "library.md")))
	row := regexp.MustCompile("(?m)^\\| ((?:`[^`]+`(?:, )?)+)(?: and the packages below it)? \\|")
	runs := regexp.MustCompile(`(?s)\nfunc Example\w*\(\) \{\n.*?\n\t// (?:Unordered output|Output):`)
	var packages []string
	for _, m := range row.FindAllStringSubmatch(guide, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			packages = append(packages, name[1])
		}
	}
	below, err := filepath.Glob(filepath.Join("simutrans", "*"))
	if err != nil || len(packages) < 40 || len(below) < 15 {
		t.Fatalf("%d packages, %d below simutrans, %v", len(packages), len(below), err)
	}
	for _, dir := range append(packages, below...) {
		dir = strings.TrimPrefix(filepath.ToSlash(dir), "pakbox")
		sources, err := filepath.Glob(filepath.Join(".", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if sources == nil && strings.HasPrefix(dir, "simutrans/") {
			continue // a folder without a package
		}
		found := false
		for _, name := range sources {
			found = found || strings.HasSuffix(name, "_test.go") && runs.Match(read(t, name))
		}
		if !found {
			t.Errorf("pakbox/%s has no example that runs", dir)
		}
	}
}
