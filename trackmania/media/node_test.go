package media

import (
	"testing"

	"pakbox/gbx"
	"pakbox/trackmania"
)

// TestFilesOfMedia: how each game names a file.
func TestFilesOfMedia(t *testing.T) {
	own := gbx.Hash256{7}
	for _, test := range []struct {
		game trackmania.Generation
		sum  gbx.Hash256
		want gbx.FileRef
	}{
		{trackmania.Forever, own, gbx.FileRef{Version: 2, Path: "a"}}, {trackmania.Forever, gbx.Hash256{}, gbx.FileRef{Version: 2, Path: "a"}},
		{trackmania.ManiaPlanet4, own, gbx.FileRef{Version: 3, Path: "a", Checksum: own}}, {trackmania.Trackmania2020, gbx.Hash256{}, gbx.FileRef{Version: 3, Path: "a", Checksum: gbx.Hash256{2}}},
	} {
		if got, err := mediaFile(test.game, gbx.FileRef{Version: 9, Path: "a", Checksum: test.sum}); got != test.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", test.game, got, err, test.want)
		}
	}
}
