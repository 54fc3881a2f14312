package object_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// plainSources are the shortest sources of each type.
var plainSources = map[node.Type]string{
	node.VHCL: "waytype=road\nemptyimage[s,w,sw,se]=s.0.<$0>\n",
	node.WAY:  "waytype=track\nimage[-]=s.0.0\n",
	node.WYOB: "waytype=track\nown_waytype=electrified_track\n",
	node.BRDG: "waytype=track\n",
	node.TUNL: "waytype=track\n",
	node.SIGN: "waytype=track\nimage[0-3]=s.0.<$0>\n",
	node.CRSS: "waytype[0]=road\nwaytype[1]=track\nspeed[0]=1\nspeed[1]=2\nopenimage[ns][0]=s.0.0\nopenimage[ew][0]=s.0.1\n",
	node.BUIL: "type=stop\nwaytype=road\nbackimage[0][0][0][0][0]=s.0.0\n",
	node.FACT: "mapcolor=5\nbackimage[0][0][0][0][0]=s.0.0\ninputgood[0]=A\noutputgood[0]=B\noutputcapacity[0]=20\nfields[0]=F\n",
	node.GOOD: "metric=t\n",
	node.CCAR: "image[s]=s.0.0\n",
	node.PASS: "image[s]=s.0.0\n",
	node.TREE: "image[0-4][0]=s.0.<$0>\n",
	node.GOBJ: "image[0][0]=s.0.0\nimage[s,w,sw,se,n,e,ne,nw][0]=s.0.<$0>\n",
	node.SOUN: "",
	node.SYMB: "image[0]=s.0.0\n",
	node.MENU: "image[0]=s.0.0\n", node.MISC: "image[0]=s.0.0\n", node.SMOK: "image[0]=s.0.0\n",
	node.CURS: "image[0]=s.0.0\n", node.FIEL: "image[0]=s.0.0\n", node.GRND: "image[0][0]=s.0.0\n",
}

// parts are the nodes whose fields a source of an object gives too.
var parts = map[node.Type][]node.Type{node.FACT: {node.FSUP, node.FPRO, node.FFIE, node.FFCL, node.BUIL}}

// moreKeys are those that no table has, because a function reads them.
var moreKeys = map[node.Type][]string{
	node.VHCL: {"freight", "smoke", "constraint[prev][0]", "constraint[next][0]"},
	node.BUIL: {"level", "station_capacity", "dims", "cursor", "icon", "passengers", "hq_level", "build_time", "clusters"},
	node.FACT: {"smoke", "smoketile", "smokeoffset", "smoketile[0]", "level"},
	node.TUNL: {"way", "cursor", "icon"}, node.WAY: {"cursor", "icon"}, node.BRDG: {"cursor", "icon"}, node.WYOB: {"cursor", "icon"},
	node.SIGN: {"cursor", "icon"}, node.GOOD: {"metric"}, node.SOUN: {"sound_name"},
}

// wordsOf are values that a key can have beside numbers, which it then may not
// have.
func wordsOf(key string) []string {
	switch strings.TrimSuffix(strings.TrimSuffix(key, "[0]"), "[1]") {
	case "waytype", "own_waytype":
		return []string{"water", "air", "monorail_track", "Maglev_Track", "tram_track", "narrowgauge_track", "power"}
	case "engine_type":
		return []string{"steam", "Electric", "sail", "battery", "none", "what"}
	case "location":
		return []string{"land", "Water", "city", "river", "shore", "forest", "what"}
	case "climates":
		return []string{"desert", "water,tundra", "arctic tropic", "all", "nothing"}
	case "cursor", "icon":
		return []string{"s.0.3", "> s.0.2,1,-2", "-"}
	case "dims":
		return []string{"1", "1,1", "1,1,2"}
	case "smoketile", "smokeoffset":
		return []string{"1,2", "3"}
	case "mapcolor":
		return []string{"0", "7", "0x1F"}
	case "seasons":
		return []string{"1"}
	case "speed":
		return []string{"1", "300", "0x10"}
	case "outputcapacity":
		return []string{"11", "65535", "70000"}
	}
	return nil
}

var someNumbers = []string{"", "0", "1", "3", "011", "0x12", "255", "300", "70000", "-1", "5000000", "4x", " 9 ", "2.75"}

// TestEveryKeyIsReadAsMakeobjReadsIt gives every key of every type some values,
// one at a time, and compares with what makeobj makes of it. A source that is
// written from the object compiles to the same object again.
func TestEveryKeyIsReadAsMakeobjReadsIt(t *testing.T) {
	makeobj := peer.Makeobj(t)
	dir := t.TempDir()
	var picture bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, 512, 64))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i)
	}
	if err := png.Encode(&picture, m); err != nil {
		t.Fatal(err)
	}
	source, keys := keySources(t)
	for name, data := range map[string][]byte{"s.png": picture.Bytes(), "keys.dat": []byte(source)} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	theirs := filepath.Join(dir, "theirs")
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(makeobj, "QUIET", "PAK64", theirs+"/", "keys.dat")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("makeobj: %v\n%s", err, out)
	}
	c, err := compile.NewCompiler("60.6", 64)
	if err != nil {
		t.Fatal(err)
	}
	ours := c.File(filepath.Join(dir, "keys.dat"))
	var pinned []string
	for _, o := range ours.Objects {
		want, err := os.ReadFile(filepath.Join(theirs, o.FileName()))
		if err != nil {
			t.Error(err)
		}
		if got, err := o.File().Append(nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as makeobj makes it (%v)", keys[o.Name], err)
		}
		r, err := decompile.Object(o.Node, decompile.Options{Target: "60.6"})
		if err != nil || !r.Exact || r.Carried {
			t.Errorf("%s is not the same again: %+v (%v)", keys[o.Name], r, err)
		} else if r.Pins > 0 {
			pinned = append(pinned, keys[o.Name])
		}
	}
	files, _ := filepath.Glob(filepath.Join(theirs, "*.pak"))
	if len(files) != len(keys) || len(ours.Objects) != len(keys) {
		t.Errorf("makeobj made %d of %d objects, we %d: %v", len(files), len(keys), len(ours.Objects), ours.Problems)
	}
	if !slices.Equal(pinned, unspeakable) {
		t.Errorf("pinned values = %q, want %q", pinned, unspeakable)
	}
	t.Logf("%d objects compared", len(files))
}

// unspeakable are numbers below 0 that are multiplied before they are cut, so
// that a decompiled source has to pin what came out.
var unspeakable = []string{"roadsign with cost=-1", "factory with inputfactor[0]=-1", "factory with outputfactor[0]=-1"}

// keySources makes one object for every key and value, and returns the key of
// each.
func keySources(t *testing.T) (source string, keys map[string]string) {
	target, err := object.LookupTarget("60.6")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	keys = map[string]string{}
	types := make([]node.Type, 0, len(plainSources))
	for typ := range plainSources {
		types = append(types, typ)
	}
	slices.Sort(types)
	for _, typ := range types {
		words := []string{"copyright"}
		for _, part := range append([]node.Type{typ}, parts[typ]...) {
			words = append(words, object.TableKeys(part, target.Version(part))...)
			words = append(words, moreKeys[part]...)
		}
		slices.Sort(words)
		for _, key := range slices.Compact(words) {
			values := wordsOf(key)
			if values == nil {
				values = someNumbers
			}
			for _, value := range values {
				name := fmt.Sprintf("k%d", len(keys))
				keys[name] = fmt.Sprintf("%s with %s=%s", typ.Obj(), key, value)
				fmt.Fprintf(&b, "obj=%s\nname=%s\n%s=%s\n%s---\n", typ.Obj(), name, key, value, without(plainSources[typ], key))
			}
		}
	}
	return b.String(), keys
}

// without leaves out the line that sets a key.
func without(source, key string) (rest string) {
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(line, key+"=") {
			rest += line
		}
	}
	return rest
}
