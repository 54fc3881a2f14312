package runs

import (
	"testing"

	"pakbox/nadeo/nadeotest/roomtest"
)

// hardGhost is the first run in such a file.
func hardGhost(t testing.TB, name string) *Ghost {
	t.Helper()
	list := GhostsOf(roomtest.Hard(t, name))
	if len(list) == 0 {
		t.Fatalf("%s: no runs", name)
	}
	return list[0]
}

// ghosts calls test with every ghost of the corpus: of ghost files, replays
// and maps.
func ghosts(t testing.TB, test func(path string, i int, g *Ghost)) {
	for _, class := range [][]string{roomtest.GhostFolders, roomtest.ReplayFolders, roomtest.MapFolders} {
		roomtest.Each(t, class, func(c roomtest.File) {
			for i, g := range GhostsOf(c.File) {
				test(c.Path, i, g)
			}
		})
	}
}
