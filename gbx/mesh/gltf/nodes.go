package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A map has a node for each of its blocks, tens of thousands. Written by encoding/json
// they take a quarter of the time for the whole scene; so the nodes are written here, as
// encoding/json would write them.

// text returns the document as JSON.
func (d *document) text() ([]byte, error) {
	rest := *d
	rest.Nodes = nil
	text, err := json.Marshal(&rest)
	if err != nil {
		return nil, err
	}
	before, after, ok := bytes.Cut(text, []byte(`"nodes":null`))
	if !ok {
		return nil, errors.New("the document has no place for nodes")
	}
	out := slices.Grow(bytes.Clone(before), 160*len(d.Nodes)+len(after))
	out = append(out, `"nodes":[`...)
	for i := range d.Nodes {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = d.Nodes[i].append(out); err != nil {
			return nil, err
		}
	}
	return append(append(out, ']'), after...), nil
}

// append adds the node as JSON. A node with members that few nodes have, or with numbers
// that JSON does not have, is left to encoding/json.
func (n *node) append(out []byte) ([]byte, error) {
	if n.Skin != nil || n.Matrix != nil || n.Extras != (extras{}) || n.Extension.Light.Light != nil || !n.finite() {
		text, err := json.Marshal(n)
		return append(out, text...), err
	}
	start := len(out)
	if n.Name != "" {
		out = appendText(append(out, `,"name":`...), n.Name)
	}
	if n.Mesh != nil {
		out = strconv.AppendInt(append(out, `,"mesh":`...), int64(*n.Mesh), 10)
	}
	for i, child := range n.Children {
		if i == 0 {
			out = append(out, `,"children":[`...)
		} else {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(child), 10)
	}
	if len(n.Children) > 0 {
		out = append(out, ']')
	}
	if n.Translation != nil {
		out = appendNumbers(append(out, `,"translation":`...), n.Translation[:])
	}
	if n.Rotation != nil {
		out = appendNumbers(append(out, `,"rotation":`...), n.Rotation[:])
	}
	if n.Scale != nil {
		out = appendNumbers(append(out, `,"scale":`...), n.Scale[:])
	}
	if len(out) == start {
		return append(out, "{}"...), nil
	}
	out[start] = '{' // in place of the first comma
	return append(out, '}'), nil
}

// finite reports whether the node has no number that JSON does not have.
func (n *node) finite() bool {
	sum := float32(0) // times 0, such a number is not a number
	if t := n.Translation; t != nil {
		sum += 0*t[0] + 0*t[1] + 0*t[2]
	}
	if r := n.Rotation; r != nil {
		sum += 0*r[0] + 0*r[1] + 0*r[2] + 0*r[3]
	}
	if s := n.Scale; s != nil {
		sum += 0*s[0] + 0*s[1] + 0*s[2]
	}
	return sum == sum
}

func appendText(out []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			escaped, _ := json.Marshal(text) // a string has no error
			return append(out, escaped...)
		}
	}
	return append(append(append(out, '"'), text...), '"')
}

func appendNumbers(out []byte, values []float32) []byte {
	out = append(out, '[')
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendNumber(out, v)
	}
	return append(out, ']')
}

// appendNumber writes a number as encoding/json does: with an exponent if it is very small
// or very large, and without a 0 before the exponent's only digit.
func appendNumber(out []byte, v float32) []byte {
	if whole := int32(v); v == float32(whole) && v > -1e6 && v < 1e6 && (whole != 0 || !math.Signbit(float64(v))) {
		return strconv.AppendInt(out, int64(whole), 10)
	}
	if abs := max(v, -v); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(out, float64(v), 'f', -1, 32)
	}
	out = strconv.AppendFloat(out, float64(v), 'e', -1, 32)
	if n := len(out); n >= 4 && out[n-4] == 'e' && out[n-3] == '-' && out[n-2] == '0' {
		out = append(out[:n-2], out[n-1])
	}
	return out
}
