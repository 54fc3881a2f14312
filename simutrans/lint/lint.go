// Package lint finds mistakes in one object that makeobj compiles without a warning: an
// object that the game never offers, images that are never shown, dates and numbers that
// make no sense. The compiler reports them with the line of the source, the check of a
// pakset with the file.
package lint

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Mistake is one finding.
type Mistake struct {
	Rule       string
	Key        string // key of the source, for the line number
	Message    string // what the game does
	Suggestion string // what to write
}

// Rule is a kind of mistake.
type Rule struct {
	Name string
	Text string // describes an object with this mistake
	Mend string // one sentence on how to correct it
	run  func(*linter)
}

// Rules are the rules in the order in which they are applied.
var Rules = []Rule{
	{"dates", "an object that retires before it is introduced", "Set the years in the source: intro_year is to come before retire_year.", (*linter).dates},
	{"icon", "an object without an icon, which the game never offers", "Give the object an icon and a cursor.", (*linter).icon},
	{"directions", "a vehicle or a person without images for some directions", "Draw the missing images, or use one direction for all.", (*linter).directions},
	{"no_image", "a building or a layout of it without any image", "Give every layout images, or state fewer layouts in dims.", (*linter).layouts},
	{"seasons", "a building without images in some season, or with seasons that the game never shows", "Draw the missing images, or use the same for all seasons.", (*linter).seasons},
	{"number", "a number that the game cannot use", "Set the number in the source.", (*linter).numbers},
	{"kind", "a factory that is compiled as another building", "Leave type out of the source of a factory.", (*linter).kind},
	{"file_name", "a name that Windows cannot give to the file of the object", "Give the object another name.", (*linter).fileName},
	{"special_name", "a name that is nearly one that the game looks for", "Write the name as the game does, with its upper and lower case.", (*linter).specialName},
	{"colours", "images whose special colours or background are not exact", "Paint with the exact colours, and save as PNG without smoothing.", (*linter).colours},
}

// Object returns the mistakes of an object, a child of ROOT.
func Object(n *node.Node) []Mistake {
	l := &linter{object: n}
	var err error
	if l.body, err = object.Decode(n); err != nil {
		return nil
	}
	l.building, l.buildingBody = n, l.body
	if n.Type == node.FACT {
		for _, c := range n.Children {
			if body, err := object.Decode(c); c.Type == node.BUIL && err == nil {
				l.building, l.buildingBody = c, body
			}
		}
	}
	for _, rule := range Rules {
		l.rule = rule.Name
		rule.run(l)
	}
	return l.mistakes
}

type linter struct {
	object       *node.Node
	body         *object.Body
	building     *node.Node // building of a factory, otherwise the object itself
	buildingBody *object.Body
	rule         string
	mistakes     []Mistake
}

func (l *linter) add(key, suggestion, format string, args ...any) {
	l.mistakes = append(l.mistakes, Mistake{l.rule, key, fmt.Sprintf(format, args...), suggestion})
}

// dates finds objects that retire before they are introduced.
func (l *linter) dates() {
	intro, ok1 := l.buildingBody.Field("intro")
	retire, ok2 := l.buildingBody.Field("retire")
	if ok1 && ok2 && l.buildingBody.Int("retire") <= l.buildingBody.Int("intro") {
		l.add("retire_year", "set retire_year behind intro_year", "it is introduced in %s and retires in %s, so it is never available", intro.Text, retire.Text)
	}
}

// offered are the types of buildings that players can build from a menu.
var offered = []string{"dock", "depot", "stop", "extension", "flat_dock", "signalbox"}

// icon finds objects that the game leaves out of its menus.
func (l *linter) icon() {
	switch l.object.Type {
	case node.WAY, node.BRDG, node.TUNL, node.SIGN, node.WYOB:
	case node.BUIL:
		if kind, _ := l.body.Field("building_type"); !slices.Contains(offered, kind.Text) {
			return
		}
	default:
		return
	}
	for _, c := range l.object.Children {
		if c.Type != node.CURS {
			continue
		}
		// The list has the cursor, then the icon.
		if list := c.Find(node.IMG1); list != nil && len(list.Children) > 1 && hasPixels(list.Children[1]) {
			return
		}
	}
	l.add("icon", "set icon, and cursor for the mouse pointer", "it has no icon, so no menu of the game offers it")
}

// hasPixels reports whether a subtree has an image with pixels.
func hasPixels(n *node.Node) bool {
	const empty = 10 // size of the body of an image without pixels
	found := false
	n.Walk(func(n *node.Node, _ int) bool {
		found = found || n.Type == node.IMG && len(n.Body) > empty
		return !found
	})
	return found
}

// directions finds vehicles and people that are invisible from some sides.
func (l *linter) directions() {
	name := map[node.Type]string{node.VHCL: "emptyimage", node.CCAR: "image", node.PASS: "image"}[l.object.Type]
	if name == "" {
		return
	}
	if !hasPixels(l.object) {
		l.add(name+"[s]", "set "+name+" for every direction", "it has no image, so it is invisible")
		return
	}
	for _, list := range l.object.Children {
		if list.Type != node.IMG1 || len(list.Children) == 0 {
			continue
		}
		count, missing := len(list.Children), 0
		for _, c := range list.Children {
			if !hasPixels(c) {
				missing++
			}
		}
		switch {
		case l.object.Type == node.VHCL && count != 4 && count != 8:
			l.add(name+"[s]", "give images for 4 or 8 directions", "it has images for %d directions, so it is invisible in the others", count)
		case missing > 0:
			l.add(name+"[s]", "give an image for every direction", "%d of %d directions have no image, so it is invisible there", missing, count)
		}
		name = "freightimage"
	}
}

// tiles are the tiles of the building.
func (l *linter) tiles() (tiles []*node.Node) {
	for _, c := range l.building.Children {
		if c.Type == node.TILE {
			tiles = append(tiles, c)
		}
	}
	return tiles
}

// layouts finds buildings, or layouts of buildings, without any visible image.
func (l *linter) layouts() {
	tiles := l.tiles()
	size := int(min(l.buildingBody.Int("size_x")*l.buildingBody.Int("size_y"), 1<<20))
	var empty []string
	layouts := 0
	for size > 0 && len(tiles) >= size {
		if !slices.ContainsFunc(tiles[:size], hasPixels) {
			empty = append(empty, fmt.Sprint(layouts))
		}
		layouts++
		tiles = tiles[size:]
	}
	switch {
	case len(empty) == 0:
	case len(empty) == layouts:
		l.add("type", "set backimage[0][0][0][0][0]", "it has no image, so it is invisible")
	default:
		l.add("dims", "give the layout images, or state fewer layouts", "of its %d layouts the game shows nothing for %s, which has no image", layouts, strings.Join(empty, ", "))
	}
}

// seasons finds building tiles that are invisible in some season, and seasons that the
// game never shows: it knows one, two with snow, four, and five with snow.
func (l *linter) seasons() {
	most := 0
	for i, tile := range l.tiles() {
		seasons := len(tile.Children) / 2
		most = max(most, seasons)
		var missing []string
		for season := range seasons {
			if !hasPixels(tile.Children[2*season]) && !hasPixels(tile.Children[2*season+1]) {
				missing = append(missing, fmt.Sprint(season))
			}
		}
		if len(missing) > 0 && len(missing) < seasons {
			l.add("dims", "give every tile an image in every season", "tile %d has no image in season %s", i, strings.Join(missing, ", "))
		}
	}
	switch {
	case most == 3:
		l.add("dims", "give 2 seasons (without and with snow), 4, or 5 with snow", "of its 3 seasons the game never shows the third")
	case most > 5:
		l.add("dims", "give 2 seasons (without and with snow), 4, or 5 with snow", "of its %d seasons the game shows 5", most)
	}
}

// numbers finds numbers that the game cannot use.
func (l *linter) numbers() {
	switch l.object.Type {
	case node.VHCL:
		if l.body.Int("power") > 0 && l.body.Int("gear") == 0 && l.body.Has("gear") {
			l.add("gear", "set gear to 100 or so", "its gear is 0, so its engine has no power")
		}
	case node.FACT:
		if l.body.Int("productivity") == 0 {
			l.add("productivity", "set productivity to 1 at least", "its productivity is 0, by which the game divides")
		}
	}
	if l.building.Type == node.BUIL && l.buildingBody.Int("chance") > 100 {
		l.add("chance", "write 0 to 100", "its chance is %d percent", l.buildingBody.Int("chance"))
	}
}

// kind finds factories whose building does not have the type factory.
func (l *linter) kind() {
	if l.object.Type != node.FACT || l.building == l.object {
		return
	}
	if kind, ok := l.buildingBody.Field("building_type"); ok && kind.Text != "factory" && kind.Text != "unknown" {
		l.add("type", "leave the line out", "its building is of the type %s, so the game does not treat it as a factory", kind.Text)
	}
}

// fileName finds names with characters that Windows does not allow in file names. The
// file of an object is called type.name.pak.
func (l *linter) fileName() {
	name := l.object.Name()
	if i := strings.IndexAny(name, `\/:*?"<>|`); i >= 0 {
		l.add("name", "use another character", "a file on Windows cannot have %q in its name", name[i])
	}
}

// specialName finds names that are similar to a name that the game looks for.
func (l *linter) specialName() {
	names := object.SpecialNames(l.object.Type)
	name := l.object.Name()
	if len(names) == 0 || slices.Contains(names, name) {
		return
	}
	for _, special := range names {
		if strings.EqualFold(special, name) {
			l.add("name", "write "+special, "the game looks for %s, so it does not use %s", special, name)
			return
		}
	}
	near := dat.Nearest(name, names)
	switch {
	case near != "":
		l.add("name", "did you mean "+near+"?", "unknown name: the game looks for certain names only")
	case l.object.Type == node.SYMB || l.object.Type == node.MISC:
		l.add("name", "use one of the names that editors offer", "unknown name: the game looks for certain names only")
	}
}
