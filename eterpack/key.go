package eterpack

import (
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/xtea"
)

// The names of the two keys in a keys file.
const (
	indexKeyName = "eterpack-index"
	dataKeyName  = "eterpack-data"
)

// The keys of the unmodified client, which every public tool carries. They
// hide nothing; operators who want to hide something change them.
var (
	defaultIndexKey = [4]uint32{45129401, 92367215, 681285731, 1710201}
	defaultDataKey  = [4]uint32{78952482, 527348324, 1632942, 486274726}
)

// keys are the ciphers of a pack.
type keys struct{ index, data *xtea.Cipher }

// newKeys takes the user's keys, and the defaults for those not given.
func newKeys(ring archive.Keyring) (keys, error) {
	index, err := findKey(ring, indexKeyName, defaultIndexKey)
	if err != nil {
		return keys{}, err
	}
	data, err := findKey(ring, dataKeyName, defaultDataKey)
	return keys{index, data}, err
}

func findKey(ring archive.Keyring, name string, otherwise [4]uint32) (*xtea.Cipher, error) {
	if ring == nil {
		return xtea.New(otherwise), nil
	}
	text, ok := ring.Key(name)
	if !ok {
		return xtea.New(otherwise), nil
	}
	words, ok := parseKey(text)
	if !ok {
		// The text itself stays out of the message: it may end up in a log.
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

// KeyKinds are the keys of a keys file that this format uses.
func (Format) KeyKinds() []archive.KeyKind {
	kind := func(value string) string {
		if _, ok := parseKey(value); !ok {
			return ""
		}
		return "eterpack"
	}
	const want = "four numbers, with commas between them"
	return []archive.KeyKind{
		{Name: indexKeyName, Want: want, Kind: kind},
		{Name: dataKeyName, Want: want, Kind: kind},
	}
}
