package engine

import (
	"fmt"

	"pakbox/gbx/internal/sheet"
)

// Layout is the chunk sheet of a class as data, for programs that generate parsers from
// it. docs/chunk-sheets.md explains the words.
type Layout struct {
	Class   string         `json:"class"`
	ID      string         `json:"id"`
	Parent  string         `json:"parent,omitempty"`
	Doc     string         `json:"doc,omitempty"`
	Chunks  []LayoutChunk  `json:"chunks"`
	Content []LayoutStep   `json:"content,omitempty"` // steps for a class without chunks
	Structs []LayoutStruct `json:"structs"`
	Enums   []LayoutEnum   `json:"enums"`
	Externs []string       `json:"externs"` // types that are not described in a sheet
}

// LayoutChunk is one chunk.
type LayoutChunk struct {
	ID        string       `json:"id"`
	Name      string       `json:"name,omitempty"`
	Header    bool         `json:"header,omitempty"`
	Skippable bool         `json:"skippable,omitempty"`
	Games     []string     `json:"games,omitempty"`
	Doc       string       `json:"doc,omitempty"`
	Steps     []LayoutStep `json:"steps"`
}

// LayoutStruct is a group of values.
type LayoutStruct struct {
	Name   string       `json:"name"`
	Params []string     `json:"params,omitempty"`
	Doc    string       `json:"doc,omitempty"`
	Steps  []LayoutStep `json:"steps"`
}

// LayoutEnum is a list of named numbers or, as flags, of named bits.
type LayoutEnum struct {
	Name   string            `json:"name"`
	Flags  bool              `json:"flags,omitempty"`
	Values []LayoutEnumValue `json:"values"`
}

// LayoutEnumValue is one named number or bit.
type LayoutEnumValue struct {
	Name  string `json:"name"`
	Value uint32 `json:"value"`
}

// LayoutStep is one step of reading. Do is field, if, base, marker, unsupported,
// return, encapsulated or zlib.
type LayoutStep struct {
	Do    string       `json:"do"`
	Name  string       `json:"name,omitempty"` // "" for a value without a name
	Type  string       `json:"type,omitempty"`
	Of    string       `json:"of,omitempty"` // the enum of a number, or the class of a node
	Args  []string     `json:"args,omitempty"`
	Raw   bool         `json:"raw,omitempty"`
	Count string       `json:"count,omitempty"` // how the length of a list is stored: uint32, old, byte, uint16, small, while, or an expression
	When  string       `json:"when,omitempty"`  // condition of if
	Chunk string       `json:"chunk,omitempty"` // the chunk that base includes
	Text  string       `json:"text,omitempty"`  // the text of marker and unsupported
	Doc   string       `json:"doc,omitempty"`
	Steps []LayoutStep `json:"steps,omitempty"`
	Else  []LayoutStep `json:"else,omitempty"`
}

// LayoutOf returns the layout of a class that has a sheet.
func LayoutOf(class string) (*Layout, bool) {
	text, ok := Sheet(class)
	if !ok {
		return nil, false
	}
	s, err := sheet.Parse(class+".chunks", text)
	if err != nil {
		return nil, false // cannot happen: the code was generated from the same sheet
	}
	l := &Layout{Class: s.Class, ID: fmt.Sprintf("%08X", s.ID), Parent: s.Parent, Doc: s.Doc,
		Chunks: []LayoutChunk{}, Structs: []LayoutStruct{}, Enums: []LayoutEnum{}, Externs: []string{}}
	for _, c := range s.Chunks {
		l.Chunks = append(l.Chunks, LayoutChunk{fmt.Sprintf("%08X", c.ID), c.Name, c.Header, c.Skip, c.Games, c.Doc, steps(c.Body)})
	}
	if s.Plain != nil {
		l.Content = steps(*s.Plain)
	}
	for _, t := range s.Structs {
		l.Structs = append(l.Structs, LayoutStruct{t.Name, t.Params, t.Doc, steps(t.Body)})
	}
	for _, e := range s.Enums {
		out := LayoutEnum{e.Name, e.Flags, []LayoutEnumValue{}}
		for _, v := range e.Values {
			out.Values = append(out.Values, LayoutEnumValue{v.Name, v.Value})
		}
		l.Enums = append(l.Enums, out)
	}
	for _, x := range s.Externs {
		l.Externs = append(l.Externs, x.Name)
	}
	return l, true
}

func steps(b sheet.Block) []LayoutStep {
	list := []LayoutStep{}
	for _, s := range b {
		list = append(list, step(s))
	}
	return list
}

func step(s sheet.Stmt) LayoutStep {
	switch s := s.(type) {
	case *sheet.Field:
		f := LayoutStep{Do: "field", Name: s.Name, Type: s.Type.Name, Of: s.Type.Of, Raw: s.Type.Raw, Doc: s.Doc, Count: countText(s.Type.Count)}
		for _, a := range s.Type.Args {
			f.Args = append(f.Args, a.String())
		}
		return f
	case *sheet.If:
		f := LayoutStep{Do: "if", When: s.Cond.String(), Name: s.Group, Doc: s.Doc, Steps: steps(s.Then)}
		if len(s.Else) > 0 {
			f.Else = steps(s.Else)
		}
		return f
	case *sheet.Base:
		return LayoutStep{Do: "base", Chunk: fmt.Sprintf("%08X", s.ID)}
	case *sheet.Marker:
		return LayoutStep{Do: "marker", Text: s.Text}
	case *sheet.Unsupported:
		return LayoutStep{Do: "unsupported", Text: s.Message}
	case *sheet.Encapsulated:
		return LayoutStep{Do: "encapsulated", Name: s.Name, Steps: steps(s.Body)}
	case *sheet.Zlib:
		return LayoutStep{Do: "zlib", Name: s.Name, Args: s.Args, Doc: s.Doc, Steps: steps(s.Body)}
	}
	return LayoutStep{Do: "return"}
}

func countText(c *sheet.Count) string {
	switch {
	case c == nil:
		return ""
	case c.Kind == sheet.CountFixed:
		return fmt.Sprint(c.Fixed)
	case c.Kind == sheet.CountExpr:
		return c.Expr.String()
	}
	return map[sheet.CountKind]string{sheet.CountWord: "uint32", sheet.CountOld: "old", sheet.CountByte: "byte",
		sheet.CountShort: "uint16", sheet.CountSmall: "small", sheet.CountWhile: "while"}[c.Kind]
}
