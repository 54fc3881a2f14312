package sheet

import (
	"strconv"
	"strings"
)

func (p *parser) block(indent int) (Block, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, p.fail(p.lines[min(p.next, len(p.lines)-1)], "blocks nest too deep")
	}
	defer func() { p.depth-- }()
	var b Block
	for p.next < len(p.lines) && p.lines[p.next].indent >= indent {
		l := p.lines[p.next]
		if l.indent > indent {
			return nil, p.fail(l, "indented too far")
		}
		p.next++
		s, err := p.statement(l)
		if err != nil {
			return nil, err
		}
		b = append(b, s)
	}
	return b, nil
}

func (p *parser) statement(l line) (Stmt, error) {
	t := &scanner{s: l.text}
	first := t.word()
	pos := at(l.number)
	var s Stmt
	var err error
	switch first {
	case "if":
		return p.condition(l, t)
	case "else":
		return nil, p.fail(l, "else without if")
	case "return":
		s = &Return{pos}
	case "base":
		var id uint32
		id, err = p.chunkID(l, t.word())
		s = &Base{pos, id}
	case "marker":
		var text string
		text, err = p.quoted(l, t)
		s = &Marker{pos, text}
	case "unsupported":
		var text string
		text, err = p.quoted(l, t)
		s = &Unsupported{pos, text}
	case "encapsulated":
		e := &Encapsulated{at: pos, Name: t.word()}
		if e.Name == "" {
			e.Name = "encapsulated"
		}
		e.Body, err = p.block(l.indent + indentWidth)
		s = e
	case "zlib":
		z := &Zlib{at: pos, Name: t.word(), Doc: l.doc}
		if t.accept("(") {
			if z.Args, err = p.names(l, t); err != nil {
				return nil, err
			}
		}
		if z.Name == "" {
			return nil, p.fail(l, "the compressed block needs a name")
		}
		z.Body, err = p.block(l.indent + indentWidth)
		s = z
	default:
		t.s = l.text
		s, err = p.field(l, t)
	}
	if err != nil {
		return nil, err
	}
	if t.space(); t.s != "" {
		return nil, p.fail(l, "%q is left over", t.s)
	}
	return s, nil
}

func (p *parser) quoted(l line, t *scanner) (string, error) {
	t.space()
	q, err := strconv.QuotedPrefix(t.s)
	if err != nil {
		return "", p.fail(l, "text in double quotes expected")
	}
	t.s = t.s[len(q):]
	return strconv.Unquote(q)
}

// condition reads "if expr [as group]" and the statements that belong to it.
func (p *parser) condition(l line, t *scanner) (Stmt, error) {
	s := &If{at: at(l.number), Doc: l.doc}
	var err error
	if s.Cond, err = t.expr(0); err != nil {
		return nil, p.fail(l, "%v", err)
	}
	if t.accept("as ") {
		if s.Group = t.word(); s.Group == "" {
			return nil, p.fail(l, "a name is expected after as")
		}
	}
	if t.space(); t.s != "" {
		return nil, p.fail(l, "%q is left over", t.s)
	}
	if s.Then, err = p.block(l.indent + indentWidth); err != nil {
		return nil, err
	}
	if p.next >= len(p.lines) || p.lines[p.next].indent != l.indent {
		return s, nil
	}
	e := p.lines[p.next]
	t = &scanner{s: e.text}
	if t.word() != "else" {
		return s, nil
	}
	p.next++
	if t.accept("if ") {
		if p.depth++; p.depth > maxNesting {
			return nil, p.fail(l, "conditions nest too deep")
		}
		inner, err := p.condition(e, t)
		p.depth--
		s.Else = Block{inner}
		return s, err
	}
	if t.space(); t.s != "" {
		return nil, p.fail(e, "%q is left over", t.s)
	}
	s.Else, err = p.block(l.indent + indentWidth)
	return s, err
}

func (p *parser) field(l line, t *scanner) (Stmt, error) {
	f := &Field{at: at(l.number), Doc: l.doc}
	var err error
	if f.Type, err = p.typ(l, t); err != nil {
		return nil, err
	}
	if f.Name = t.word(); f.Name == "" {
		return nil, p.fail(l, "the field needs a name, or _")
	}
	if c := f.Name[0]; c != '_' && (c < 'a' || c > 'z') {
		return nil, p.fail(l, "the field's name %q should begin with a small letter", f.Name)
	}
	if f.Name == "_" {
		f.Name = ""
	}
	return f, nil
}

// typ reads "raw name<of>(args)[count]".
func (p *parser) typ(l line, t *scanner) (Type, error) {
	var typ Type
	typ.Name = t.word()
	if typ.Name == "raw" {
		typ.Raw = true
		typ.Name = t.word()
	}
	if t.accept(".") { // a struct of another class
		typ.Name += "." + t.word()
	}
	if typ.Name == "" {
		return typ, p.fail(l, "type expected at %q", t.s)
	}
	if t.accept("<") {
		typ.Of = t.word()
		if t.accept(".") { // an enum of another class
			typ.Of += "." + t.word()
		}
		if err := t.expect(">"); err != nil {
			return typ, p.fail(l, "%v", err)
		}
	}
	if strings.HasPrefix(t.s, "(") {
		t.accept("(")
		args, err := t.args()
		if err != nil {
			return typ, p.fail(l, "%v", err)
		}
		typ.Args = args
	}
	if !strings.HasPrefix(t.s, "[") {
		return typ, nil
	}
	t.accept("[")
	c, err := p.count(l, t)
	typ.Count = c
	return typ, err
}

func (p *parser) count(l line, t *scanner) (*Count, error) {
	words := map[string]CountKind{
		"old": CountOld, "byte": CountByte, "uint16": CountShort, "small": CountSmall, "while": CountWhile,
	}
	if t.accept("]") {
		return &Count{Kind: CountWord}, nil
	}
	x, err := t.expr(0)
	if err == nil {
		err = t.expect("]")
	}
	if err != nil {
		return nil, p.fail(l, "%v", err)
	}
	switch x := x.(type) {
	case Name:
		if kind, ok := words[x.Path]; ok {
			return &Count{Kind: kind}, nil
		}
	case Num:
		const most = 4096
		if x.Value < 1 || x.Value > most {
			return nil, p.fail(l, "a list of %d", x.Value)
		}
		return &Count{Kind: CountFixed, Fixed: int(x.Value)}, nil
	}
	return &Count{Kind: CountExpr, Expr: x}, nil
}
