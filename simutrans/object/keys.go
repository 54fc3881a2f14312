package object

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
)

// Key is a key of the source language, for editors and documents.
type Key struct {
	Name    string // name; brackets contain an example of an index, or a list
	Unit    string
	Default string   // default value; "" if none exists, or if it depends on other keys
	Range   string   // range of a number, such as 0 to 255
	Words   []string // possible values
	Many    bool     // several words are allowed, separated by commas
	IsText  bool
	IsImage bool
	Refers  node.Type // type of the object that the value refers to; 0 for none
	About   string    // one sentence
}

// Stem is the key without its indices.
func (k Key) Stem() string { return dat.Stem(k.Name) }

// commonKeys are the keys that every object has.
var commonKeys = []Key{
	{Name: "obj", IsText: true, About: "The type of the object; every object begins with it."},
	{Name: "name", IsText: true, About: "The name by which the game and other objects know it."},
	{Name: "copyright", IsText: true, About: "The author of the object."},
	{Name: "cell_size", Unit: "pixels", Range: "16 to 32765", About: "The size of a cell in the pictures, in the place of the pakset's."},
}

// Keys lists the keys that a source of an object type can have for a target.
func Keys(t node.Type, target Target) []Key {
	keys := slices.Clone(commonKeys)
	keys[0].Words = target.Objects()
	return append(keys, typeKeys(t, target)...)
}

// ByStem returns the keys of Keys by their names without indices.
func ByStem(t node.Type, target Target) map[string]Key {
	id := [2]any{t, target.name}
	if keys, ok := stems.Load(id); ok {
		return keys.(map[string]Key)
	}
	keys := map[string]Key{}
	for _, k := range slices.Backward(Keys(t, target)) {
		keys[k.Stem()] = k // the first one wins
	}
	stems.Store(id, keys)
	return keys
}

var stems sync.Map // results of ByStem, by type and target

func typeKeys(t node.Type, target Target) (keys []Key) {
	typ := lookup(t)
	if typ == nil {
		return nil
	}
	v, specs := target.Version(t), typ.standard
	if v.IsExt {
		specs = typ.extended
	}
	l := typ.layouts[v]
	for _, s := range specs {
		var in *item
		if i := l.find(s.name); i >= 0 {
			in = &l.items[i]
			s = in.spec // its kind may differ in this body
		}
		if in == nil && s.name != "." {
			continue
		}
		for i, name := range s.keys {
			keys = append(keys, s.describe(strings.ReplaceAll(name, "#", "[0]"), i, in)...)
		}
	}
	for _, part := range typ.Parts {
		keys = append(keys, typeKeys(part, target)...)
	}
	return keys
}

// find returns the index of a field, -1 if the layout does not have it.
func (l *layout) find(name string) int {
	if l == nil {
		return -1
	}
	return slices.IndexFunc(l.items, func(it item) bool { return it.spec.name == name })
}

// describe makes the keys for one name of a spec.
func (s *spec) describe(name string, i int, in *item) []Key {
	k := Key{
		Name: name, Unit: s.kind.unit, Words: s.kind.choices, Many: s.kind.many, Default: s.word,
		IsText: s.kind.isText, IsImage: s.kind.isImage, Refers: s.kind.refers, About: s.about,
	}
	if k.Unit == "Cr" || strings.HasPrefix(k.Unit, "1/") {
		k.Unit = "" // sources use another unit, which the sentence names
	}
	if in != nil && s.isSet && s.like == "" && !s.quiet {
		k.Default = strconv.FormatInt(s.def, 10)
	}
	if in != nil && k.Words == nil && !k.IsText {
		low, high := in.width.bounds()
		if s.limit != nil {
			low, high = s.limit.low, s.limit.high
		}
		k.Range = strconv.FormatInt(s.kind.unscale(low), 10) + " to " + strconv.FormatInt(s.kind.unscale(high), 10)
	}
	switch {
	case s.kind.suffix != "":
		month := k
		k.Name, k.Range = name+s.kind.suffix, ""
		month.Name, month.Range, month.Default = name+"_month", "1 to 12", "1"
		return []Key{k, month}
	case s.kind.keyRange != "":
		k.Name, k.Range = name+s.kind.keyIndex, s.kind.keyRange
	case s.kind.keyUnit != "":
		k.Unit, k.Range = s.kind.keyUnit, ""
	case i > 0 && s.name != ".":
		k.About = "Another name for " + s.keys[0] + "."
	}
	return []Key{k}
}
