package lint_test

import (
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// FuzzLint looks for mistakes in maps that may be damaged: nothing may panic.
func FuzzLint(f *testing.F) {
	m := fresh(f)
	m.File.SetCompression(false, lzo1x.Fast)
	plain, err := m.File.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		if m, err := maps.Of(file); err == nil {
			lint.Map(m, int64(len(data)))
			var folder lint.Folder
			folder.Add("a", m)
		}
		if m, err := maps.MacroblockOf(file); err == nil {
			lint.Macroblock(m, m.Collection())
		}
	})
}
