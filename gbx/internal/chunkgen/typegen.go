package main

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/gbx/internal/sheet"
)

// typeGen writes one Go type with its Code method.
type typeGen struct {
	*gen
	name   string
	doc    string
	params []string
	stored bool // parameters are stored in fields, because the type is decoded later
	chunk  *sheet.Chunk

	fields []goField
	body   strings.Builder
	later  strings.Builder // further types that this one needs

	prefix  string // path to the struct whose fields are being written: "c."
	names   map[string]value
	unnamed int
	group   *group // the optional group that is being written; nil for none
}

// group is an optional struct behind a pointer. Its fields are present together.
type group struct {
	fields []goField
}

type goField struct{ name, typ, doc string }

// value is the Go expression and the type for a name in a sheet.
type value struct{ expr, typ string }

func (g *gen) newType(name, doc string, params []string) *typeGen {
	e := &typeGen{gen: g, name: name, doc: doc, params: params, prefix: "c.", names: map[string]value{}}
	for _, p := range params {
		e.names[p] = value{p, "int"}
	}
	return e
}

func (e *typeGen) write(body sheet.Block) {
	if e.stored {
		for _, p := range e.params {
			e.fields = append(e.fields, goField{p, "int", ""})
			e.names[p] = value{"c." + p, "int"}
		}
	}
	e.block(body)
	e.out.WriteString(comment(e.doc))
	fmt.Fprintf(&e.out, "type %s struct {\n%s}\n\n", e.name, fieldList(e.fields))
	params := ""
	if !e.stored {
		for _, p := range e.params {
			params += ", " + p + " int"
		}
	}
	e.out.WriteString("// Code reads or writes the content.\n")
	fmt.Fprintf(&e.out, "func (c *%s) Code(x *gbx.Coder%s) {\n%s}\n\n", e.name, params, e.body.String())
	e.out.WriteString(e.later.String())
}

func fieldList(fields []goField) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString("\t" + strings.TrimLeft(f.name+" "+f.typ, " "))
		if f.doc != "" {
			b.WriteString(" // " + f.doc)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (e *typeGen) line(format string, args ...any) {
	fmt.Fprintf(&e.body, "\t"+format+"\n", args...)
}

func (e *typeGen) block(b sheet.Block) {
	for _, s := range b {
		e.statement(s)
	}
}

func (e *typeGen) statement(s sheet.Stmt) {
	switch s := s.(type) {
	case *sheet.Field:
		e.field(s)
	case *sheet.If:
		e.condition(s)
	case *sheet.Base:
		e.base(s)
	case *sheet.Marker:
		e.line("x.Marker(%q)", s.Text)
	case *sheet.Unsupported:
		e.line("x.Unsupported(%q)", s.Message)
	case *sheet.Return:
		e.line("return")
	case *sheet.Encapsulated:
		e.encapsulated(s)
	case *sheet.Zlib:
		e.zlib(s)
	}
}

// declare adds a field to the struct, or finds the same field from another branch, and
// returns its Go path and name.
func (e *typeGen) declare(name, typ, doc string, line int) (path, label string) {
	if name == "" {
		e.unnamed++
		name = fmt.Sprintf("u%02d", e.unnamed)
	}
	goName := title(name)
	if goName == "Code" {
		goName = "Code_"
	}
	if old, ok := e.names[name]; ok {
		if slices.Contains(e.params, name) {
			e.fail(line, "%s is a parameter", name)
		}
		if old.typ != typ || old.expr != e.prefix+goName {
			e.fail(line, "%s is already there as another type or in another group", name)
		}
		return old.expr, name
	}
	fields := &e.fields
	if e.group != nil {
		fields = &e.group.fields
	}
	*fields = append(*fields, goField{goName, typ, doc})
	e.names[name] = value{e.prefix + goName, typ}
	return e.prefix + goName, name
}

func (e *typeGen) base(s *sheet.Base) {
	c := e.findChunk(s.ID, e.chunk != nil && e.chunk.Header)
	if c == nil || e.group != nil {
		e.fail(s.Pos(), "no chunk %08X to include here", s.ID)
	}
	name := chunkName(c)
	e.fields = append(e.fields, goField{"", name, ""})
	e.line("c.%s.Code(x)", name)
	// Make the included fields available in conditions.
	probe := (&gen{pkg: e.pkg, sheet: e.sheet}).newType(name, "", nil)
	probe.chunk = c
	probe.block(c.Body)
	for n, v := range probe.names {
		if _, ok := e.names[n]; !ok {
			e.names[n] = v
		}
	}
	e.unnamed = max(e.unnamed, probe.unnamed)
}

func (e *typeGen) condition(s *sheet.If) {
	cond := e.cond(s.Cond, s.Pos())
	if s.Group == "" {
		e.line("if %s {", cond)
		e.block(s.Then)
		e.elseBranch(s)
		return
	}
	if e.group != nil || s.Else != nil {
		e.fail(s.Pos(), "an optional group cannot stand in another or have an else")
	}
	typ := e.name + title(s.Group)
	path, label := e.declare(s.Group, "*"+typ, s.Doc, s.Pos())
	e.line("if %s && code.Optional(x, &%s, %q) {", e.operand(s.Cond, s.Pos()), path, label)
	e.group = &group{}
	outer := e.prefix
	e.prefix = path + "."
	e.block(s.Then)
	e.line("x.EndGroup()\n}")
	fmt.Fprintf(&e.later, "// %s is the part of %s that is not always there.\ntype %s struct {\n%s}\n\n",
		typ, e.name, typ, fieldList(e.group.fields))
	e.group, e.prefix = nil, outer
}

func (e *typeGen) elseBranch(s *sheet.If) {
	if s.Else == nil {
		e.line("}")
		return
	}
	if inner, ok := s.Else[0].(*sheet.If); ok && len(s.Else) == 1 && inner.Group == "" {
		e.line("} else if %s {", e.cond(inner.Cond, inner.Pos()))
		e.block(inner.Then)
		e.elseBranch(inner)
		return
	}
	e.line("} else {")
	e.block(s.Else)
	e.line("}")
}

func (e *typeGen) encapsulated(s *sheet.Encapsulated) {
	path, label := e.declare(s.Name, "gbx.Encapsulation", "", s.Pos())
	state := "in" + title(s.Name)
	e.line("%s := x.Encapsulated(&%s, %q)", state, path, label)
	e.block(s.Body)
	e.line("x.EndEncapsulated(&%s, %s)", path, state)
}

func (e *typeGen) zlib(s *sheet.Zlib) {
	typ := e.name + title(s.Name)
	path, label := e.declare(s.Name, fmt.Sprintf("gbx.Zlib[%s, *%s]", typ, typ), s.Doc, s.Pos())
	init := make([]string, len(s.Args))
	for i, a := range s.Args {
		init[i] = a + ": " + e.intExpr(sheet.Name{Path: a}, s.Pos())
	}
	e.line("%s.Code(x, %s{%s}, %q)", path, typ, strings.Join(init, ", "), label)
	content := (&gen{pkg: e.pkg, sheet: e.sheet}).newType(typ, typ+" is what a compressed block of "+e.name+" holds.", s.Args)
	content.stored = true
	content.write(s.Body)
	e.later.WriteString(content.out.String())
}
