package compile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// table reads the lines of a table of the corpus, without its head.
func table(t *testing.T, path string) (lines [][]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		lines = append(lines, strings.Split(strings.TrimSpace(line), "\t"))
	}
	return lines[1:]
}

// TestHardSourcesCompileAsMakeobjDoes compiles real sources that were once
// read differently, for both targets.
func TestHardSourcesCompileAsMakeobjDoes(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t, "simutrans"), "hard")
	compiled := map[string]map[string]string{}
	right := map[string]int{}
	for _, line := range table(t, filepath.Join(dir, "expected.tsv")) {
		name, target, pak, sum := line[0], line[2], line[3], line[5]
		cell, _ := strconv.Atoi(line[1])
		id := name + " " + target
		if compiled[id] == nil {
			sources, _ := filepath.Glob(filepath.Join(dir, name, "src", "*.dat"))
			compiled[id] = compileFile(t, sources[0], target, cell)
		}
		if compiled[id][pak] != sum {
			t.Errorf("%s: %s for %s differs from makeobj's", name, pak, target)
			continue
		}
		right[target]++
	}
	if len(right) < 2 {
		t.Errorf("only these were compared: %v", right)
	}
	t.Logf("identical: %v", right)
}

// compileText compiles a source beside the pictures of the hard corpus, which
// must be without errors.
func compileText(t *testing.T, target, source string) []*node.Node {
	t.Helper()
	c, err := compile.NewCompiler(target, 64)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Source("x.dat", filepath.Join(corpus.Dir(t, "simutrans"), "hard", "keys"), []byte(source))
	if s.Failed() {
		t.Fatalf("s.Problems = %v; want s.Failed() = false", s.Problems)
	}
	var nodes []*node.Node
	for _, o := range s.Objects {
		nodes = append(nodes, o.Node)
	}
	return nodes
}

// lists counts the images of an object's lists.
func lists(n *node.Node) (counts []int) {
	for _, c := range n.Children {
		if c.Type == node.IMG1 {
			counts = append(counts, len(c.Children))
		}
	}
	return counts
}

// TestWaysOfNewerTargets: which images a way has for 60.12.
func TestWaysOfNewerTargets(t *testing.T) {
	const way = "obj=way\nname=w\nwaytype=track\nimage[-]=power_b.0.0\n"
	read := func(file string) string {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "simutrans"), "hard", "keys", file))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct {
		name, target, source string
		want                 []int
	}{
		{"double slopes only, 60.6", "60.6", read("06a_way_up2_only.dat"), []int{16, 8, 4, 16, 4, 4}},
		{"double slopes only", "60.12", read("06a_way_up2_only.dat"), []int{16, 4, 6, 16, 0, 6}},
		{"some slopes, 60.6", "60.6", read("06b_way_up_partial.dat"), []int{16, 5, 4, 16, 4, 4}},
		{"some slopes", "60.12", read("06b_way_up_partial.dat"), []int{16, 3, 6, 16, 0, 6}},
		{"slopes by letters", "60.12", way + "imageup[n]=power_b.1.0\nimageup[9]=power_b.1.1\n", []int{16, 2, 6, 16, 0, 6}},
		{"switches", "60.12", way + "image[new2]=power_b.1.0\n", []int{26, 0, 6, 16, 0, 6}},
		{"front switches", "60.12", way + "frontimage[new2]=power_b.1.0\n", []int{16, 0, 6, 26, 0, 6}},
		{"switches, 60.6", "60.6", way + "image[new2]=power_b.1.0\n", []int{16, 4, 4, 16, 4, 4}},
	} {
		n := compileText(t, c.target, c.source)[0]
		if got := lists(n); !slices.Equal(got, c.want) {
			t.Errorf("%s: lists of %v images, want %v", c.name, got, c.want)
		}
		if c.target == "60.12" {
			decompiledIsSame(t, c.name, n)
		}
	}
}

// decompiledIsSame expects a source that gives the object again, in the
// words of the language alone.
func decompiledIsSame(t *testing.T, name string, n *node.Node) {
	t.Helper()
	r, err := decompile.Object(n, decompile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Exact || r.Pins != 0 || r.Carried {
		t.Errorf("%s: exact %v, %d pins, carried %v, %s:\n%s", name, r.Exact, r.Pins, r.Carried, r.Loss, r.Dat)
	}
}

// TestNumbersAreClamped: what 60.12 makes fit its range, older targets cut.
func TestNumbersAreClamped(t *testing.T) {
	const bridge = "obj=bridge\nname=b\nwaytype=%s\n%s\n"
	for _, c := range []struct {
		source, field, old, now string
	}{
		{fmt.Sprintf(bridge, "power", ""), "clip_below", "", "0"},
		{fmt.Sprintf(bridge, "power", "clip_below=1"), "clip_below", "", "1"},
		{fmt.Sprintf(bridge, "road", ""), "clip_below", "", "1"},
		{fmt.Sprintf(bridge, "road", "clip_below=7"), "clip_below", "", "1"},
		{fmt.Sprintf(bridge, "road", "max_lenght=300"), "max_length", "44", "255"},
		{fmt.Sprintf(bridge, "road", "max_height=-1"), "max_height", "255", "0"},
		{fmt.Sprintf(bridge, "road", "axle_load=70000"), "axle_load", "4464", "65535"},
		{fmt.Sprintf(bridge, "road", "retire_year=\nretire_month="), "retire", "5461-04", "0-01"},
		{fmt.Sprintf(bridge, "road", "intro_month=13"), "intro", "1901-01", "1900-12"},
		{fmt.Sprintf(bridge, "road", "topspeed=70000"), "topspeed", "4464", "4464"},
		{"obj=way\nname=w\nwaytype=road\nimage[-]=-\nclip_below=-3\n", "clip_below", "", "0"},
		{"obj=vehicle\nname=v\nwaytype=road\nloading_time=-3\n", "loading_time", "65533", "0"},
	} {
		for target, want := range map[string]string{"60.6": c.old, "60.12": c.now} {
			d, err := object.Decode(compileText(t, target, c.source)[0])
			if err != nil {
				t.Fatal(err)
			}
			if f, _ := d.Field(c.field); f.Text != want {
				t.Errorf("%s for %s: %s is %q, want %q", c.source, target, c.field, f.Text, want)
			}
		}
	}
}

// TestExtendedSourcesCompileAsMakeobjExtendedDoes compiles the sources of
// Simutrans-Extended.
func TestExtendedSourcesCompileAsMakeobjExtendedDoes(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t, "simutrans"), "extended")
	right, refused := 0, 0
	for _, line := range table(t, filepath.Join(dir, "expected.tsv")) {
		c, err := compile.NewCompiler(object.Extended, 128)
		if err != nil {
			t.Fatal(err)
		}
		s := c.File(filepath.Join(dir, filepath.FromSlash(line[0])))
		if line[3] == "refused" {
			if !s.Failed() {
				t.Errorf("%s is compiled", line[0])
			}
			refused++
			continue
		}
		if s.Failed() || len(s.Objects) != 1 {
			t.Errorf("%s: s.Problems = %v; want s.Failed() = false, s.Objects of length 1", line[0], s.Problems)
			continue
		}
		got, err := s.Objects[0].File().Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(line[1])))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s differs: %s", line[0], line[1], firstDifference(t, want, s.Objects[0].Node))
			continue
		}
		right++
		decompiledIsSame(t, line[0], s.Objects[0].Node)
	}
	if right == 0 || refused == 0 {
		t.Errorf("%d compared, %d refused", right, refused)
	}
	t.Logf("%d identical, %d refused", right, refused)
}

// TestHardSourcesOfExtended compiles sources that pakbox once refused, or gave
// other bytes than makeobj-extended.
func TestHardSourcesOfExtended(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t, "simutrans"), "extended-hard")
	compiled := map[string]*compile.Source{}
	for _, line := range table(t, filepath.Join(dir, "expected.tsv")) {
		name, pak, sum := line[0], line[1], line[3]
		if compiled[name] == nil {
			c, err := compile.NewCompiler(object.Extended, 128)
			if err != nil {
				t.Fatal(err)
			}
			compiled[name] = c.File(filepath.Join(dir, filepath.FromSlash(name)))
		}
		found := false
		for _, o := range compiled[name].Objects {
			if o.FileName() != pak {
				continue
			}
			found = true
			data, err := o.File().Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
				t.Errorf("%s: %s differs from makeobj-extended's", name, pak)
			}
			decompiledIsSame(t, pak, o.Node)
		}
		if !found {
			t.Errorf("%s: there is no %s: %v", name, pak, compiled[name].Problems)
		}
	}
}

// TestNumbersOfExtended: what makeobj-extended reads where Standard's makeobj
// reads something else.
func TestNumbersOfExtended(t *testing.T) {
	stages := compileText(t, object.Extended, "obj=good\nname=g\nvalue[0]=9\nto_distance[0]=4\nvalue[1]=7\nvalue[2]=\n")[0]
	d, err := object.Decode(stages)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.List("stage")); got != "[4 9 4 7 4 0]" {
		t.Errorf("the stages of a good are %s", got)
	}
	// The picture has three rows of four cells: the number 9 is 2.1.
	for target, same := range map[string]bool{object.Extended: true, "60.6": false} {
		t.Run(target, func(t *testing.T) {
			c, err := compile.NewCompiler(target, 16)
			if err != nil {
				t.Fatal(err)
			}
			sheet := img.NewBitmap(64, 48)
			for i := range sheet.Pix {
				sheet.Pix[i] = uint16(i % 32)
			}
			c.Picture("", "p", sheet)
			s := c.Source("x.dat", "", []byte("obj=symbol\nname=s\nimage[0]=p.9\n---\nobj=symbol\nname=s\nimage[0]=p.2.1\n"))
			if got := len(s.Objects) == 2 && s.Objects[0].Node.Equal(s.Objects[1].Node); got != same {
				t.Errorf("%s: a number counts by columns: %v, want %v (%v)", target, got, same, s.Problems)
			}
		})
	}
}

// firstDifference states where an object is not what a file holds.
func firstDifference(t *testing.T, want []byte, got *node.Node) string {
	t.Helper()
	f, err := node.Parse(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range simutrans.Diff(f.Root.Children, []*node.Node{got}) {
		return fmt.Sprintf("%+v", d)
	}
	return "the same values"
}
