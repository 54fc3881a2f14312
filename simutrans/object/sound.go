package object

import (
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	register(&Type{
		Node: node.SOUN, Word: "sound", Versions: same(2),
		About: "A sound of the game itself.",
		Fields: `
			sound_nr  int  sound_nr=65535  -- The number of a built-in sound.
			.  text  sound_name  -- The file of the sound.`,
		Bodies: []string{
			"1: sound_nr:u16",
			"2: sound_nr:u16 $sound_name[length:u16+1]", // the stored length does not include the NUL
		},
		Build: func(b *Builder) *node.Node {
			d := b.read(node.SOUN, "")
			d.putText("sound_name", b.Get("sound_name")+"\x00")
			return b.node(node.SOUN, d, b.nameAndCopyright()...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			if name := strings.TrimSuffix(d.text("sound_name"), "\x00"); name != "" {
				w.Set("sound_name", name)
			}
		},
	})
}
