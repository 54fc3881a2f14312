package eterpack

import (
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/xtea"
)

// Names in a keys file for the packs of one server: the two keys, and other settings that
// its packer offers.
const (
	indexKeyName   = "eterpack-index"
	dataKeyName    = "eterpack-data"
	indexMarkName  = "eterpack-epkd"
	objectMarkName = "eterpack-mcoz"
	indexExtName   = "eterpack-index-ext"
	dataExtName    = "eterpack-data-ext"
)

// The keys of the unmodified client. They are not secret: every public tool has them, and
// operators who want secrecy change them.
var (
	defaultIndexKey = [4]uint32{45129401, 92367215, 681285731, 1710201}
	defaultDataKey  = [4]uint32{78952482, 527348324, 1632942, 486274726}
)

// keys are the keys, marks and extensions of one server's packs.
type keys struct {
	index, data *xtea.Cipher
	marks
	indexExt, dataExt string
}

// marks are the fourccs that an index and a crypted object begin with.
type marks struct{ index, object string }

var defaultMarks = marks{"EPKD", "MCOZ"}

// newKeys returns the user's keys, with defaults for missing ones.
func newKeys(ring archive.Keys) (k keys, err error) {
	if k.index, err = findKey(ring, indexKeyName, defaultIndexKey); err != nil {
		return keys{}, err
	}
	if k.data, err = findKey(ring, dataKeyName, defaultDataKey); err != nil {
		return keys{}, err
	}
	for _, text := range []struct {
		name      string
		value     *string
		otherwise string
		valid     func(string) bool
	}{
		{indexMarkName, &k.marks.index, defaultMarks.index, isMark},
		{objectMarkName, &k.marks.object, defaultMarks.object, isMark},
		{indexExtName, &k.indexExt, indexExt, isExt},
		{dataExtName, &k.dataExt, dataExt, isExt},
	} {
		*text.value = text.otherwise
		if ring == nil {
			continue
		}
		if v, ok := ring.Key(text.name); ok {
			if *text.value = v; !text.valid(v) {
				return keys{}, fault.New(fault.Key, "%s: expected %s", text.name, wants[text.name])
			}
		}
	}
	return k, nil
}

// wants describes valid values in words.
var wants = map[string]string{
	indexKeyName: "four numbers, with commas between them", dataKeyName: "four numbers, with commas between them",
	indexMarkName: "four letters", objectMarkName: "four letters",
	indexExtName: "an extension with its dot", dataExtName: "an extension with its dot",
}

// isMark accepts four printable ASCII characters. Small numbers are not printable.
func isMark(s string) bool {
	return len(s) == 4 && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func isExt(s string) bool {
	return len(s) > 1 && s[0] == '.' && !strings.ContainsAny(s[1:], `./\`)
}

func findKey(ring archive.Keys, name string, otherwise [4]uint32) (*xtea.Cipher, error) {
	if ring == nil {
		return xtea.New(otherwise), nil
	}
	text, ok := ring.Key(name)
	if !ok {
		return xtea.New(otherwise), nil
	}
	words, ok := parseKey(text)
	if !ok {
		// The text is not quoted: a key must not get into a log.
		return nil, fault.New(fault.Key, "key %s: expected four 32-bit numbers, A,B,C,D", name)
	}
	return xtea.New(words), nil
}

// parseKey reads four numbers, decimal or hexadecimal with 0x, separated by
// commas.
func parseKey(text string) (words [4]uint32, ok bool) {
	parts := strings.Split(text, ",")
	if len(parts) != len(words) {
		return words, false
	}
	for i, p := range parts {
		p = strings.TrimSpace(p)
		base := 10
		if hex, found := strings.CutPrefix(strings.ToLower(p), "0x"); found {
			p, base = hex, 16
		}
		w, err := strconv.ParseUint(p, base, 32)
		if err != nil {
			return words, false
		}
		words[i] = uint32(w)
	}
	return words, true
}

// KeyKinds are the lines of a keys file that this format uses.
func (Format) KeyKinds() (kinds []archive.KeyKind) {
	add := func(name string, valid func(string) bool) {
		kinds = append(kinds, archive.KeyKind{Name: name, Want: wants[name], Kind: func(value string) string {
			if !valid(value) {
				return ""
			}
			return "eterpack"
		}})
	}
	isKey := func(value string) bool { _, ok := parseKey(value); return ok }
	add(indexKeyName, isKey)
	add(dataKeyName, isKey)
	add(indexMarkName, isMark)
	add(objectMarkName, isMark)
	add(indexExtName, isExt)
	add(dataExtName, isExt)
	kinds[0].Read = readPackMaker
	return kinds
}
