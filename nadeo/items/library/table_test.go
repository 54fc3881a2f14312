package library_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/nadeo/items/library"
)

// Every line of the table is a material that is found by its name and its whole path, and
// that drives as declared. Materials without a known surface are not materials to choose.
func TestEveryMaterial(t *testing.T) {
	text, err := os.ReadFile("materials.txt")
	if err != nil {
		t.Fatal(err)
	}
	i, seen := 0, 0
	all := library.Materials()
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		full := f[0] + `\` + f[2]
		want, _ := library.Surface(f[3])
		if n, known := library.SurfaceOf(strings.ToUpper(full)); !known || n != want && f[5] == "seen" {
			t.Errorf("%s drives as %d, want %d", full, n, want)
		}
		if f[5] == "seen" {
			if seen++; library.Find(full) != nil && f[3] == "" {
				t.Errorf("%s can be chosen", full)
			}
			continue
		}
		m := all[i]
		i++
		layers := strings.Join(m.UVLayers, ",")
		if layers == "" {
			layers = "-"
		}
		if m.Library != f[0] || m.Name != f[1] || m.Path != f[2] || m.Surface != f[3] || layers != f[4] || m.Color != (f[5] == "color") || m.Lightmap() != strings.Contains(f[4], "Lightmap") {
			t.Errorf("%q is %+v", line, m)
		}
		for _, name := range []string{m.Name, strings.ToLower(m.Full()), strings.ReplaceAll(m.Full(), `\`, "/")} {
			if found := library.Find(name); found == nil || found.Name != m.Name && found.Full() != m.Full() {
				t.Errorf("%s is %+v", name, found)
			}
		}
	}
	if i != len(all) || seen == 0 {
		t.Errorf("%d materials of %d, and %d that were seen", i, len(all), seen)
	}
}

// Suggestions for a path are those for its last name, and at most three names.
func TestNearPaths(t *testing.T) {
	want := library.Near("PlatformTec")
	for _, path := range []string{`Stadium\Media\Material\PlatformTec`, "a/PlatformTec", `a/b\PlatformTec`, `\PlatformTec`} {
		if got := library.Near(path); !slices.Equal(got, want) || len(got) > 3 {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := library.Near("road"); len(got) != 3 {
		t.Errorf("got = %q; want got of length 3", got)
	}
}

// Numbers lead to names and back, names whatever their case; gaps have neither.
func TestNumbersAndNames(t *testing.T) {
	for _, list := range []struct {
		number func(string) (uint8, bool)
		name   func(uint8) string
		count  int
	}{{library.Surface, library.SurfaceName, 80}, {library.Gameplay, library.GameplayName, 24}} {
		gaps := 0
		for n := range 256 {
			name := list.name(uint8(n))
			if name == "" || name == "-" {
				if gaps++; name == "-" || n < list.count && (n < 56 || n > 61) {
					t.Errorf("%d is called %q", n, name)
				}
				continue
			}
			if back, ok := list.number(strings.ToUpper(name)); !ok || int(back) != n {
				t.Errorf("%d is %s, which is %d", n, name, back)
			}
		}
		if gaps < 256-list.count || gaps > 256-list.count+6 {
			t.Errorf("%d numbers have no name", gaps)
		}
		for _, none := range []string{"-", "", "NoSuchThing"} {
			if n, ok := list.number(none); ok || n != 0 {
				t.Errorf("%q is %d", none, n)
			}
		}
	}
}

func TestSurfaceColor(t *testing.T) {
	if c := library.SurfaceColor("Grass"); c[3] != 255 || c[1] <= c[0] || c[1] <= c[2] {
		t.Errorf("grass is %v", c)
	}
	if c := library.SurfaceColor("NoSuchSurface"); c != ([4]uint8{}) {
		t.Errorf("c = %v; want [4]uint8{}", c)
	}
}
