package nadeo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/asked"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/nadeo/runs"
)

// cells writes some facts of each row.
func cells(rows iter.Seq[fact.Record], names ...string) string {
	var lines []string
	for r := range rows {
		var line []string
		for _, n := range names {
			v, ok := r.Get(n)
			text := "none"
			if ok && v.Value != nil {
				text = v.Text()
			}
			line = append(line, text)
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	return strings.Join(lines, "\n")
}

// A run is a row, with the facts of the map in its replay; a replay without runs is one row.
func TestRowsOfRuns(t *testing.T) {
	t.Chdir(asked.Files(t))
	for file, want := range map[string]string{
		"runs/red.Replay.Gbx": "runs/red.Replay.Gbx|0|Red <b>|0:02.900|Driven|Stadium",
		"runs/blue.Ghost.Gbx": "runs/blue.Ghost.Gbx|0|Blue|0:03.100|none|none",
	} {
		t.Run(file, func(t *testing.T) {
			a, err := Info.Ask(t.Context(), at(file), question.NoParams{})
			if err != nil {
				t.Fatal(err)
			}
			if got := cells(a.Rows(file), "path", "ghost", "nick", "race_time", "map_name", "collection"); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
			if file == "runs/red.Replay.Gbx" {
				a.List = nil
				if got, want := cells(a.Rows(file), "path", "ghost", "race_time", "map_name"), "runs/red.Replay.Gbx|none|0:02.900|Driven"; got != want {
					t.Errorf("%s\nwant %s", got, want)
				}
			}
		})
	}
	c := &Checked{Verdicts: []Verdict{{"map", runs.OK, "fits", "p"}}, Ghosts: []checkedGhost{{0, []Verdict{{"time", runs.Suspect, "no", "q"}}}, {1, []Verdict{{"time", runs.Unknown, "?", "r"}}}}}
	if got, want := cells(c.Rows("f"), "file", "ghost", "state", "question", "detail", "proves"), "f|none|ok|map|fits|p\nf|0|suspect|time|no|q\nf|1|unknown|time|?|r"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for state, found := range map[runs.State]bool{runs.Suspect: true, runs.OK: false} {
		c := &Checked{}
		if c.judge([]runs.Verdict{{State: state}}); c.Found() != found {
			t.Errorf("%s: found %v", state, c.Found())
		}
	}
}

func TestBoardAsCSV(t *testing.T) {
	t.Chdir(asked.Files(t))
	b, err := MakeBoard.Ask(t.Context(), at("runs"), BoardParams{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.CSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "map_uid,map_name,rank,nick,login,race_time,gap,medal,date,file,ghost\n" +
		"abc,$0f0Driven,1,$f00Red$z <b>,vTr5QXsPTFi3a2QoTZkY2w,2900,0,,,runs/red.Ghost.Gbx,0\n" +
		"abc,$0f0Driven,2,$00fBlue,blue,3100,200,,,runs/blue.Ghost.Gbx,0\n"
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
}

func TestComparisonAsCSV(t *testing.T) {
	t.Chdir(asked.Files(t))
	c, err := Compare.Ask(t.Context(), at("runs/red.Ghost.Gbx"), CompareParams{With: []string{"runs/blue.Ghost.Gbx", "runs/red.Ghost.Gbx"}, Step: 24})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.CSV(&out); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(rows) != 7 || rows[0] != "run,"+strings.Join(comparedColumns, ",") {
		t.Fatalf(`out.String() = %s; want rows of length 7, rows[0] = "run," + strings.Join(comparedColumns, ",")`, out.String())
	}
	for i, begin := range []string{"1,0,0,0,0,0,", "1,24,1700,1700,0,0,", "1,48,2900,3100,200,4,", "2,0,0,0,0,0,", "2,24,1700,1700,0,0,", "2,48,2900,2900,0,0,"} {
		if !strings.HasPrefix(rows[i+1], begin) || strings.Count(rows[i+1], ",") != 13 {
			t.Errorf("row %d: %s, want %s", i+1, rows[i+1], begin)
		}
	}
}

// Runs with equal names are distinguished by their files, and within a file by their
// numbers.
func TestNamesOfGatheredRuns(t *testing.T) {
	t.Chdir(asked.Files(t))
	for _, c := range []struct {
		with []string
		want string
	}{
		{[]string{"runs/blue.Ghost.Gbx", "runs/red.Replay.Gbx"}, "Red <b> (red); Blue; Red <b> (red)"},
		{[]string{"runs/red.Ghost.Gbx"}, "Red <b> (red, ghost 0); Red <b> (red, ghost 0)"},
	} {
		g, err := gatherRuns(t.Context(), at("runs/red.Ghost.Gbx"), c.with, "", mapParams{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range g.Runs {
			names = append(names, g.Runs[i].Title())
		}
		if got := strings.Join(names, "; "); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if (g.Map != nil) != (len(c.with) == 2) {
			t.Errorf("%v: the map is there: %v", c.with, g.Map != nil)
		}
	}
}

// Each row of a file has the run, the car and the moment it is about.
func TestLinesAsFiles(t *testing.T) {
	t.Chdir(asked.Files(t))
	var lines DrivenLines
	for _, file := range []string{"runs/red.Ghost.Gbx", "runs/blue.Ghost.Gbx"} {
		a, err := ListTelemetry.Ask(t.Context(), at(file), telemetryParams{Step: 1500})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, a.Lines...)
	}
	lines[1].Ghost, lines[1].Car = 7, 2
	csv, err := lines.File("")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range strings.Split(strings.TrimSpace(string(csv.Data)), "\n") {
		cells := strings.Split(row, ",")
		got = append(got, strings.Join([]string{cells[0], cells[1], cells[2], cells[3], cells[6], cells[11]}, ","))
	}
	want := "file,ghost,car,time_s,z_m,speed_m_s;runs/red.Ghost.Gbx,0,0,0,100,0;runs/red.Ghost.Gbx,0,0,1.5,120,20.0053558;runs/red.Ghost.Gbx,0,0,3,150,20.0053558;" +
		"runs/blue.Ghost.Gbx,7,2,0,100,0;runs/blue.Ghost.Gbx,7,2,1.5,120,20.0053558;runs/blue.Ghost.Gbx,7,2,3,150,20.0053558"
	if text := strings.Join(got, ";"); csv.Name != "telemetry.csv" || text != want {
		t.Errorf("%s: %s\nwant %s", csv.Name, text, want)
	}
	array, err := lines.File("npy")
	if err != nil || array.Name != "telemetry.npy" || !bytes.Contains(array.Data, []byte("'time_s'")) {
		t.Fatalf(`array = %v err = %v; want no error, array.Name = "telemetry.npy", array.Data with []byte("'time_s'")`, array, err)
	}
	width := 8 * (2 + len(lines[0].Columns))
	rows := array.Data[len(array.Data)-6*width:]
	for i, want := range [][3]float64{{0, 0, 0}, {0, 0, 1.5}, {0, 0, 3}, {7, 2, 0}, {7, 2, 1.5}, {7, 2, 3}} {
		for k, w := range want {
			if v := math.Float64frombits(binary.LittleEndian.Uint64(rows[i*width+8*k:])); v != w {
				t.Errorf("row %d, column %d: %g, want %g", i, k, v, w)
			}
		}
	}
}

// counted counts the bytes of pictures that are done.
type counted struct{ all, done int64 }

func (c *counted) Begin(n int64)   { c.all = n }
func (c *counted) Advance(n int64) { c.done = n }
func (c *counted) End()            {}

func TestProgressOfFilms(t *testing.T) {
	t.Chdir(asked.Files(t))
	of, c := at("runs/red.Ghost.Gbx"), &counted{}
	of.Opener.Progress = c
	if _, err := Animate.Ask(t.Context(), of, AnimateParams{Size: "160x160", Hz: 2}); err != nil {
		t.Fatal(err)
	}
	if want := int64(7 * 160 * 160 * 4); c.all != want || c.done != want {
		t.Errorf("%d of %d bytes, want %d", c.done, c.all, want)
	}
}

// Requests to the service have limits, which commands do not have.
func TestLimitsOfTheService(t *testing.T) {
	t.Chdir(asked.Files(t))
	many := make([]string, maxJoined)
	for i := range many {
		many[i] = "runs/red.Ghost.Gbx"
	}
	bounded := func() *question.At {
		return &question.At{Path: "runs/red.Ghost.Gbx", Opener: source.NewOpener(pakbox.Formats()), Host: question.Local{Limited: true}}
	}
	for what, ask := range map[string]func(at *question.At) error{
		"20 files are compared at most": func(at *question.At) error {
			_, err := Compare.Ask(t.Context(), at, CompareParams{With: many[:maxCompared]})
			return err
		},
		"100 files are put together at most": func(at *question.At) error {
			_, err := MakeClip.Ask(t.Context(), at, clipParams{withParams: withParams{many}})
			return err
		},
		"a film of 301 pictures of 4096x4096 is too large": func(at *question.At) error {
			_, err := Animate.Ask(t.Context(), at, AnimateParams{Size: "4096x4096", Hz: 100})
			return err
		},
	} {
		if err := ask(bounded()); err == nil || err.Error() != what {
			t.Errorf("%v, want %s", err, what)
		}
	}
	if _, err := Compare.Ask(t.Context(), bounded(), CompareParams{With: many[:maxCompared-1]}); err != nil {
		t.Error(err)
	}
}

// The map of a run is looked for by its UID, in a folder or an index.
func TestWhereTheMapIs(t *testing.T) {
	dir := asked.Files(t)
	t.Chdir(dir)
	for file, want := range map[string]string{"runs/driven.Map.Gbx": "abc", "runs/red.Replay.Gbx": "abc", "runs/red.Ghost.Gbx": "", "tree.Item.Gbx": "", "text.txt": "", "none": ""} {
		if got := uidOfMap(t.Context(), source.NewOpener(pakbox.Formats()), file); got != want {
			t.Errorf("%s is of the map %q, want %q", file, got, want)
		}
	}
	write(t, filepath.Join(dir, "maps.sqlite"), []byte("SQLite format 3\x00and more"))
	write(t, filepath.Join(dir, "short"), []byte("SQLite"))
	for file, want := range map[string]bool{"maps.sqlite": true, "short": false, "text.txt": false, "none": false} {
		if got := isDatabase(t.Context(), at(file)); got != want {
			t.Errorf("%s is a database: %v", file, got)
		}
	}
	of := at("runs/red.Ghost.Gbx")
	of.Host = indexHost{}
	m, err := (mapParams{"maps.sqlite"}).find(t.Context(), of, "abc")
	if err != nil || m == nil || m.UID() != "abc" {
		t.Errorf(`m = %v err = %v; want no error, m other than nil, m.UID() = "abc"`, m, err)
	}
	for _, p := range []string{"maps.sqlite", "runs"} {
		if _, err := (mapParams{p}).find(t.Context(), of, ""); err == nil || !strings.Contains(err.Error(), "do not say on which map") {
			t.Errorf(`%s: err = %v; want an error, err with "do not say on which map"`, p, err)
		}
	}
}

// indexHost is a host with an index of one map.
type indexHost struct{ question.Local }

func (indexHost) MapPath(_ context.Context, index, uid string) (string, error) {
	if index != "maps.sqlite" || uid != "abc" {
		return "", fmt.Errorf("%s was asked for %s", index, uid)
	}
	return "runs/driven.Map.Gbx", nil
}
