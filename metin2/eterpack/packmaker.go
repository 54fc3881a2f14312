package eterpack

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
)

// packMaker has the settings that pakbox reads from PackMakerLite.json, the settings file
// of the packer that most servers use.
type packMaker struct {
	IndexKey *[4]uint32 `json:"eter_pack_index_key"`
	DataKey  *[4]uint32 `json:"eter_pack_data_key"`
	IndexExt string     `json:"eter_pack_index_ext"`
	DataExt  string     `json:"eter_pack_data_ext"`
	EPKD     string     `json:"eter_magic_epkd"`
	MCOZ     string     `json:"eter_magic_mcoz"`
}

// readPackMaker reads a PackMakerLite.json. It returns nil for any other file.
func readPackMaker(data []byte) (archive.Keys, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.Contains(data, []byte(`"eter_`)) {
		return nil, nil
	}
	var p packMaker
	if err := json.Unmarshal(plainJSON(data), &p); err != nil {
		// The library's message is left out, because it may quote a key.
		return nil, fault.New(fault.Key, "looks like a PackMakerLite.json, but cannot be read as one")
	}
	keys := archive.Keys{}
	for name, value := range map[string]string{
		indexKeyName: joinWords(p.IndexKey), dataKeyName: joinWords(p.DataKey),
		indexExtName: p.IndexExt, dataExtName: p.DataExt, indexMarkName: p.EPKD, objectMarkName: p.MCOZ,
	} {
		if value != "" {
			keys[name] = value
		}
	}
	if _, err := newKeys(keys); err != nil {
		return nil, err
	}
	return keys, nil
}

// joinWords writes a key in the form of a keys file.
func joinWords(key *[4]uint32) string {
	if key == nil {
		return ""
	}
	var words []string
	for _, w := range key {
		words = append(words, strconv.FormatUint(uint64(w), 10))
	}
	return strings.Join(words, ",")
}

// plainJSON replaces by spaces what the packer accepts and JSON does not: comments of
// both kinds, and commas before a closing bracket.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(data)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1 // the last comma, while only spaces follow it
	for i := 0; i < len(out); i++ {
		rest := out[i:]
		switch c := out[i]; {
		case c == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			blank(i, i+end)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/")) + 4
			if end < 4 {
				end = len(rest)
			}
			blank(i, i+end)
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
}
