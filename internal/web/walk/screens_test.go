package walk

import (
	"path/filepath"
	"testing"
)

// TestShots visits every screen for its picture.
func TestScreens(t *testing.T) {
	need(t, exists(corpus), "the corpus")
	p := open(t, served(t, filepath.Join(corpus, "gbx"), filepath.Join(corpus, "gbx-hard"), filepath.Join(corpus, "simutrans"), filepath.Join(corpus, "vpk42"), filepath.Join(corpus, "nadeopak"), filepath.Join(corpus, "eterpack")))
	for _, s := range screens {
		p.size(1280, "light")
		p.visit(s.hash)
		p.shoot(s.name)
		p.calm()
	}
}

var screens = []struct{ name, hash string }{
	{"3d-2020", "#/gbx/03043000/801dc9070351.Gbx?tab=3d"},
	{"map-2020", "#/gbx/03043000/801dc9070351.Gbx"},
	{"replay", "#/gbx/03093000/1d753af11a37.Replay.Gbx"},
	{"replay2", "#/gbx/03093000/6f6dce8c6dce.Gbx"},
	{"item", "#/gbx/2e002000/57cbf4f969c9.Block.Gbx"},
	{"sim", "#/simutrans/pak/britain-ex__bridge.PowerBridge.pak"},
	{"vpk", "#/vpk42"},
	{"pak", "#/nadeopak/g_v18_f7.Pack.Gbx"},
	{"eix", "#/eterpack/plainidx_type0_lzo.eix"},
	{"diff", "#:diff?a=gbx/03043000/01199bac5d50.Challenge.Gbx&b=gbx/03043000/012aa97a82fd.Challenge.Gbx"},
}
