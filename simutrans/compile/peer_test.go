package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/finding"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
)

// testSheet draws 8 × 8 cells of 64 pixels with all kinds of colours.
func testSheet(r *rand.Rand) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 512, 512))
	specials := []color.NRGBA{{0x24, 0x4B, 0x67, 255}, {0xFF, 0x01, 0x7F, 255}, {0x6B, 0x6B, 0x6B, 255}, {0xE7, 0xFF, 0xFF, 255}}
	for row := range 8 {
		for col := range 8 {
			n := r.IntN(40)
			for range n {
				x, y := col*64+r.IntN(64), row*64+r.IntN(64)
				c := color.NRGBA{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), 255}
				if r.IntN(3) == 0 {
					c = specials[r.IntN(len(specials))]
				}
				if r.IntN(3) == 0 {
					c.A = uint8(r.UintN(256))
				}
				for dx := range r.IntN(8) {
					if x+dx < (col+1)*64 {
						m.SetNRGBA(x+dx, y, c)
					}
				}
			}
		}
	}
	return m
}

func writePNG(t *testing.T, path string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareWithMakeobj compiles one source with both compilers and compares the
// files they write.
func compareWithMakeobj(t *testing.T, dir, source string, cell int) (files int) {
	t.Helper()
	theirs, ours := filepath.Join(t.TempDir(), "theirs")+"/", t.TempDir()+"/"
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(peer.Makeobj(t), "QUIET", fmt.Sprintf("PAK%d", cell), theirs, source)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("makeobj: %v\n%s", err, out)
	}
	result, err := compile.Run(context.Background(), compile.Options{Sources: []string{filepath.Join(dir, source)}, Out: ours, Cell: cell})
	if err != nil {
		t.Fatal(err)
	}
	if result.Failed() {
		for _, p := range result.Problems {
			if p.Severity == finding.Error {
				t.Errorf("p = %v; want p.Severity other than finding.Error", p)
			}
		}
	}
	names, _ := filepath.Glob(theirs + "*.pak")
	for _, name := range names {
		want, _ := os.ReadFile(name)
		got, err := os.ReadFile(filepath.Join(ours, filepath.Base(name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s differs from makeobj's", filepath.Base(name))
		}
	}
	if len(names) != len(result.Outputs) {
		t.Errorf("makeobj wrote %d files, we wrote %d", len(names), len(result.Outputs))
	}
	return len(names)
}

func TestRandomSourcesCompileAsMakeobjDoes(t *testing.T) {
	peer.Makeobj(t)
	r := rand.New(rand.NewPCG(6, 60))
	dir := t.TempDir()
	writePNG(t, filepath.Join(dir, "s.png"), testSheet(r))
	var b strings.Builder
	for i := range 330 {
		g := &generator{Rand: r, b: &b}
		g.object(i)
		b.WriteString("---\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "all.dat"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d objects compared", compareWithMakeobj(t, dir, "all.dat", 64))
	// A source that is written from each compiles to the same object again.
	c, err := compile.NewCompiler("60.6", 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.File(filepath.Join(dir, "all.dat")).Objects {
		decompiledIsSame(t, o.Obj+" "+o.Name, o.Node)
	}
}

// TestOddSourcesCompileAsMakeobjDoes compares sources with typical mistakes of authors,
// and with undocumented features of makeobj.
func TestOddSourcesCompileAsMakeobjDoes(t *testing.T) {
	const (
		vehicle  = "obj=vehicle\nwaytype=road\nemptyimage[s,w,sw,se]=s.0.<$0>\n"
		building = "obj=building\nbackimage[0][0][0][0][0]=s.0.0\n"
		factory  = "obj=factory\nmapcolor=5\nfields=F\nbackimage[0][0][0][0][0]=s.0.0\n"
		wide     = "obj=building\ndims=2,1,1\n"
		tree     = "obj=tree\nimage[0-4][0]=s.0.<$0>\n"
		sign     = "obj=roadsign\nwaytype=road\nimage[0-3]=s.0.<$0>\n"
		way      = "obj=way\nwaytype=track\nimage[-]=s.0.0\n"
	)
	odd := []string{
		// A key without a value is 0, whatever the default.
		vehicle + "retire_year=\nintro_month=\ngear=\nlength=", building + "cost=\nlevel=\nchance=", way + "topspeed=\ncost=",
		// Sounds are decimal, and names begin behind the spaces.
		vehicle + "sound=010", vehicle + "sound=0x10", vehicle + "sound=+3", vehicle + "sound= horn.wav ", vehicle + "sound=-horn.wav",
		factory + "sound=\thorn.wav", vehicle + "sound=1.wav",
		// Spaces divide climates too, and a building takes no short word.
		building + "climates=desert water", tree + "climates=desert water , arctic", building + "climates=none", tree + "climates=none",
		building + "climates=nowhere", tree + "climates=nowhere", building + "climates=land ",
		// A season counts only if those before it are there.
		"obj=building\nbackimage[0][0][0][0][0][0]=s.0.0\nbackimage[0][0][0][0][0][2]=s.0.2",
		"obj=building\nbackimage[0][0][0][0][0][0-1]=s.0.<$0>\nfrontimage[0][0][0][0][0][0]=s.1.0\nfrontimage[0][0][0][0][0][2]=s.1.2",
		"obj=building\nfrontimage[0][0][0][0][0][0-1]=s.0.<$0>\nbackimage[0][0][0][0][0][0]=s.1.0\nbackimage[0][0][0][0][0][2]=s.1.2",
		wide + "backimage[0][0][0][0][0][0]=s.0.0\nbackimage[0][0][0][0][0][2]=s.0.2\nbackimage[0][0][1][0][0][0-1]=s.1.<$0>",
		wide + "backimage[0][0][0][0][0][0-1]=s.0.<$0>\nbackimage[0][0][1][0][0][0]=s.1.0\nbackimage[0][0][1][0][0][2]=s.1.2",
		building + "extension_building=0", building + "allow_underground=5", building + "allow_underground=-1",
		factory + "smoke=Fog\nsmoketile=1\nsmokeoffset=3,4", factory + "smoketile[0]=1\nsmokeoffset[0]=3",
		factory + "expand_probability=10001\nprobability_to_spawn=-5", factory + "expand_probability=70000",
		sign + "single_way=-1\nno_foreground=-1", sign + "is_signal=-1\nfree_route=-1",
		way + "image[new2][0]=s.1.0", way + "frontimage[new2][0]=s.1.0",
		"obj=pedestrian\nimage[nw][0]=s.0.0\nsteps_per_frame=0",
		"obj=ground_obj\nimage[0][0]=s.0.0\ntrees_on_top=-1",
		building + "type=res\nclusters=1,3 , 32", building + "type=Com\nclusters=0,33,x,2", building + "type=cur\nclusters=1",
		building + "station_capacity=5\nstation_price=6\nstation_maintenance=7",
		building + "level=3\ncapacity=64\nstation_capacity=5\ncost=6\nstation_price=7", way + "system_type=5", way + "system_type=7",
		vehicle + "maintenance=50", vehicle + "maintenance=50\nfixed_cost=3",
		vehicle + "freightimage[s,w,sw,se,n,e,ne,nw]=s.1.<$0>", vehicle + "freightimage[n]=s.1.0", "obj=vehicle\nwaytype=road",
		// Lines that say something else than they seem to.
		vehicle + "speed\t=80", vehicle + "\tspeed=80", " speed=80\n" + vehicle, vehicle + "power=\t80", "obj=symbol\nimage[\t0]=s.0.0", "obj=symbol\nimage[ 0 ]=s.0.0",
		"obj=good\nmetric=a\x00b\nvalue=3", "obj=good\nmetric=" + strings.Repeat("x", 5000), "obj=good\n#" + strings.Repeat("x", 4094) + "value=7",
		"obj=good\n" + strings.Repeat(" ", 4095) + "value=7", "obj=good\nmetric=" + strings.Repeat("x", 4095-7), "obj=good\nval ue=3", "obj=good\nvalue+=3",
		"obj=symbol\nimage[0]=s.0.1 # not .1.0", "obj=symbol\nimage[0]=s.3.-1", "obj=symbol\nimage[0]=s.3.-1,2,3",
		// There are only so many.
		"obj=roadsign\nwaytype=road\nimage[0-33]=-", "obj=roadsign\nwaytype=track\nis_signal=1\nimage[n,s,e,w][0-9]=-",
		"obj=roadsign\nwaytype=road\nis_private=1\nimage[ns,ew][0-2]=-", "obj=ground\nimage[0-140][0]=-",
	}
	dir := t.TempDir()
	writePNG(t, filepath.Join(dir, "s.png"), testSheet(rand.New(rand.NewPCG(7, 60))))
	var b strings.Builder
	for i, source := range odd {
		fmt.Fprintf(&b, "name=odd%d\n%s\n---\n", i, source)
	}
	b.WriteString("obj=symbol\nname=B\xfccher\n---\nobj=symbol\nname=B\xe4cher\n") // not UTF-8
	if err := os.WriteFile(filepath.Join(dir, "odd.dat"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := compareWithMakeobj(t, dir, "odd.dat", 64); n != len(odd)+2 {
		t.Errorf("%d objects compared, of %d", n, len(odd)+2)
	}
}
