package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.GOBJ, Word: "ground_obj", Versions: since12(1, 2), Axes: []string{"image", "season"},
		About: "Something in the landscape: stones, or a flock that moves.",
		Fields: `
			climates             climates      climates              -- The climates in which it appears; without one it never appears.
			distribution_weight  int           distributionweight=3  -- How often it appears, compared with other objects of the ground.
			seasons              count         seasons=1             -- The number of seasons that the images show.
			trees_on_top         flag          trees_on_top=1        -- 0: no tree may stand on the tile.
			price                money         cost                  -- The price of its removal, in hundredths of a credit.
			waytype              maybewaytype  waytype               -- Where it moves: water, air, or on land without the key.
			topspeed             km/h          speed                 -- The speed; 0 for something that does not move.
			.  image  image[0][0]                     -- An image of something that does not move; the second index is the season.
			.  image  image[s,w,sw,se,n,e,ne,nw][0]   -- An image of something that moves, by direction and season.`,
		Bodies: []string{
			"1-2: climates:u16 distribution_weight:u16 seasons:u8 trees_on_top:u8 topspeed:u16 waytype:u16 price:i32,i64@2",
		},
		Build: (*Builder).groundObject,
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			if d.Int("topspeed") > 0 {
				w.grid(from(bracketed("image", directions, "")))
				return
			}
			w.grid(numbered("image"))
		},
	})
}

func (b *Builder) groundObject() *node.Node {
	d := b.read(node.GOBJ, "")
	var grid *node.Node
	if d.Int("topspeed") > 0 {
		if !b.Has("waytype") {
			b.Warn("waytype", "write waytype=water or waytype=air, or waytype=none if land is meant", "it moves and has no way type, so it goes over land")
		}
		grid = b.everySeason(bracketed("image", directions, ""), d)
	} else {
		grid = b.grid(func(i int) []string {
			keys := seasonKeys(key("image[%d]", i), d)
			if len(keys) == 0 || !b.Has(keys[0]) {
				return nil
			}
			return b.required(keys, seasonMissing, seasonSuggestion)
		})
	}
	return b.node(node.GOBJ, d, append(b.nameAndCopyright(), grid)...)
}

const seasonMissing, seasonSuggestion = "the image is missing", "every season needs an image"

// everySeason makes the IMG2 of images that are required in all seasons.
func (b *Builder) everySeason(names []string, d *Body) *node.Node {
	var lists []*node.Node
	for _, name := range names {
		lists = append(lists, b.list(b.required(seasonKeys(name, d), seasonMissing, seasonSuggestion)))
	}
	return listNode(node.IMG2, lists)
}

// seasonKeys are the keys of one image in all seasons.
func seasonKeys(name string, d *Body) []string {
	return numbers(name, int(min(max(d.Int("seasons"), 0), 255)))
}
