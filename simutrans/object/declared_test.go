package object_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/dat"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// TestKeysAreDeclared compiles real sources and compares the keys that the
// compiler asks for with the tables: every one is declared, with a sentence,
// and none is declared that nothing asks for.
func TestKeysAreDeclared(t *testing.T) {
	asked := map[string]map[string]bool{} // names of keys, by target and type
	build := func(target object.Target, src []byte) {
		objects, _ := dat.Parse("x.dat", src)
		for _, o := range objects {
			id := target.Name() + " " + o.Get("obj")
			if asked[id] == nil {
				asked[id] = map[string]bool{}
			}
			object.NewBuilder(o, target, func(key string) *img.Image { o.Get(key); return img.Empty() }).Build()
			maps.Copy(asked[id], o.Asked())
		}
	}
	dir := corpus.Dir(t, "simutrans")
	sources := corpus.Files(t, dir, "source", "synthetic", "*.dat")
	sources = append(sources, corpus.Files(t, dir, "hard", "keys", "*.dat")...)
	for _, name := range []string{"60.6", "60.12", object.Extended} {
		target, err := object.LookupTarget(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == object.Extended {
			sources = corpus.Files(t, dir, "extended", "source", "*", "*.dat")
		} else {
			for _, path := range corpus.Files(t, corpus.Pak64(t), "*.pak") {
				build(target, decompiled(t, path))
			}
		}
		for _, path := range sources {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			build(target, src)
		}
		for _, obj := range target.Objects() {
			for _, more := range append(rareKeys[obj], "") {
				build(target, []byte("obj="+obj+"\nname=a\n"+more+"\n"))
			}
			typ, _ := node.ObjType(obj)
			declared := map[string]bool{}
			for _, k := range object.Keys(typ, target) {
				declared[k.Stem()] = true
				if !strings.HasSuffix(k.About, ".") || strings.Contains(k.About, "  ") {
					t.Errorf("%s %s: %s has the sentence %q", name, obj, k.Name, k.About)
				}
			}
			for _, stem := range slices.Sorted(maps.Keys(asked[name+" "+obj])) {
				if !declared[stem] {
					t.Errorf("%s %s: %s is not declared", name, obj, stem)
				}
			}
			for _, stem := range slices.Sorted(maps.Keys(declared)) {
				if !asked[name+" "+obj][stem] && stem != "cell_size" {
					t.Errorf("%s %s: nothing asks for %s", name, obj, stem)
				}
			}
		}
	}
}

// rareKeys make the compiler ask for keys that no source at hand needs.
var rareKeys = map[string][]string{
	"factory":    {"type=res", "type=cur", "type=hq", "type=depot", "type=signalbox", "fields=a", "fields[0]=a"},
	"pedestrian": {"image[s][0]=-"},
}

func decompiled(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := node.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, n := range f.Root.Children {
		r, err := decompile.Object(n, decompile.Options{})
		if err != nil {
			t.Fatal(filepath.Base(path), err)
		}
		all = append(append(all, r.Dat...), "---\n"...)
	}
	return all
}
