package node

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/fault"
)

// A path leads from an object to a node below it, by the positions and types of children:
// 004.IMG1/000.IMG. It may begin with the object itself, as in 000.VHCL/004.IMG1/000.IMG.
// Sources, values and the nodes folder of an archive use these paths.

// Step is the part of a path for one node.
func Step(index int, t Type) string {
	name := t.String()
	for _, c := range []byte(name) {
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			name = fmt.Sprintf("0x%08x", uint32(t)) // these letters could not be parsed again
			break
		}
	}
	return fmt.Sprintf("%03d.%s", index, name)
}

// ParseStep parses a step.
func ParseStep(step string) (index int, t Type, err error) {
	number, name, ok := strings.Cut(step, ".")
	index, numErr := strconv.Atoi(number)
	if !ok || numErr != nil || index < 0 {
		return 0, 0, fault.New(fault.BadEntry, "%q is not a step to a node", step)
	}
	if word, isWord := strings.CutPrefix(name, "0x"); isWord && len(word) == 8 {
		v, err := strconv.ParseUint(word, 16, 32)
		if err != nil {
			return 0, 0, fault.New(fault.BadEntry, "%q is not a type of a node", name)
		}
		return index, Type(v), nil
	}
	if name == "" || len(name) > 4 {
		return 0, 0, fault.New(fault.BadEntry, "%q is not a type of a node", name)
	}
	return index, TypeOf(name), nil
}

// Steps splits a path, without the step of the object itself.
func (n *Node) Steps(path string) []string {
	steps := strings.Split(path, "/")
	if steps[0] == "" || steps[0] == Step(0, n.Type) {
		steps = steps[1:]
	}
	return steps
}

// At returns the node at a path from n.
func (n *Node) At(path string) (*Node, error) {
	for _, step := range n.Steps(path) {
		index, t, err := ParseStep(step)
		if err != nil {
			return nil, err
		}
		if n = n.Child(index); n == nil {
			return nil, fault.New(fault.BadEntry, "node %s not found on the path %s", step, path)
		}
		if n.Type != t {
			return nil, fault.New(fault.BadEntry, "%s on the path %s is a %s", step, path, n.Type)
		}
	}
	return n, nil
}
