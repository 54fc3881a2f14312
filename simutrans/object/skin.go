package object

import (
	"strings"

	"pakbox/simutrans/node"
)

// optionalNames are symbols and cursors that the game uses if a pakset has
// them.
const optionalNames = " BigLogo Mouse TrainStop CarStop ShipStop BusStop AirStop MonorailStop MaglevStop NarrowgaugeStop TramStop" +
	" networksym timelinesym fastforwardsym pausesym station_type ToolsBackground CompassIso CompassMap Happy Unhappy NoRoute MenuButton"

// Skins are objects that only have a list of images.
func init() {
	for t, skin := range map[node.Type]struct{ word, axis, about, names string }{
		node.CURS: {"cursor", "image", "A mouse pointer. The game looks for certain names.", "Builder GeneralTools Marked" + optionalNames},
		node.FIEL: {"field", "image", "A field around a factory, such as a field of grain.", ""},
		node.MENU: {"menu", "image", "The buttons of a menu. The game looks for certain names.",
			"Button Roundbutton Checkbutton Posbutton Scrollbar Divider Editfield Listbox Back Gadget GeneralTools SimpleTools DialogeTools BarTools"},
		node.MISC: {"misc", "image", "An image for the game itself. The game looks for certain names.", "PowerDest PowerSource Construction Sidewalk TunnelTexture"},
		node.SMOK: {"smoke", "frame", "The smoke of a vehicle or a factory.", ""},
		node.SYMB: {"symbol", "image", "A symbol of the game. The game looks for certain names.",
			"Seasons MessageOptions ColorOptions Logo NewYear NewWorld Flags Message Electricity InTown Passagiere Post Waren" + optionalNames},
	} {
		register(&Type{
			Node: t, Word: skin.word, Versions: noVersions, unversioned: true, Axes: []string{skin.axis}, About: skin.about,
			Names:  strings.Fields(skin.names),
			Fields: ". image image[0] -- The images in their order.",
			Build: func(b *Builder) *node.Node {
				return &node.Node{Type: t, Children: append(b.nameAndCopyright(), b.list(b.present(numbered("image"))))}
			},
			Write: func(w *Writer, _ *Body) {
				w.Blank()
				w.all(child(w.object, node.IMG1), numbered("image"))
			},
		})
	}
}
