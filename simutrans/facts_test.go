package simutrans_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
)

// factsOf are the texts of facts, or the values of those without.
func factsOf(facts fact.Record) map[string]string {
	texts := map[string]string{}
	for _, f := range facts {
		texts[f.Name] = f.Text()
	}
	return texts
}

// clone returns a copy of the only object of a file of the corpus.
func clone(t *testing.T, name string) *node.Node {
	t.Helper()
	return open(t, read(t, name)).File.Root.Children[0].Clone()
}

func TestFacts(t *testing.T) {
	car := clone(t, "debian-pak64__citycar.Motorrad.pak")
	facts := factsOf(simutrans.New(node.New(clone(t, "debian-pak64__vehicle.TB24.pak"), car, clone(t, "debian-pak64__vehicle.TB24.pak"))).Facts())
	if facts["objects"] != "2 vehicle, 1 citycar" || facts["pak_version"] != "1003" || facts["banner"] != "Simutrans object file, Compiled with SimObjects 0.1.3exp" {
		t.Errorf(`facts = %v; want facts["objects"] = "2 vehicle, 1 citycar", facts["pak_version"] = "1003", facts["banner"] = "Simutrans object file, Compiled with SimObjects 0.1.3exp"`, facts)
	}
	if _, ok := facts["name"]; ok {
		t.Error("three objects have one name")
	}
	for file, want := range map[string]map[string]string{
		"debian-pak64__vehicle.TB24.pak": {
			"name": "TB24", "copyright": "RK", "topspeed": "54 km/h", "descriptor_version": "11", "objects": "1 vehicle",
			"refers_to_good": "Passagiere", "refers_to_vehicle": "T24, T13, TB24, TB13",
		},
		"debian-pak64__factory.Raffinerie.pak": {
			"productivity": "320", "building_size_x": "2 tiles", "building_descriptor_version": "9", "building_type": "factory",
			"refers_to_good": "Oel, Plastik, PrintersInk, Chemicals",
		},
		"britain-ex__vehicle.Zeppelin_LZ10_Mail.pak": {"descriptor_version": "11", "extended_version": "7"},
	} {
		got := factsOf(open(t, read(t, file)).Facts())
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s: %s is %q, want %q", file, name, got[name], text)
			}
		}
		if name, ok := got["refers_to_imagelist"]; ok {
			t.Errorf("%s: a reference to nothing is a fact: %q", file, name)
		}
	}
}

// Verification counts what it has looked at.
func TestVerifyCounts(t *testing.T) {
	a := open(t, read(t, "wrapper__merged.pak"))
	nodes := 0
	a.File.Root.Walk(func(*node.Node, int) bool { nodes++; return true })
	r, err := a.Verify(context.Background(), archive.Options{})
	if err != nil || r.Entries != 2 || r.Bytes != a.File.Root.BodyBytes() || factsOf(r.Facts)["nodes"] != fmt.Sprint(nodes-1) {
		t.Errorf("%+v, %v: %d nodes of %d bytes", r, err, nodes-1, a.File.Root.BodyBytes())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Verify(ctx, archive.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
}

// For damage in any part of an object, Verify reports the object and the
// place in the file.
func TestVerifyFindsDamage(t *testing.T) {
	data := read(t, "debian-pak64__vehicle.TB24.pak")
	for name, test := range map[string]struct {
		at     string
		damage func(*node.Node)
		field  string
		offset int64 // from the header of the node

		unknown int64 // bytes
	}{
		"descriptor ends early":  {"", func(n *node.Node) { n.Body = n.Body[:10] }, "topspeed", 8 + 10, 10},
		"list counts too many":   {"004.IMG1", func(n *node.Node) { n.Body = append([]byte{5}, n.Body[1:]...) }, "count", 0, 0},
		"list has no count":      {"004.IMG1", func(n *node.Node) { n.Body = nil }, "count", 8, 0},
		"image has no header":    {"004.IMG1/001.IMG", func(n *node.Node) { n.Body = n.Body[:5] }, "image", 8, 5},
		"image ends early":       {"004.IMG1/001.IMG", func(n *node.Node) { n.Body = n.Body[:100] }, "word", 8 + 100, 0},
		"reference has no place": {"002.XREF", func(n *node.Node) { n.Body = n.Body[:3] }, "type", 8, 3},
	} {
		t.Run(name, func(t *testing.T) {
			o := open(t, data).File.Root.Children[0].Clone()
			n, err := o.At(test.at)
			if err != nil {
				t.Fatal(err)
			}
			test.damage(n)
			a := simutrans.New(node.New(clone(t, "debian-pak64__good.None.pak"), o))
			r, err := a.Verify(context.Background(), archive.Options{})
			if err != nil || len(r.Findings) != 1 {
				t.Errorf("%s: r = %+v, err = %v; want no error, r.Findings of length 1", name, r, err)
				return
			}
			f := r.Findings[0]
			if f.Entry != "vehicle.TB24" || f.Field != test.field || f.Offset-n.Offset != test.offset {
				t.Errorf("%s: %q, %s, %d behind the node", name, f.Entry, f.Field, f.Offset-n.Offset)
			}
			// The damaged node counts as not understood, and the rest as understood.
			c, err := a.Coverage()
			if err != nil || c.Bytes != a.File.Root.BodyBytes() {
				t.Errorf("%s: c = %+v, err = %v; want no error, c.Bytes = a.File.Root.BodyBytes()", name, c, err)
			}
			if missing := c.Bytes - c.Decoded; missing != test.unknown {
				t.Errorf("%s: %d bytes are not understood", name, missing)
			}
			if test.field == "topspeed" {
				if _, err := a.Get("vehicle.TB24/topspeed"); fault.KindOf(err) != fault.Truncated {
					t.Errorf("err = %v; want err of kind fault.Truncated", err)
				}
				if _, err := a.Set([]archive.Assignment{{Path: "vehicle.TB24/topspeed", Value: "1"}}); fault.KindOf(err) != fault.Truncated {
					t.Errorf("err = %v; want err of kind fault.Truncated", err)
				}
			}
			var text bytes.Buffer
			if err := a.DumpText(&text, true); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if !strings.Contains(text.String(), fmt.Sprintf("%s: ", n.Type)) && n.Type != node.IMG && n.Type != node.IMG1 {
				t.Errorf("%s: the dump does not name the damaged node:\n%s", name, text.String())
			}
		})
	}
}

// In every real file: a value that is set to what it is changes nothing, and
// what a dump, a fact and a question say is the same.
func TestValuesOfTheCorpusSetAgain(t *testing.T) {
	for _, path := range corpus.Files(t, corpus.Dir(t, "simutrans"), "pak", "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		a := open(t, data)
		for _, o := range a.Objects()[:min(3, len(a.Objects()))] {
			for _, f := range simutrans.ObjectFacts(o.Node) {
				at := o.Folder + "/" + f.Name
				v, err := a.Get(at)
				if err != nil {
					t.Errorf("%s: %s: %v", name, at, err)
					continue
				}
				if f.Words != "" && !strings.HasPrefix(f.Words, v[0].Text) {
					t.Errorf("%s: %s is %q, the fact is %q", name, at, v[0].Text, f.Words)
				}
				r, err := a.Set([]archive.Assignment{{Path: at, Value: v[0].Text}})
				var refused *archive.ValueError
				switch {
				case errors.As(err, &refused):
				case err != nil:
					t.Errorf("%s: %s: %v", name, at, err)
				case !bytes.Equal(r.Data, data) || len(r.Changes) != 0:
					t.Errorf("%s: %s set to %q changes %+v", name, at, v[0].Text, r.Changes)
				}
			}
		}
	}
}
