package places

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

func TestXMLAttribute(t *testing.T) {
	const text = "\ufeff" + `<header type="map" a='x="y"'><ident uid="u" name="1 &lt; 2"/><times gold="7" broken=></header>`
	for _, test := range []struct{ tag, name, want string }{
		{"header", "type", "map"}, {"header", "a", `x="y"`}, {"header", "y", ""}, {"ident", "name", "1 < 2"}, {"ident", "nam", ""},
		{"times", "gold", "7"}, {"times", "broken", ""}, {"time", "gold", ""}, {"none", "a", ""},
	} {
		f := &gbx.File{Header: gbx.Header{Chunks: []gbx.HeaderChunk{{Body: &game.Header03043005{XML: text}}}}}
		got, ok := InXML(test.tag, test.name).Get(SiteOf(f))
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s %s: %q, want %q", test.tag, test.name, got, test.want)
		}
	}
}
