package pak

import (
	"sync"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// words finds the word that each node adds to the cipher. It is the number of the parent
// of the node's class in the game that wrote the pack, except for a few classes.
type words struct {
	games  []classid.Game // the games whose class trees are used, in this order
	guess  map[classid.ID]uint32
	found  map[classid.ID]uint32 // words found before: a file has many nodes of few classes
	forked bool                  // some class has different words in different games
	lacks  classid.ID            // a class whose parent is unknown; 0 for none
}

// gamesOf lists the games that may have written packs of a version, the most likely
// first. Each list begins with that game; the others follow for classes that it does not
// have. The class tree of TrackMania Forever is unknown; that of ManiaPlanet 2 is nearest
// to it.
func gamesOf(version uint32) [][]classid.Game {
	const t, m4, m2, old = classid.TM2020, classid.ManiaPlanet4, classid.ManiaPlanet2, classid.Earlier
	if version >= 18 {
		return [][]classid.Game{{m4, t, m2, old}, {t, m4, m2, old}, {m2, m4, t, old}}
	}
	return [][]classid.Game{{m2, m4, t, old}, {m4, m2, t, old}, {t, m4, m2, old}}
}

// of returns the word of a class.
func (w *words) of(class classid.ID) (uint32, error) {
	if word, ok := nodeWords[class.Latest()]; ok {
		return word, nil
	}
	if word, ok := w.guess[class.Latest()]; ok {
		return word, nil
	}
	if word, ok := w.found[class]; ok {
		return word, nil
	}
	word, known := uint32(0), false
	for _, game := range w.games {
		other, ok := wordIn(class, game)
		switch {
		case !ok:
		case !known:
			word, known = other, true
		case (other^word)&observable != 0 && game != classid.Earlier:
			w.forked = true
		}
	}
	if !known {
		w.lacks = class.Latest()
		return 0, fault.New(fault.UnknownClass, "the parent of class %v is not known", class)
	}
	if w.found == nil {
		w.found = map[classid.ID]uint32{}
	}
	w.found[class] = word
	return word, nil
}

// inDoubt reports whether another game, or another guess, would have given a different
// word.
func (w *words) inDoubt() bool { return w.forked || len(w.guess) > 0 }

// observable are the bits of a word that influence the cipher.
const observable = 0x55555555

// wordIn is the word of a class in a game. It first looks up the number of the class in
// the pack, because the game that wrote the pack used this number. If no parent is known
// for it, it tries the latest number of the class.
func wordIn(class classid.ID, game classid.Game) (uint32, bool) {
	for _, id := range []classid.ID{class, class.Latest()} {
		c, _ := classid.LookupExact(id)
		if name, ok := c.ParentIn(game); ok {
			if parent, ok := classid.ByName(name); ok {
				return wordOf(parent.ID.Latest()), true
			}
		}
	}
	return 0, false
}

// wordOf is the word of all classes with this parent.
func wordOf(parent classid.ID) uint32 {
	const text, base = 0x07031000, 0x07001000
	if parent == text { // CControlText counts as CControlBase
		return base
	}
	return uint32(unwrapped(parent))
}

// allWords lists the possible words of a class. The word of CMwNod is first, because most
// classes have it. Words that the cipher does not distinguish are listed once.
var allWords = sync.OnceValue(func() []uint32 {
	list, seen := []uint32{0x01001000}, map[uint32]bool{0x01001000 & observable: true}
	for _, c := range classid.All() {
		for _, game := range classid.Games {
			if word, ok := wordIn(c.ID, game); ok && !seen[word&observable] {
				seen[word&observable] = true
				list = append(list, word)
			}
		}
	}
	return list
})

// nodeWords are the classes whose word is not the number of their parent, as real packs
// have shown.
var nodeWords = map[classid.ID]uint32{
	0x0a003000: 0x0a001000,
	0x090bf000: 0x0804b000,
	0x090ed000: 0x0a02e000,
	0x0917e000: 0x05010000,
	0x09184000: 0x05010000,
	0x09185000: 0x05002000,
}

// unwrapped is the number that the game uses for a class: the one before the class was
// renumbered. If there are several, it is the one in the engine TrackMania.
func unwrapped(id classid.ID) classid.ID {
	if old, ok := unwrapChoices[id]; ok {
		return old
	}
	older := id.Older()
	for _, old := range older {
		if old.Engine() == 0x24 {
			return old
		}
	}
	switch id.Engine() {
	case 0x09, 0x0c, 0x11: // the engines Plug, Vision and Script took classes from other engines
		if len(older) == 1 {
			return older[0]
		}
	}
	return id
}

// unwrapChoices are the classes for which the rule in unwrapped does not give the number
// that games use.
var unwrapChoices = map[classid.ID]classid.ID{
	0x0308c000: 0x240b5000,
	0x09026000: 0x09068000,
	0x090e5000: 0x0a06a000,
	0x090ef000: 0x0a01f000,
	0x0915d000: 0x0303c000,
	0x0917a000: 0x2e00e000,
	0x09184000: 0x05036000,
	0x09185000: 0x0501a000,
}
