// Package pin stores values in a source that the source language cannot express.
//
// Some objects have such values: words that an old compiler left unset, a coupling to a
// vehicle that is really called "none", nodes of an unknown dialect. A decompiled source
// has each of them in a comment that other compilers ignore:
//
//	#pakbox node 000.VHCL/006.XREF name=none
//	#pakbox node 000.FACT/003.FSUP rest=6400
//
// The path leads from the object to a node: see node.Step. It is followed by one of
//
//	FIELD=VALUE   a field of the descriptor, by the name 'pakbox dump' shows
//	body=HEX      the whole body; the node is made if it is the next child
//	image=KEY     the image of a key in the source; the node is made likewise
//	children=N    only the first children are kept
//
// Pins are applied in order to the object that the rest of the source gives.
package pin

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"pakbox/fault"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Word is the first word of a directive that is a pin.
const Word = "node"

// Names that are not fields.
const (
	Body     = "body"
	Image    = "image"
	Children = "children"
)

// Pin is one line.
type Pin struct {
	Path  string
	Name  string
	Value string
}

// String returns the pin as a directive.
func (p Pin) String() string { return Word + " " + p.Path + " " + p.Name + "=" + p.Value }

// Parse parses a directive. ok is false if it is not a pin.
func Parse(directive string) (p Pin, ok bool, err error) {
	rest, ok := strings.CutPrefix(directive, Word+" ")
	if !ok {
		return Pin{}, false, nil
	}
	path, assignment, _ := strings.Cut(strings.TrimSpace(rest), " ")
	name, value, found := strings.Cut(assignment, "=")
	if !found || name == "" {
		return Pin{}, true, fault.New(fault.BadEntry, "a pin has the form %s PATH NAME=VALUE", Word)
	}
	return Pin{Path: path, Name: name, Value: value}, true, nil
}

// Carries reports whether the pin gives an object of a type its own body. Then its source
// consists of pins only.
func (p Pin) Carries(t node.Type) bool { return p.Path == node.Step(0, t) && p.Name == Body }

// Apply changes the tree of an object. image returns the image node of a key.
func (p Pin) Apply(object *node.Node, image func(key string) *node.Node) error {
	n, err := p.find(object)
	if err != nil {
		return err
	}
	switch p.Name {
	case Body:
		if n.Body, err = hex.DecodeString(p.Value); err != nil {
			return fault.New(fault.BadEntry, "the body is not a hexadecimal number")
		}
	case Image:
		n.Body = image(p.Value).Body
	case Children:
		count, err := strconv.Atoi(p.Value)
		if err != nil || count < 0 || count > len(n.Children) {
			return fault.New(fault.BadEntry, "%s has %d children, of which %q cannot be kept", p.Path, len(n.Children), p.Value)
		}
		n.Children = n.Children[:count:count]
	default:
		return setField(n, p.Name, p.Value)
	}
	return nil
}

// find returns the node of the path. If the pin gives it a body or an image, the node
// gets the type of the last step, and is added if it is the next child.
func (p Pin) find(object *node.Node) (*node.Node, error) {
	steps := object.Steps(p.Path)
	if p.Name != Body && p.Name != Image || len(steps) == 0 {
		return object.At(p.Path)
	}
	last := len(steps) - 1
	parent, err := object.At(strings.Join(steps[:last], "/"))
	if err != nil {
		return nil, err
	}
	index, t, err := node.ParseStep(steps[last])
	if err != nil {
		return nil, err
	}
	if index == len(parent.Children) {
		parent.Children = append(parent.Children, &node.Node{})
	}
	n := parent.Child(index)
	if n == nil {
		return nil, fault.New(fault.BadEntry, "node %s not found", p.Path)
	}
	n.Type = t
	return n, nil
}

func setField(n *node.Node, name, value string) error {
	d, err := object.Decode(n)
	if err != nil {
		return err
	}
	if err := d.Store(name, value); err != nil {
		return err
	}
	n.Body, err = d.Encode()
	return err
}

// Difference returns the pins that turn got into want. It does not change the two trees.
func Difference(want, got *node.Node) []Pin { return difference(want, got, node.Step(0, want.Type)) }

func difference(want, got *node.Node, path string) (pins []Pin) {
	if want.Type != got.Type || !bytes.Equal(want.Body, got.Body) {
		pins = append(pins, bodyPins(want, got, path)...)
	}
	if len(got.Children) > len(want.Children) {
		pins = append(pins, Pin{path, Children, strconv.Itoa(len(want.Children))})
	}
	for i, c := range want.Children {
		at := path + "/" + node.Step(i, c.Type)
		if i < len(got.Children) {
			pins = append(pins, difference(c, got.Children[i], at)...)
		} else {
			pins = append(pins, difference(c, &node.Node{}, at)...)
		}
	}
	return pins
}

// bodyPins prefers pins of fields, because they are readable and leave other fields to
// the rest of the source.
func bodyPins(want, got *node.Node, path string) []Pin {
	if pins, ok := fieldPins(want, got, path); ok {
		return pins
	}
	return []Pin{{path, Body, hex.EncodeToString(want.Body)}}
}

func fieldPins(want, got *node.Node, path string) (pins []Pin, ok bool) {
	if want.Type != got.Type {
		return nil, false
	}
	dw, errWant := object.Decode(want)
	dg, errGot := object.Decode(got)
	if errWant != nil || errGot != nil {
		return nil, false
	}
	trial := &node.Node{Type: got.Type, Body: got.Body}
	for _, f := range dw.Fields() {
		value := fmt.Sprint(f.Value)
		if g, ok := dg.Field(f.Name); ok && g.Value == f.Value {
			continue
		}
		if !sayable(f.Name, value) || setField(trial, f.Name, value) != nil {
			return nil, false
		}
		pins = append(pins, Pin{path, f.Name, value})
	}
	return pins, bytes.Equal(trial.Body, want.Body)
}

// sayable reports whether a field can be written on a line.
func sayable(name, value string) bool {
	return name != Body && name != Image && name != Children &&
		strings.TrimSpace(value) == value && !strings.ContainsFunc(value, unicode.IsControl)
}
