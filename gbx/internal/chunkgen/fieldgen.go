package main

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/gbx/internal/sheet"
)

// elemType states how a value of a type is declared and read or written in Go.
type elemType struct {
	goType string
	code   func(target, name string) string
	group  bool // a visitor needs Group and EndGroup around the value
}

// elem resolves a type without its list suffix.
func (e *typeGen) elem(t sheet.Type, line int) elemType {
	if t.Of != "" && t.Name != "node" && t.Name != "meta" && t.Name != "direct" {
		return e.enumElem(t, line)
	}
	switch t.Name {
	case "direct":
		id := e.classID(t.Of, line)
		return elemType{"gbx.Ref", func(target, name string) string {
			return fmt.Sprintf("x.Direct(&%s, 0x%08X, %s)", target, id, name)
		}, false}
	case "optimized":
		if len(t.Args) != 1 {
			e.fail(line, "write optimized(count)")
		}
		count := e.intExpr(t.Args[0], line)
		return elemType{"uint32", func(target, name string) string {
			return fmt.Sprintf("x.OptimizedInt(&%s, %s, %s)", target, count, name)
		}, false}
	}
	if p, ok := primitives[t.Name]; ok {
		return elemType{p.goType, func(target, name string) string {
			return fmt.Sprintf("x.%s(&%s, %s)", p.method, target, name)
		}, false}
	}
	args := ""
	for _, a := range t.Args {
		args += ", " + e.intExpr(a, line)
	}
	goType := t.Name
	if extern := e.findExtern(t.Name); extern != nil && extern.List {
		return elemType{goType, func(target, name string) string {
			return fmt.Sprintf("%s.Code(x%s, %s)", target, args, name)
		}, false}
	} else if extern == nil {
		class, st := e.findStruct(t.Name)
		if st == nil {
			e.fail(line, "no type %s", t.Name)
		}
		if len(st.Params) != len(t.Args) {
			e.fail(line, "%s takes %d values in ()", t.Name, len(st.Params))
		}
		goType = class + title(st.Name)
	}
	return elemType{goType, func(target, _ string) string {
		return fmt.Sprintf("%s.Code(x%s)", target, args)
	}, true}
}

func (e *typeGen) enumElem(t sheet.Type, line int) elemType {
	size := map[string]string{"byte": "8", "uint16": "16", "uint32": "32", "int32": "32"}[t.Name]
	if size == "" {
		e.fail(line, "%s cannot hold an enum", t.Name)
	}
	return elemType{e.findEnum(t.Of, line), func(target, name string) string {
		return fmt.Sprintf("code.Enum%s(x, &%s, %s)", size, target, name)
	}, false}
}

func (e *typeGen) field(f *sheet.Field) {
	if f.Type.Raw {
		e.line("{\ntext := x.Raw()")
		defer e.line("x.EndRaw(text)\n}")
	}
	if f.Type.Count != nil {
		e.list(f)
		return
	}
	t := e.elem(f.Type, f.Pos())
	path, label := e.declare(f.Name, t.goType, f.Doc, f.Pos())
	if t.group {
		e.line("x.Group(%q, &%s)", label, path)
	}
	e.line("%s", t.code(path, strconv.Quote(label)))
	if t.group {
		e.line("x.EndGroup()")
	}
}

func (e *typeGen) list(f *sheet.Field) {
	c := f.Type.Count
	elem := f.Type
	elem.Count = nil
	if elem.Name == "data" && c.Kind == sheet.CountExpr || elem.Name == "byte" && elem.Of == "" && c.Kind == sheet.CountExpr {
		path, label := e.declare(f.Name, "[]byte", f.Doc, f.Pos())
		e.line("x.Bytes(&%s, %s, %q)", path, e.intExpr(c.Expr, f.Pos()), label)
		return
	}
	if elem.Name == "data" && c.Kind == sheet.CountFixed {
		path, label := e.declare(f.Name, "[]byte", f.Doc, f.Pos())
		e.line("x.Bytes(&%s, %d, %q)", path, c.Fixed, label)
		return
	}
	if elem.Name == "byte" && elem.Of == "" && c.Kind == sheet.CountWord {
		path, label := e.declare(f.Name, "[]byte", f.Doc, f.Pos())
		e.line("x.Data(&%s, %q)", path, label)
		return
	}
	t := e.elem(elem, f.Pos())
	typ := "[]" + t.goType
	if c.Kind == sheet.CountFixed {
		typ = fmt.Sprintf("[%d]%s", c.Fixed, t.goType)
	}
	path, label := e.declare(f.Name, typ, f.Doc, f.Pos())
	size := max(1, e.minSize(elem, 0))
	switch c.Kind {
	case sheet.CountFixed:
		e.line("x.Group(%q, &%s)", label, path)
	case sheet.CountWord:
		e.line("code.List(x, &%s, %d, %q)", path, size, label)
	case sheet.CountOld:
		version, _ := e.declare(label+"ListVersion", "uint32", "10 in all files seen", f.Pos())
		e.line("code.OldList(x, &%s, &%s, %d, %q)", path, version, size, label)
	case sheet.CountByte:
		e.line("code.ByteList(x, &%s, %d, %q)", path, size, label)
	case sheet.CountShort:
		e.line("code.ShortList(x, &%s, %d, %q)", path, size, label)
	case sheet.CountSmall:
		e.line("code.SmallList(x, &%s, %d, %q)", path, size, label)
	case sheet.CountExpr:
		e.line("code.SizedList(x, &%s, %s, %d, %q)", path, e.intExpr(c.Expr, f.Pos()), size, label)
	case sheet.CountWhile:
		e.line("x.Group(%q, &%s)", label, path)
		e.line("for i := 0; code.While(x, &%s, i, %q); i++ {", path, label)
		e.listBody(t, path)
		return
	}
	e.line("for i := range %s {", path)
	e.listBody(t, path)
}

func (e *typeGen) listBody(t elemType, path string) {
	target := path + "[i]"
	if t.group {
		e.line("x.Elem(i, &%s)", target)
		e.line("%s", t.code(target, ""))
		e.line("x.EndElem()\n}")
	} else {
		e.line("%s\n}", t.code(target, "x.ElemName(i)"))
	}
	e.line("x.EndList()")
}

func (e *typeGen) cond(x sheet.Expr, line int) string {
	switch x := x.(type) {
	case sheet.Unary:
		if x.Op == "!" {
			return "!(" + e.cond(x.X, line) + ")"
		}
	case sheet.Binary:
		switch x.Op {
		case "&&", "||":
			return e.operand(x.X, line) + " " + x.Op + " " + e.operand(x.Y, line)
		case "==", "!=", "<", "<=", ">", ">=":
			wrap := e.wrap(line, x.X, x.Y)
			return e.side(x.X, wrap, line) + " " + x.Op + " " + e.side(x.Y, wrap, line)
		}
	case sheet.Call:
		if x.Func == "null" || x.Func == "local" {
			return e.call(x, line)
		}
	}
	return e.side(x, e.wrap(line, x), line) + " != 0"
}

// side writes one side of a comparison, without unnecessary parentheses.
func (e *typeGen) side(x sheet.Expr, wrap string, line int) string {
	s := e.arith(x, wrap, line)
	if _, ok := x.(sheet.Binary); ok {
		return s[1 : len(s)-1]
	}
	return s
}

// operand writes one side of && or ||, with parentheses if || is inside &&.
func (e *typeGen) operand(x sheet.Expr, line int) string {
	s := e.cond(x, line)
	if b, ok := x.(sheet.Binary); ok && b.Op == "||" {
		return "(" + s + ")"
	}
	return s
}

func (e *typeGen) intExpr(x sheet.Expr, line int) string {
	switch x.(type) {
	case sheet.Num, sheet.Name, sheet.Call:
		return e.arith(x, "int", line)
	}
	return e.side(x, "int", line)
}

// wrap returns the type to which all values of an expression are converted; "" if they
// have the same type.
func (e *typeGen) wrap(line int, xs ...sheet.Expr) string {
	types := map[string]bool{}
	negative := false
	var visit func(x sheet.Expr)
	visit = func(x sheet.Expr) {
		switch x := x.(type) {
		case sheet.Name:
			types[e.lookup(x, line).typ] = true
		case sheet.Unary:
			negative = negative || x.Op == "-"
			visit(x.X)
		case sheet.Binary:
			visit(x.X)
			visit(x.Y)
		case sheet.Call:
			types["int"] = true
		}
	}
	for _, x := range xs {
		visit(x)
	}
	if negative && len(types) == 1 && (types["uint32"] || types["gbx.Bool"]) {
		return "int32"
	}
	if len(types) <= 1 && !negative {
		return ""
	}
	return "int"
}

// arith writes an expression as a Go number. Values are converted to the type wrap.
func (e *typeGen) arith(x sheet.Expr, wrap string, line int) string {
	switch x := x.(type) {
	case sheet.Num:
		if x.Value >= 16 && x.Value&(x.Value-1) == 0 || x.Value > 255 {
			return fmt.Sprintf("0x%X", x.Value)
		}
		return strconv.FormatInt(x.Value, 10)
	case sheet.Name:
		v := e.lookup(x, line)
		if wrap == "" || v.typ == wrap {
			return v.expr
		}
		return wrap + "(" + v.expr + ")"
	case sheet.Unary:
		if x.Op == "-" {
			return "-" + e.arith(x.X, wrap, line)
		}
	case sheet.Binary:
		if strings.Contains("+-*/%&|^<<>>", x.Op) {
			return "(" + e.arith(x.X, wrap, line) + " " + x.Op + " " + e.arith(x.Y, wrap, line) + ")"
		}
	case sheet.Call:
		return e.call(x, line)
	}
	e.fail(line, "%s is a condition, not a number", x)
	return ""
}

// call writes len, null, local, or a call of a Go function of the package.
func (e *typeGen) call(x sheet.Call, line int) string {
	if x.Func == "len" || x.Func == "null" || x.Func == "local" {
		if len(x.Args) != 1 {
			e.fail(line, "%s takes one field", x.Func)
		}
		n, ok := x.Args[0].(sheet.Name)
		if !ok {
			e.fail(line, "%s takes a field", x.Func)
		}
		if x.Func == "len" {
			return "len(" + e.path(n, line).expr + ")"
		}
		if x.Func == "local" {
			return e.path(n, line).expr + ".Node != nil"
		}
		return e.path(n, line).expr + ".IsNil()"
	}
	args := "x"
	for _, a := range x.Args {
		args += ", " + e.arg(a, line)
	}
	return x.Func + "(" + args + ")"
}

// arg writes an argument of a Go function: a number as an int, everything else unchanged.
func (e *typeGen) arg(x sheet.Expr, line int) string {
	if n, ok := x.(sheet.Name); ok {
		v := e.path(n, line)
		if v.typ == "string" || v.typ == "gbx.ID" || v.typ == "gbx.Ref" || strings.HasPrefix(v.typ, "[]") {
			return v.expr
		}
	}
	return e.intExpr(x, line)
}

// lookup finds a number by name.
func (e *typeGen) lookup(n sheet.Name, line int) value {
	v := e.path(n, line)
	if v.typ != "" && !numeric[v.typ] && !e.isOfSheet(v.typ) {
		e.fail(line, "%s is not a number", n.Path)
	}
	return v
}

// isOfSheet reports whether a Go type comes from a sheet of this engine.
func (e *typeGen) isOfSheet(typ string) bool {
	for class := range e.classes {
		if strings.HasPrefix(typ, class) {
			return true
		}
	}
	return false
}

// path finds a field, or a part of a field. The type of a part is unknown.
func (e *typeGen) path(n sheet.Name, line int) value {
	first, rest, dotted := strings.Cut(n.Path, ".")
	v, ok := e.names[first]
	if !ok {
		e.fail(line, "no field %s before this line", first)
	}
	if !dotted {
		return v
	}
	for part := range strings.SplitSeq(rest, ".") {
		v.expr += "." + title(part)
	}
	return value{v.expr, ""}
}
