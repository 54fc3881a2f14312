// Package pin says in a line of a source what the source language cannot say.
//
// Objects hold values that no .dat gives: words an old compiler left unset, a
// coupling to a vehicle really called "none", nodes of a dialect whose
// language is not known. A decompiled source carries each of them in a
// comment that other compilers pass over:
//
//	#pakbox node 000.VHCL/006.XREF name=none
//	#pakbox node 000.FACT/003.FSUP rest=6400
//
// The path leads from the object to a node, as in the nodes folder of the
// object in an archive. Behind it stands one of
//
//	FIELD=VALUE   a field of the descriptor, by the name 'pakbox dump' shows
//	body=HEX      the whole body; the node is made if it is the next child
//	image=KEY     the image the source gives under a key, made likewise
//	children=N    only the first children are kept
//
// Pins are applied in their order to what the rest of the source gives.
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

// Word begins a directive that is a pin.
const Word = "node"

// The names that are no fields.
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

// Parse reads a directive. ok is false if it is none of a pin.
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

// IsObject reports whether the pin is about the object itself.
func (p Pin) IsObject() bool { return !strings.Contains(p.Path, "/") }

// Step is the part of a path that names one node.
func Step(index int, t node.Type) string { return fmt.Sprintf("%03d.%s", index, typeName(t)) }

// typeName is a type's letters, or the word where letters would not be read
// back.
func typeName(t node.Type) string {
	s := t.String()
	for _, c := range []byte(s) {
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			return fmt.Sprintf("0x%08x", uint32(t))
		}
	}
	return s
}

// parseStep takes a step apart.
func parseStep(step string) (index int, t node.Type, err error) {
	number, name, ok := strings.Cut(step, ".")
	index, numErr := strconv.Atoi(number)
	if !ok || numErr != nil || index < 0 {
		return 0, 0, fault.New(fault.BadEntry, "%q is no step to a node", step)
	}
	if word, isWord := strings.CutPrefix(name, "0x"); isWord && len(word) == 8 {
		v, err := strconv.ParseUint(word, 16, 32)
		if err != nil {
			return 0, 0, fault.New(fault.BadEntry, "%q is no type of a node", name)
		}
		return index, node.Type(v), nil
	}
	if name == "" || len(name) > 4 {
		return 0, 0, fault.New(fault.BadEntry, "%q is no type of a node", name)
	}
	for i := range len(name) {
		t |= node.Type(name[i]) << (8 * i)
	}
	return index, t, nil
}

// Apply changes the tree of an object. image makes the node of a key.
func (p Pin) Apply(object *node.Node, image func(key string) *node.Node) error {
	n, err := p.find(object)
	if err != nil {
		return err
	}
	switch p.Name {
	case Body:
		if n.Body, err = hex.DecodeString(p.Value); err != nil {
			return fault.New(fault.BadEntry, "the body is no hexadecimal number")
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

// find returns the node of the path. The last step may lead to a child that
// is not there yet, and gives the node its type.
func (p Pin) find(object *node.Node) (*node.Node, error) {
	n := object
	steps := strings.Split(p.Path, "/")
	for i, step := range steps {
		index, t, err := parseStep(step)
		if err != nil {
			return nil, err
		}
		last := i == len(steps)-1
		makes := last && (p.Name == Body || p.Name == Image)
		if i > 0 {
			if makes && index == len(n.Children) {
				n.Children = append(n.Children, &node.Node{Type: t})
			}
			if n = n.Child(index); n == nil {
				return nil, fault.New(fault.BadEntry, "there is no node %s", strings.Join(steps[:i+1], "/"))
			}
		}
		if makes {
			n.Type = t
		} else if n.Type != t {
			return nil, fault.New(fault.BadEntry, "%s is a %s", strings.Join(steps[:i+1], "/"), n.Type)
		}
	}
	return n, nil
}

func setField(n *node.Node, name, value string) error {
	d, err := object.Decode(n)
	if err != nil {
		return err
	}
	if err := d.Set(name, value); err != nil {
		return err
	}
	body, err := d.Encode()
	if err == nil {
		n.Body = body
	}
	return err
}

// Difference returns the pins that make want of got. The nodes may be changed
// in the course of finding them only in copies.
func Difference(want, got *node.Node) []Pin { return difference(want, got, Step(0, want.Type)) }

func difference(want, got *node.Node, path string) (pins []Pin) {
	if want.Type != got.Type || !bytes.Equal(want.Body, got.Body) {
		pins = append(pins, bodyPins(want, got, path)...)
	}
	if len(got.Children) > len(want.Children) {
		pins = append(pins, Pin{path, Children, strconv.Itoa(len(want.Children))})
	}
	for i, c := range want.Children {
		at := path + "/" + Step(i, c.Type)
		if i < len(got.Children) {
			pins = append(pins, difference(c, got.Children[i], at)...)
		} else {
			pins = append(pins, difference(c, &node.Node{}, at)...)
		}
	}
	return pins
}

// bodyPins prefers fields, because they say what they are about and leave the
// others to the rest of the source.
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
	values := map[string]any{}
	for _, f := range dg.Fields() {
		values[f.Name] = f.Value
	}
	trial := &node.Node{Type: got.Type, Body: got.Body}
	for _, f := range dw.Fields() {
		value := fmt.Sprint(f.Value)
		if values[f.Name] == f.Value {
			continue
		}
		if !sayable(f.Name, value) || setField(trial, f.Name, value) != nil {
			return nil, false
		}
		pins = append(pins, Pin{path, f.Name, value})
	}
	return pins, bytes.Equal(trial.Body, want.Body)
}

// sayable reports whether a line can hold a field.
func sayable(name, value string) bool {
	return name != Body && name != Image && name != Children &&
		strings.TrimSpace(value) == value && !strings.ContainsFunc(value, unicode.IsControl)
}
