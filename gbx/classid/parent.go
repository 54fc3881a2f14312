package classid

import "strings"

// Game is one of the games whose class trees are known.
type Game byte

// Games with their own class trees. A class can have a different parent in each game,
// because Nadeo moved classes. Parents in games before ManiaPlanet are less certain.
const (
	TM2020       Game = 't'
	ManiaPlanet4 Game = '4'
	ManiaPlanet2 Game = '2'
	Earlier      Game = 'p'
)

// Games are all games, newest first.
var Games = []Game{TM2020, ManiaPlanet4, ManiaPlanet2, Earlier}

// String is the game's name.
func (g Game) String() string {
	switch g {
	case TM2020:
		return "TM2020"
	case ManiaPlanet4:
		return "ManiaPlanet 4"
	case ManiaPlanet2:
		return "ManiaPlanet 2"
	}
	return "earlier games"
}

// ParentIn returns the name of the class's parent in a game, if it is known.
func (c Class) ParentIn(g Game) (string, bool) {
	for parents := c.parents; parents != ""; {
		var one string
		one, parents, _ = strings.Cut(parents, ",")
		games, name, some := strings.Cut(one, ":")
		if !some {
			return one, g != Earlier
		}
		if strings.IndexByte(games, byte(g)) >= 0 {
			return name, true
		}
	}
	return "", false
}

// Ancestors returns the parent, the parent's parent and so on up to the root, each in the
// newest game where it is known.
func (c Class) Ancestors() []Class {
	var list []Class
	for len(list) < maxAncestors {
		parent, ok := ByName(c.Parent)
		if !ok {
			break
		}
		list = append(list, parent)
		c = parent
	}
	return list
}

// maxAncestors ends the search if the old names form a circle.
const maxAncestors = 32

// Children returns the classes whose parent in the newest known game is c, in order.
func (c Class) Children() []Class {
	var list []Class
	for _, child := range names().classes {
		if child.Parent == "" || child.ID.Latest() != child.ID {
			continue
		}
		if parent, ok := ByName(child.Parent); ok && parent.ID == c.ID {
			list = append(list, child)
		}
	}
	return list
}
