package walk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// used are the real files that the walk looks at, by the names they get here.
var used = map[string]string{
	"map.Map.Gbx":       "gbx/03043000/419a42a7df54.Map.Gbx",
	"items.Map.Gbx":     "gbx/03043000/223b9d46373b.Map.Gbx",
	"other.Map.Gbx":     "gbx/03043000/8e10f2666444.Map.Gbx",
	"meta.Map.Gbx":      "gbx/03043000/505873ebb0e9.Map.Gbx",
	"large.Map.Gbx":     "gbx/03043000/6ce0bbb91fcd.Map.Gbx",
	"run.Replay.Gbx":    "gbx/03093000/39fede7f47ab.Replay.Gbx",
	"runs.Replay.Gbx":   "gbx-hard/c5fdce713feac2f2.Replay.Gbx",
	"ghost.Ghost.Gbx":   "gbx/03092000/0133a1ad2e97.Ghost.Gbx",
	"block.Block.Gbx":   "gbx/2e002000/57cbf4f969c9.Block.Gbx",
	"pack.Pack.Gbx":     "nadeopak/g_v18_f0.Pack.Gbx",
	"plain.vpk":         "vpk42/original/plain.vpk",
	"locked.vpk":        "vpk42/original/enc.vpk",
	"metin.eix":         "eterpack/plainidx_type0_lzo.eix",
	"metin.epk":         "eterpack/plainidx_type0_lzo.epk",
	"objects.pak":       "simutrans/pak/portal__test-50.pak",
	"damaged.Block.pak": "simutrans/corrupt/truncated300.pak",
}

// hostile is a name that would be markup if anybody took it for such.
const hostile = `<img src=x onerror=alert(1)>&"'.txt`

// folder makes a folder with the files of the walk.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, from := range used {
		root, rest, _ := strings.Cut(from, "/")
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t, root), rest))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), data)
	}
	write(t, filepath.Join(dir, hostile), []byte("<script>alert(1)</script>\nplain text"))
	write(t, filepath.Join(dir, "korean.txt"), []byte("\xb0\xa1\xb3\xaa\xb4\xd9\n"))
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
