package gltf_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/internal/meshtest"
	"pakbox/internal/testkit/peer"
)

// exported is a mesh of the corpus as glTF.
type exported struct {
	name  string
	scene *mesh.Scene
	data  []byte
}

// export exports all meshes of the corpus, with all levels of detail and
// shapes.
func export(t testing.TB, each func(exported)) {
	t.Helper()
	meshtest.EachFile(t, func(name string, f *gbx.File) {
		s, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if len(s.Select(func(*mesh.Node) bool { return true }).Nodes) == 0 {
			return
		}
		var b bytes.Buffer
		if err := gltf.Write(&b, s, name); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		each(exported{name, s, b.Bytes()})
	})
}

// Every mesh of the corpus becomes a file that keeps glTF's rules.
//
// With PAKBOX_GLTF_VALIDATOR set to a program that checks the glTF files in a
// folder and fails if one has an error, such as Khronos' gltf_validator, it
// is asked too.
func TestCorpus(t *testing.T) {
	dir := t.TempDir()
	files, vertices, triangles := 0, 0, 0
	export(t, func(e exported) {
		v, n := parse(t, e.data).check(t)
		if t.Failed() {
			t.Fatalf("in %s", e.name)
		}
		vertices, triangles = vertices+v, triangles+n
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.glb", files)), e.data, 0o600); err != nil {
			t.Fatal(err)
		}
		files++
	})
	if files < 200 && !t.Failed() {
		t.Errorf("only %d meshes", files)
	}
	t.Logf("%d files, %d vertices, %d triangles", files, vertices, triangles)
	if validator := os.Getenv("PAKBOX_GLTF_VALIDATOR"); validator != "" {
		words := strings.Fields(validator)
		out, err := exec.Command(words[0], append(words[1:], dir)...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", validator, err, out)
		}
	}
}

// Assimp, which other programs read glTF with, finds the same triangles in
// the same place.
func TestAssimp(t *testing.T) {
	assimp := peer.Program(t, "assimp", "assimp-utils")
	file := filepath.Join(t.TempDir(), "mesh.glb")
	number := 0
	export(t, func(e exported) {
		number++
		if err := os.WriteFile(file, e.data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(assimp, "info", file, "-r").CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", e.name, err, out)
			return
		}
		_, triangles := parse(t, e.data).check(t)
		if got := figures(t, out, "Faces:"); got[0] != float64(triangles) {
			t.Errorf("%s: %v triangles, want %d", e.name, got[0], triangles)
		}
		box := e.scene.Bounds()
		same(t, e.name, figures(t, out, "Minimum point"), box.Min)
		same(t, e.name, figures(t, out, "Maximum point"), box.Max)
	})
	if number < 200 {
		t.Errorf("only %d meshes", number)
	}
}

var numbers = regexp.MustCompile(`-?[0-9.]+(e[-+][0-9]+)?`)

// figures returns the numbers in the line that begins with the label.
func figures(t *testing.T, out []byte, label string) []float64 {
	t.Helper()
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, label); ok {
			var list []float64
			for _, word := range numbers.FindAllString(rest, -1) {
				v, err := strconv.ParseFloat(word, 64)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, v)
			}
			return list
		}
	}
	t.Fatalf("no %q in:\n%s", label, out)
	return nil
}

func same(t *testing.T, name string, got []float64, want gbx.Vec3) {
	t.Helper()
	for i, w := range []float32{want.X, want.Y, want.Z} {
		if math.Abs(got[i]-float64(w)) > 1e-4*max(1, math.Abs(float64(w))) {
			t.Errorf("%s: a corner of the box is at %v, want %v", name, got, want)
			return
		}
	}
}
