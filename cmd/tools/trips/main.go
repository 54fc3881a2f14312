// Command trips measures which rooms of the house five jobs pass through: info of a map,
// its list of blocks, the page that opens it, an index of the samples, and a new VPK. It
// builds pakbox with coverage, runs each job once, and subtracts what every run needs, such
// as 'pakbox version'.
//
//	cd cmd/tools && go run ./trips
//
// It fails if a job passes more rooms than its limit, or if a package on the way imports
// one that stands above it in docs/architecture.md.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// trip is a job, and the largest number of folders at the root that it may pass.
type trip struct {
	name  string
	rooms int
	args  []string
	ask   []string // questions to the page, if the job is one of the page
}

var trips = []trip{
	{"info of a map", 10, []string{"info", "samples/trackmania/Sample.Map.Gbx"}, nil},
	{"map blocks", 7, []string{"map", "blocks", "samples/trackmania/Sample.Map.Gbx"}, nil},
	{"the page opens a map", 10, []string{"serve", "--no-browser", "--no-token", "--no-index", "samples"}, []string{
		"home", "children?path=samples/trackmania", "what?path=MAP", "map.lint?path=MAP", "map.blocks?path=MAP", "map.scene?path=MAP", "thumbnail?path=MAP",
	}},
	{"index of the samples", 11, []string{"index", "samples", "-o", "OUT/x.pakbox.sqlite"}, nil},
	{"create a VPK", 8, []string{"create", "OUT/x.vpk", "docs"}, nil},
}

func main() {
	binary := flag.String("pakbox", "", "a pakbox that was built with coverage; else it is built")
	verbose := flag.Bool("v", false, "list the rooms of each job")
	flag.Parse()
	if err := run(context.Background(), *binary, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "trips:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, verbose bool) error {
	dir, err := os.MkdirTemp("", "pakbox-trips-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &measure{ctx: ctx, dir: dir, binary: binary}
	if m.root, err = output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", "pakbox"); err != nil {
		return err
	}
	m.root = strings.TrimSpace(m.root)
	if err := m.build(); err != nil {
		return err
	}
	if m.imports, err = m.importsOf(); err != nil {
		return err
	}
	base, err := m.functions(trip{name: "version", args: []string{"version"}})
	if err != nil {
		return err
	}
	page, err := os.ReadFile(filepath.Join(m.root, "docs/architecture.md"))
	if err != nil {
		return err
	}
	order := roomsOf(string(page))
	failed := false
	for _, t := range trips {
		passed, err := m.functions(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		way := wayOf(passed, base, m.imports, order)
		fmt.Println(t.name+":", way)
		if verbose {
			fmt.Println("   ", strings.Join(way.rooms, " "))
		}
		if len(way.rooms) > t.rooms || len(way.up) > 0 {
			failed = true
			fmt.Printf("    at most %d rooms are expected, and no import up: %s\n", t.rooms, strings.Join(way.up, ", "))
		}
	}
	if failed {
		return fmt.Errorf("a job passes more rooms than it needs")
	}
	return nil
}

// measure runs pakbox with coverage.
type measure struct {
	ctx       context.Context
	root, dir string // the checkout, and a folder for temporary files
	binary    string
	imports   map[string][]string // of each package of pakbox, those of pakbox
}

// build builds pakbox with coverage, unless there is one. The generated code of gbx/engine
// is left out: it is large, and all of it is one room.
func (m *measure) build() error {
	if m.binary != "" {
		var err error
		m.binary, err = filepath.Abs(m.binary)
		return err
	}
	list, err := output(m.ctx, m.root, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./cmd/pakbox")
	if err != nil {
		return err
	}
	var covered []string
	for pkg := range strings.FieldsSeq(list) {
		if (pkg == "pakbox" || strings.HasPrefix(pkg, "pakbox/")) && !strings.HasPrefix(pkg, "pakbox/gbx/engine/") {
			covered = append(covered, pkg)
		}
	}
	m.binary = filepath.Join(m.dir, "pakbox")
	_, err = output(m.ctx, m.root, "go", "build", "-cover", "-coverpkg="+strings.Join(covered, ","), "-o", m.binary, "./cmd/pakbox")
	return err
}

func (m *measure) importsOf() (map[string][]string, error) {
	list, err := output(m.ctx, m.root, "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/pakbox")
	if err != nil {
		return nil, err
	}
	imports := map[string][]string{}
	for line := range strings.Lines(list) {
		fields := strings.Fields(line)
		for _, to := range fields[1:] {
			if to == "pakbox" || strings.HasPrefix(to, "pakbox/") {
				imports[fields[0]] = append(imports[fields[0]], to)
			}
		}
	}
	return imports, nil
}

// functions returns the functions that a job enters, each with its file and line.
func (m *measure) functions(t trip) (map[string]bool, error) {
	at := filepath.Join(m.dir, strings.ReplaceAll(t.name, " ", "-"))
	if err := os.MkdirAll(filepath.Join(at, "out"), 0o777); err != nil {
		return nil, err
	}
	args := slices.Clone(t.args)
	for i := range args {
		args[i] = strings.Replace(args[i], "OUT", filepath.Join(at, "out"), 1)
	}
	cmd := exec.CommandContext(m.ctx, m.binary, args...)
	cmd.Dir, cmd.Env = m.root, append(os.Environ(), "GOCOVERDIR="+at, "PAKBOX_NO_CONFIG=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var failed error
	if t.ask == nil {
		_, failed = io.Copy(io.Discard, out)
	} else {
		failed = askPage(out, t.ask)
		cmd.Process.Signal(os.Interrupt)
	}
	if err := cmd.Wait(); err != nil && t.ask == nil || failed != nil {
		return nil, fmt.Errorf("%v %v", err, failed)
	}
	text, err := output(m.ctx, m.root, "go", "tool", "covdata", "func", "-i="+at)
	if err != nil {
		return nil, err
	}
	entered := map[string]bool{}
	for line := range strings.Lines(text) { // pakbox/fault/fault.go:44: New 100.0%
		fields := strings.Fields(line)
		if len(fields) == 3 && strings.HasPrefix(fields[0], "pakbox") && fields[2] != "0.0%" {
			entered[fields[0]+fields[1]] = true
		}
	}
	return entered, nil
}

// askPage asks the questions at the address in the first line of out.
func askPage(out io.Reader, questions []string) error {
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	address, _, _ = strings.Cut(strings.TrimSpace(address), "?")
	for _, q := range questions {
		r, err := http.Get(strings.TrimSuffix(address, "/") + "/api/" + strings.Replace(q, "MAP", "samples/trackmania/Sample.Map.Gbx", 1))
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d, %v", q, r.StatusCode, err)
		}
	}
	return nil
}

// way is what a job passes through, besides what every run needs.
type way struct {
	functions, files, packages int
	rooms                      []string // folders at the root
	arrows                     int      // pairs of these folders of which one imports the other
	up                         []string // imports of a package that stands above
}

func (w way) String() string {
	return fmt.Sprintf("%d functions, %d files, %d packages, %d rooms, %d imports among them, %d up", w.functions, w.files, w.packages, len(w.rooms), w.arrows, len(w.up))
}

func wayOf(passed, base map[string]bool, imports map[string][]string, order []string) way {
	files, packages, rooms, arrows := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[[2]string]bool{}
	w := way{}
	for f := range passed {
		if base[f] {
			continue
		}
		w.functions++
		file, _, _ := strings.Cut(f, ":")
		files[file], packages[path.Dir(file)], rooms[roomOf(path.Dir(file))] = true, true, true
	}
	for from := range packages {
		for _, to := range imports[from] {
			if !packages[to] {
				continue
			}
			if a, b := roomOf(from), roomOf(to); a != b {
				arrows[[2]string{a, b}] = true
			}
			if placeOf(to, order) < placeOf(from, order) {
				w.up = append(w.up, from+" -> "+to)
			}
		}
	}
	w.files, w.packages, w.arrows = len(files), len(packages), len(arrows)
	for r := range rooms {
		w.rooms = append(w.rooms, r)
	}
	slices.Sort(w.rooms)
	slices.Sort(w.up)
	return w
}

// roomOf returns the folder at the root that a package is in; "pakbox" for the root itself.
func roomOf(pkg string) string {
	below, ok := strings.CutPrefix(pkg, "pakbox/")
	if !ok {
		return "pakbox"
	}
	room, _, _ := strings.Cut(below, "/")
	return room
}

// roomsOf lists the rooms of docs/architecture.md from top to bottom.
func roomsOf(page string) (rooms []string) {
	_, house, _ := strings.Cut(page, "## The rooms\n")
	_, house, _ = strings.Cut(house, "```\n")
	house, _, _ = strings.Cut(house, "```")
	for line := range strings.Lines(house) {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "─") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			name, more := strings.CutSuffix(word, ",")
			if rooms = append(rooms, name); !more {
				break
			}
		}
	}
	return rooms
}

// placeOf returns the position of the room that a package is in.
func placeOf(pkg string, order []string) int {
	below := strings.TrimPrefix(pkg, "pakbox/")
	best := -1
	for i, room := range order {
		if (below == room || strings.HasPrefix(below, room+"/")) && (best < 0 || len(room) > len(order[best])) {
			best = i
		}
	}
	return best
}

func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	return string(text), err
}
