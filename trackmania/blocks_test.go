package trackmania

import "testing"

// Blocks gone through in haste are those of the list, with the same names in the
// same places.
func TestBareBlocks(t *testing.T) {
	t.Parallel()
	compared := 0
	eachFile(t, mapFolders, func(c corpusFile) {
		m, err := MapOf(c.file)
		if err != nil {
			return
		}
		list := m.Blocks()
		i := 0
		for b := range m.EachBareBlock() {
			want := list[i]
			got := *b
			got.Author, got.Skin, got.Waypoint, got.Order, got.Color = want.Author, want.Skin, want.Waypoint, want.Order, want.Color
			if got != want {
				t.Errorf("%s: block %d: %+v, want %+v", c.path, i, got, want)
				return
			}
			i++
		}
		if i != len(list) {
			t.Errorf("%s: %d blocks, want %d", c.path, i, len(list))
		}
		compared += i
	})
	if compared == 0 {
		t.Error("no blocks compared")
	}
}
