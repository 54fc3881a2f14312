package clips

import (
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo"
)

// TestFilesOfMedia: how each game names a file.
func TestFilesOfMedia(t *testing.T) {
	own := gbx.Hash256{7}
	for _, test := range []struct {
		game nadeo.Generation
		sum  gbx.Hash256
		want gbx.FileRef
	}{
		{nadeo.Forever, own, gbx.FileRef{Version: 2, Path: "a"}}, {nadeo.Forever, gbx.Hash256{}, gbx.FileRef{Version: 2, Path: "a"}},
		{nadeo.ManiaPlanet4, own, gbx.FileRef{Version: 3, Path: "a", Checksum: own}}, {nadeo.Trackmania2020, gbx.Hash256{}, gbx.FileRef{Version: 3, Path: "a", Checksum: gbx.Hash256{2}}},
	} {
		if got, err := mediaFile(test.game, gbx.FileRef{Version: 9, Path: "a", Checksum: test.sum}); got != test.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", test.game, got, err, test.want)
		}
	}
}
