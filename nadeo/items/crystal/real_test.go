package crystal_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/items"
	"pakbox/nadeo/items/importer"
	"pakbox/nadeo/items/library"
	"pakbox/nadeo/maps"
)

// Items that are made from the meshes of real items have the same triangles,
// with the same materials.
func TestNewItemsOfRealMeshes(t *testing.T) {
	count, faces := 0, 0
	realItems(t, func(_ string, g nadeo.Generation, f *gbx.File) {
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s = s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Drawn })
		if len(s.Nodes) == 0 {
			return
		}
		m := sample{g, s, importer.Part{Name: "Part", Author: "ada"}}.make(t)
		made, err := mesh.Read(m.File, mesh.Options{})
		if err != nil {
			t.Fatal(err)
		}
		count++
		_, n := made.Count()
		faces += n
		compareTriangles(t, made, s, false)
	})
	if count < 65 || faces < 60000 {
		t.Errorf("only %d items, %d triangles", count, faces)
	}
	t.Log(count, "items,", faces, "triangles")
}

// realItem is a real item of a kind that is made.
type realItem struct {
	path string
	game nadeo.Generation
	file *gbx.File
}

var (
	realOnce sync.Once
	realList []realItem
)

// realItems calls test with the real items of the kinds that are made, those in
// maps too. They are read once for all tests, which do not change them.
func realItems(t *testing.T, test func(path string, g nadeo.Generation, f *gbx.File)) {
	corpus.Dir(t, "gbx") // skips the test if none exists
	realOnce.Do(func() {
		for path, data := range corpus.GBX(t) {
			const classMap, classItem = "03043000", "2e002000"
			name := strings.ToLower(path)
			if !strings.Contains(name, classMap) && !strings.Contains(name, classItem) && !strings.HasSuffix(name, ".map.gbx") && !strings.HasSuffix(name, ".item.gbx") {
				continue
			}
			f := takeReal(path, data)
			if f == nil {
				continue
			}
			m, err := maps.Of(f)
			if err != nil {
				continue
			}
			z, err := zip.NewReader(bytes.NewReader(m.EmbeddedZip()), int64(len(m.EmbeddedZip())))
			if err != nil {
				continue
			}
			for _, e := range z.File {
				r, err := e.Open()
				if err != nil {
					continue
				}
				if inner, err := io.ReadAll(r); err == nil {
					takeReal(path+"/"+e.Name, inner)
				}
			}
		}
	})
	for _, r := range realList {
		test(r.path, r.game, r.file)
	}
}

// takeReal adds a file to the list if it is a crystal of a kind that is made.
func takeReal(path string, data []byte) *gbx.File {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	m, err := items.ModelOf(f)
	if err != nil || m.Model() != "CGameCommonItemEntityModelEdition" {
		return f
	}
	c, ok := gbx.Find[*gamedata.Chunk2E00201F](f.Body)
	switch {
	case ok && c.Version == 8:
		realList = append(realList, realItem{path, nadeo.ManiaPlanet4, f})
	case ok && c.Version == 12:
		realList = append(realList, realItem{path, nadeo.Trackmania2020, f})
	}
	return f
}

// itemValues are the chunks of an item and of all nodes in it, in their order,
// and the values that stand in them, by the path of names that leads there.
// Elements of a list have one path.
type itemValues struct {
	chunks map[string]bool
	values map[string]map[string]bool
}

func newItemValues() *itemValues {
	return &itemValues{map[string]bool{}, map[string]map[string]bool{}}
}

func (v *itemValues) file(f *gbx.File) {
	for _, c := range f.Chunks {
		v.chunks[fmt.Sprint("header ", c.ID, c.Heavy, c.IDVersion)] = true
		v.value(c.ID.String(), reflect.ValueOf(c.Body))
	}
	v.node("", f.Body)
}

func (v *itemValues) node(path string, n *gbx.Node) {
	form := path + " " + n.Class.String()
	for _, c := range n.Chunks {
		form += fmt.Sprint(" ", c.ID, c.Skip)
		v.value(path+"/"+c.ID.String(), reflect.ValueOf(c.Body))
	}
	v.chunks[form] = true
}

func (v *itemValues) add(path, value string) {
	if v.values[path] == nil {
		v.values[path] = map[string]bool{}
	}
	v.values[path][value] = true
}

func (v *itemValues) value(path string, x reflect.Value) {
	switch x.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.add(path, fmt.Sprint("nil ", x.IsNil())); !x.IsNil() {
			v.value(path, x.Elem())
		}
	case reflect.Struct:
		switch s := x.Interface().(type) {
		case gbx.Ref:
			if v.add(path, fmt.Sprint("none ", s.Node == nil)); s.Node != nil {
				v.node(path, s.Node)
			}
			return
		case gbx.ID:
			v.add(path, "ID "+s.String())
			return
		}
		for i := range x.NumField() {
			v.value(path+"."+x.Type().Field(i).Name, x.Field(i))
		}
	case reflect.Slice:
		if x.Len() == 0 {
			v.add(path, "empty")
		}
		for i := range x.Len() {
			v.value(path+"[]", x.Index(i))
		}
	default:
		v.add(path, fmt.Sprint(x.Interface()))
	}
}

// own are values that each item has for itself.
var own = []string{
	"Positions[]", "Uvs[]", "UVs[]", "UvIndices", "PackedUVs", ".Indices[]", "Edges[]", "EdgeCount", "FaceCount", "VertexCount", "Pixels[]",
	".Name", ".Author", ".Description", ".Link", "GridSnap", "FlyVStep", "MaxMaterialIndex", "Model.Collection",
}

// Every chunk of a new item, and every value in it that is not the item's own,
// stands so in a real item of its game; and a value that is the same in all
// real items is the same in the new one.
func TestNewItemsAreLikeRealOnes(t *testing.T) {
	real, count := map[nadeo.Generation]*itemValues{}, map[nadeo.Generation]int{}
	for _, g := range itemGames {
		real[g] = newItemValues()
	}
	realItems(t, func(_ string, g nadeo.Generation, f *gbx.File) {
		count[g]++
		real[g].file(f)
	})
	if count[nadeo.ManiaPlanet4] < 25 || count[nadeo.Trackmania2020] < 40 {
		t.Errorf("too few items: %v", count)
	}
	for _, g := range itemGames {
		made := newItemValues()
		f, err := gbx.Parse(itemBytes(t, sampleItem(g)), engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		made.file(f)
		for form := range made.chunks {
			if !real[g].chunks[form] {
				t.Errorf("%s: no real item has the chunks %s", g, form)
			}
		}
		compared := 0
		for path, values := range made.values {
			if slices.ContainsFunc(own, func(s string) bool { return strings.Contains(path, s) }) {
				continue
			}
			for v := range values {
				if compared++; !real[g].values[path][v] {
					t.Errorf("%s: no real item has %s at %s", g, v, path)
				}
			}
		}
		if compared < 200 {
			t.Errorf("%s: only %d values compared", g, compared)
		}
		t.Log(g, count[g], "real items,", compared, "values")
	}
}

// Materials that the importer does not know drive as in real items.
func TestMaterialPhysics(t *testing.T) {
	seen := map[string]map[uint8]int{}
	realItems(t, func(_ string, _ nadeo.Generation, f *gbx.File) {
		c, _ := gbx.Find[*gamedata.Chunk2E002019](f.Body)
		e, _ := gbx.Find[*gamedata.Chunk2E026000](c.EntityModelEdition.Node)
		k, _ := gbx.Find[*plug.Chunk09003003](e.MeshCrystal.Node)
		for _, m := range k.Materials {
			if u, ok := gbx.Find[*plug.Chunk090FD000](m.UserInst.Node); ok {
				if seen[u.Link] == nil {
					seen[u.Link] = map[uint8]int{}
				}
				seen[u.Link][u.SurfacePhysicID]++
			}
		}
	})
	compared := 0
	for link, numbers := range seen {
		if len(numbers) > 1 || !strings.Contains(link, `\`) || strings.Contains(link, " ") || library.Find(link) != nil { // players change some
			continue
		}
		for want := range numbers {
			if n, known := library.SurfaceOf(link); !known || n != want {
				t.Errorf("SurfaceOf(%q) = %d, %v, want %d as in real items", link, n, known, want)
			}
		}
		compared++
	}
	if compared < 40 {
		t.Errorf("only %d materials", compared)
	}
}
