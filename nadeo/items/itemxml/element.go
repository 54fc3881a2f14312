// Package itemxml reads the two XML files that describe an item to Nadeo's importer:
// Name.MeshParams.xml and Name.Item.xml. It collects all problems, each with its line and
// a suggestion.
package itemxml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/spell"
)

// Limits for a file. Real files have tens of lines.
const (
	maxSize  = 4 << 20
	maxDepth = 32
)

// element is an XML element with the number of its line.
type element struct {
	name     string
	line     int
	attrs    []xml.Attr
	used     []string // attributes that were read
	children []*element
}

// file is an XML file that is being read.
type file struct {
	name  string
	found []finding.Finding
}

// say records a problem with a suggestion for its repair.
func (f *file) say(severity finding.Severity, line int, object, field, suggestion, format string, args ...any) {
	at := finding.Position{File: f.name, Line: line, Entry: object, Field: field, Offset: fault.NoOffset}
	one := finding.New(severity, Rule, at, format, args...)
	one.Suggestion = suggestion
	f.found = append(f.found, one)
}

// Rule is the name of the rule in all findings about the importer's files.
const Rule = "item_import"

// parse returns the root element of a file, nil if the XML is broken.
func (f *file) parse(data []byte, root string) *element {
	if len(data) > maxSize {
		f.say(finding.Error, 1, "", "", "the file of an item is small: give that one", "the file has more than %d bytes", maxSize)
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var stack []*element
	var top *element
	for {
		token, err := d.Token()
		line, _ := d.InputPos()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				line, err = syntax.Line, errors.New(syntax.Msg)
			}
			f.say(finding.Error, line, "", "", "correct the XML", "the XML cannot be read: %v", err)
			return nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, line: line, attrs: t.Attr}
			if len(stack) == maxDepth {
				f.say(finding.Error, line, "", "", "take out elements", "elements stand in each other %d deep", maxDepth)
				return nil
			}
			if len(stack) > 0 {
				up := stack[len(stack)-1]
				up.children = append(up.children, e)
			} else if top == nil {
				top = e
			}
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if top == nil || top.name != root {
		name, line := "nothing", 1
		if top != nil {
			name, line = top.name, top.line
		}
		f.say(finding.Error, line, "", "", "give the file whose first element is "+root, "the first element is %s, not %s", name, root)
		return nil
	}
	return top
}

// child returns the first child with this name, nil if none exists.
func (e *element) child(name string) *element {
	if e == nil {
		return nil
	}
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// all returns the children with this name.
func (e *element) all(name string) []*element {
	var out []*element
	if e != nil {
		for _, c := range e.children {
			if c.name == name {
				out = append(out, c)
			}
		}
	}
	return out
}

// text returns the value of an attribute, and whether it exists.
func (e *element) text(name string) (string, bool) {
	if e == nil {
		return "", false
	}
	e.used = append(e.used, name)
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}

// finish warns about attributes that nobody has read.
func (f *file) finish(e *element) {
	if e == nil {
		return
	}
	for _, a := range e.attrs {
		if name := a.Name.Local; !slices.Contains(e.used, name) && a.Name.Space != "xmlns" && name != "xmlns" {
			f.say(finding.Warning, e.line, e.name, name, meant(name, e.used, "take it out"), "%s has no attribute %s: it is left out", e.name, name)
		}
	}
}

// meant suggests the names most similar to a word, or another suggestion if none is
// similar.
func meant(word string, names []string, otherwise string) string {
	if near := spell.Near(word, names, 3); len(near) > 0 {
		return "write " + strings.Join(near, " or ")
	}
	return otherwise
}

// number reads a number; normal is the value if the attribute is missing.
func (f *file) number(e *element, name string, normal float64) float64 {
	text, ok := e.text(name)
	if !ok {
		return normal
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		f.say(finding.Error, e.line, e.name, name, "write a number such as 1.5, with a point", "%s=%q is not a number", name, text)
		return normal
	}
	return v
}

// flag reads true or false.
func (f *file) flag(e *element, name string) bool {
	text, ok := e.text(name)
	if !ok {
		return false
	}
	v, err := strconv.ParseBool(strings.ToLower(text))
	if err != nil {
		f.say(finding.Error, e.line, e.name, name, "write true or false", "%s=%q is neither true nor false", name, text)
	}
	return v
}

// vector reads three numbers.
func (f *file) vector(e *element, name string) (out [3]float64, ok bool) {
	text, there := e.text(name)
	if !there {
		return out, false
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' })
	for i := range out {
		var err error
		if len(parts) == 3 {
			out[i], err = strconv.ParseFloat(parts[i], 64)
		}
		if len(parts) != 3 || err != nil || math.IsInf(out[i], 0) || math.IsNaN(out[i]) {
			f.say(finding.Error, e.line, e.name, name, `write three numbers: "0 1.5 0"`, "%s=%q is not three numbers", name, text)
			return out, false
		}
	}
	return out, true
}

// one reads a word that must be in a list. Case does not matter.
func (f *file) one(e *element, name, normal string, words []string) string {
	text, ok := e.text(name)
	if !ok {
		return normal
	}
	for _, w := range words {
		if strings.EqualFold(w, text) {
			return w
		}
	}
	f.say(finding.Error, e.line, e.name, name, meant(text, words, "write one of "+strings.Join(words, ", ")), "%s: %s=%q is an invalid value", e.name, name, text)
	return normal
}
