package fbx_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pakbox/fault"
	"pakbox/gbx/mesh/fbx"
)

// seeds are small files with everything the reader looks at.
func seeds() [][]byte {
	layers := []node{
		element("Normal", "", "ByPolygonVertex", "Direct", n("Normals", packed{make([]float64, 18)})),
		element("UV", "BaseMaterial", "ByPolygonVertex", "IndexToDirect", n("UV", make([]float64, 4)), n("UVIndex", []int32{0, 0, 1, 0, 1, 1})),
		element("Material", "", "ByPolygon", "IndexToDirect", n("Materials", []int32{0, 1})),
		element("Color", "", "AllSame", "Direct", n("Colors", []float64{1, 1, 1, 1})),
	}
	light := file(7700, n("Objects").with(object("Model", 1, "Lamp", "Light"), object("NodeAttribute", 2, "", "Light").with(table(p("LightType", 2), p("Color", 1.0, 1.0, 1.0)))), joins(1, 0, 2, 1))
	smooth := square(n("Edges", []int32{0, 2, 3}), element("Smoothing", "", "ByEdge", "Direct", n("Smoothing", []int32{1, 1, 1})))
	return [][]byte{
		scene(7400, square(layers...), p("Lcl Rotation", 1.0, 2.0, 3.0)), scene(7500, smooth), light,
		placed([]node{p("Lcl Scaling", 2.0, 1.0, 1.0)}, []node{p("InheritType", 2), p("RotationActive", true)}),
	}
}

// check reads a file that may be damaged: a scene whose parts fit together, or a
// typed error.
func check(t *testing.T, data []byte) bool {
	s, err := fbx.Read(bytes.NewReader(data), int64(len(data)))
	var typed *fault.Error
	if err != nil {
		if !errors.As(err, &typed) {
			t.Fatalf("an error without a kind: %v", err)
		}
		return false
	}
	for i, n := range s.Nodes {
		if n.Parent >= i || n.Parent < -1 {
			t.Fatalf("node %d is below node %d", i, n.Parent)
		}
		if m := n.Mesh; m != nil {
			for _, p := range m.Polygons {
				if p.Count < 3 || int(p.Material) >= len(s.Materials) {
					t.Fatalf("polygon %+v", p)
				}
				for _, c := range m.CornersOf(p) {
					_ = m.Positions[c]
				}
			}
			if m.Normals != nil && len(m.Normals) != len(m.Corners) {
				t.Fatalf("%d normals of %d corners", len(m.Normals), len(m.Corners))
			}
		}
	}
	return true
}

func FuzzRead(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

// A thousand damaged files give a scene or a typed error, and take no more memory
// than SECURITY.md allows for files of their size.
func TestDamaged(t *testing.T) {
	good := seeds()
	files, err := filepath.Glob("../model/testdata/*.fbx")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, data)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for i := range 1000 {
		data := bytes.Clone(good[i%len(good)])
		switch i / len(good) % 4 {
		case 0: // cut
			data = data[:rng.IntN(len(data))]
		case 1: // numbers that are far too large
			copy(data[27+rng.IntN(len(data)-31):], "\xff\xff\xff\x7f")
		default:
			for range 1 + rng.IntN(8) {
				data[27+rng.IntN(len(data)-27)] = byte(rng.Uint32())
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if !check(t, data) {
			refused++
		}
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(16*len(data)+64<<20); got > most {
			t.Errorf("file %d of %d bytes: %d bytes allocated, of at most %d", i, len(data), got, most)
		}
	}
	if refused < 300 || refused == 1000 {
		t.Errorf("%d of 1000 files refused", refused)
	}
}

// Few compressed bytes that claim many numbers are refused.
func TestBomb(t *testing.T) {
	zeros := make([]float64, 3<<22) // 100 MB
	data := scene(7400, object("Geometry", 2, "", "Mesh").with(n("Vertices", packed{zeros}), n("PolygonVertexIndex", []int32{0, 1, ^2})))
	if _, err := fbx.Read(bytes.NewReader(data), int64(len(data))); fault.KindOf(err) != fault.Limit {
		t.Errorf("a file of %d bytes: %v", len(data), err)
	}
}
