package nadeo

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pakbox/cmd/internal/cli/kit"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx/engine"
)

// export prints the layouts of classes; without names, of all classes.
func export(a *kit.App, kind string, names []string) error {
	if kind != "json" && kind != "ts" {
		return fault.Usagef("--export: %q is neither json nor ts", kind)
	}
	var layouts []*engine.Layout
	if len(names) == 0 {
		for _, c := range engine.Registry().Classes() {
			names = append(names, c.Name)
		}
		slices.Sort(names)
	}
	for _, name := range slices.Compact(names) {
		params := answer.ClassInfo.NewParams()
		params.Name = name
		if c, err := answer.ClassInfo.Ask(a.Ctx, &question.At{Opener: a.Opener}, params); err == nil && c.Name != nil {
			name = *c.Name
		}
		l, ok := engine.LayoutOf(name)
		if !ok {
			return fault.Usagef("no sheet describes the class %q", name).Hint("'pakbox class --engine Game' lists the classes of an engine")
		}
		layouts = append(layouts, l)
	}
	if kind == "ts" {
		typescript(a.Out, layouts)
		return nil
	}
	for _, l := range layouts {
		line, err := question.Marshal(l)
		if err != nil {
			return err
		}
		if _, err := a.Out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// typescript declares the result of a parser: an interface for each class, chunk and
// struct. Values that depend on a condition are optional.
func typescript(w io.Writer, layouts []*engine.Layout) {
	known := map[string]bool{}
	for _, l := range layouts {
		known[l.Class] = true
	}
	for _, l := range layouts {
		t := &typeNames{layout: l, classes: known}
		fmt.Fprintf(w, "/** %s %s */\nexport interface %s {\n", l.ID, comment(l.Doc), l.Class)
		for _, c := range l.Chunks {
			fmt.Fprintf(w, "  %q?: %s\n", chunkKey(c), t.own(chunkKey(c)))
		}
		t.fields(w, l.Content, false, map[string]bool{})
		fmt.Fprint(w, "}\n")
		for _, c := range l.Chunks {
			fmt.Fprintf(w, "export interface %s { // %s\n", t.own(chunkKey(c)), strings.Join(c.Games, " "))
			t.fields(w, c.Steps, false, map[string]bool{})
			fmt.Fprint(w, "}\n")
		}
		for _, s := range l.Structs {
			fmt.Fprintf(w, "export interface %s {\n", t.own(s.Name))
			t.fields(w, s.Steps, false, map[string]bool{})
			fmt.Fprint(w, "}\n")
		}
	}
}

// chunkKey names a chunk. The header and the body of a class may use the same number.
func chunkKey(c engine.LayoutChunk) string {
	if c.Header {
		return "header_" + c.ID
	}
	return c.ID
}

func comment(doc string) string { return strings.ReplaceAll(doc, "*/", "* /") }

// typeNames maps the types of one sheet to TypeScript.
type typeNames struct {
	layout  *engine.Layout
	classes map[string]bool
}

func (t *typeNames) own(name string) string { return t.layout.Class + "_" + name }

// fields declares values. A name that occurs under several conditions is declared once.
func (t *typeNames) fields(w io.Writer, steps []engine.LayoutStep, optional bool, seen map[string]bool) {
	for _, s := range steps {
		switch s.Do {
		case "field":
			if s.Name == "" || seen[s.Name] {
				continue
			}
			seen[s.Name] = true
			mark := ""
			if optional {
				mark = "?"
			}
			fmt.Fprintf(w, "  %s%s: %s\n", s.Name, mark, t.of(s))
		case "base":
			fmt.Fprintf(w, "  // and the values of %s\n", s.Chunk)
		case "return":
			optional = true
		default:
			t.fields(w, s.Steps, optional || s.Do == "if", seen)
			t.fields(w, s.Else, true, seen)
		}
	}
}

var numbers = strings.Fields("byte int8 uint16 int16 uint32 int32 float small optimized time classid")

func (t *typeNames) of(s engine.LayoutStep) string {
	name := "any"
	switch {
	case slices.Contains(numbers, s.Type):
		name = "number"
	case s.Type == "uint64" || s.Type == "int64":
		name = "bigint"
	case s.Type == "bool":
		name = "boolean"
	case s.Type == "string" || s.Type == "smallstring" || s.Type == "id":
		name = "string"
	case s.Type == "data" || strings.HasPrefix(s.Type, "hash"):
		name = "Uint8Array"
	case slices.Contains(strings.Fields("vec2 vec3 vec4 quat color int2 int3 int4 byte3 mat3 iso4 box transquat"), s.Type):
		name = "number[]"
	case t.classes[s.Of]:
		name = "(" + s.Of + " | null)"
	case slices.ContainsFunc(t.layout.Structs, func(x engine.LayoutStruct) bool { return x.Name == s.Type }):
		name = t.own(s.Type)
	}
	if s.Count != "" {
		name += "[]"
	}
	return name
}
