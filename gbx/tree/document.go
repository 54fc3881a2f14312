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
