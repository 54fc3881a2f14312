package tree

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"pakbox/fault"
)

// node is a value of a JSON document. Members keep their order.
type node struct {
	kind  jsonKind
	text  string // text of a string, number or bool
	keys  []string
	items []*node // elements of an array, or values of an object
}

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// member returns a member of an object, nil if none exists.
func (d *node) member(key string) *node {
	if d == nil || d.kind != jsonObject {
		return nil
	}
	for i, k := range d.keys {
		if k == key {
			return d.items[i]
		}
	}
	return nil
}

// String returns a value as text for an error message.
func (d *node) String() string {
	switch d.kind {
	case jsonNull:
		return "null"
	case jsonArray:
		return "a list"
	case jsonObject:
		return "a group"
	case jsonString:
		const most = 60
		if len(d.text) > most {
			return string(appendString(nil, d.text[:most])) + "…"
		}
		return string(appendString(nil, d.text))
	}
	return d.text
}

// maxJSONDepth limits the nesting of a document: 200 nodes of a few levels each.
const maxJSONDepth = 5000

func parseJSON(data []byte) (*node, error) {
	if at := loneSurrogate(data); at >= 0 {
		return nil, fault.At(fault.Corrupt, int64(at), "", "the document has half of a surrogate pair, %s, which is not a character", data[at:at+6])
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	d, err := readNode(dec, 0)
	if err != nil {
		return nil, documentError(dec, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, documentError(dec, io.ErrUnexpectedEOF)
	}
	return d, nil
}

// loneSurrogate returns the offset of an escape for half of a character, -1 for none. The
// decoder would replace it by U+FFFD, and the file would silently hold another text.
func loneSurrogate(data []byte) int {
	high := -1 // offset of the first half
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			if high >= 0 {
				return high
			}
			continue
		}
		unit, err := uint64(0), error(nil)
		if i+6 <= len(data) && data[i+1] == 'u' {
			unit, err = strconv.ParseUint(string(data[i+2:i+6]), 16, 16)
		}
		low := err == nil && unit >= 0xdc00 && unit < 0xe000
		switch {
		case high >= 0 && !low:
			return high
		case high < 0 && low:
			return i
		}
		high = -1
		if err == nil && unit >= 0xd800 && unit < 0xdc00 {
			high = i
		}
		if i++; unit > 0 && err == nil {
			i += 4
		}
	}
	return high
}

func documentError(dec *json.Decoder, err error) error {
	e := fault.Wrap(fault.Corrupt, err, "not a JSON document")
	e.Offset = dec.InputOffset()
	return e
}

func readNode(dec *json.Decoder, depth int) (*node, error) {
	if depth > maxJSONDepth {
		return nil, fault.New(fault.Limit, "values nest deeper than %d", maxJSONDepth)
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case bool:
		return &node{kind: jsonBool, text: strconv.FormatBool(token)}, nil
	case json.Number:
		return &node{kind: jsonNumber, text: string(token)}, nil
	case string:
		return &node{kind: jsonString, text: token}, nil
	case json.Delim:
		return readMembers(dec, token == '{', depth)
	}
	return &node{}, nil
}

// readMembers reads an object or an array up to its end.
func readMembers(dec *json.Decoder, object bool, depth int) (*node, error) {
	d := &node{kind: jsonArray}
	if object {
		d.kind = jsonObject
	}
	for dec.More() {
		if object {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			d.keys = append(d.keys, key.(string))
		}
		item, err := readNode(dec, depth+1)
		if err != nil {
			return nil, err
		}
		d.items = append(d.items, item)
	}
	_, err := dec.Token()
	return d, err
}
