package sheet

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a sheet. The file name is used in errors only.
func Parse(file, text string) (*Sheet, error) {
	p := &parser{sheet: &Sheet{File: file}}
	if err := p.split(text); err != nil {
		return nil, err
	}
	if err := p.top(); err != nil {
		return nil, err
	}
	if p.sheet.Class == "" {
		return nil, &Error{file, 1, "the sheet names no class"}
	}
	return p.sheet, nil
}

// line is one line with content.
type line struct {
	number int
	indent int
	text   string
	doc    string
}

type parser struct {
	sheet *Sheet
	lines []line
	next  int
	depth int
}

// indentWidth is the number of spaces of one level.
const indentWidth = 4

// split cuts the text into lines and drops empty ones and comments.
func (p *parser) split(text string) error {
	for i, s := range strings.Split(text, "\n") {
		s = strings.TrimRight(s, " \r")
		body := strings.TrimLeft(s, " ")
		if body == "" || body[0] == '#' {
			continue
		}
		l := line{number: i + 1, indent: len(s) - len(body)}
		if strings.Contains(body, "\t") {
			return p.fail(l, "use spaces, not tabs")
		}
		if l.indent%indentWidth != 0 {
			return p.fail(l, "indent by multiples of %d spaces", indentWidth)
		}
		l.text = body
		if code, doc, ok := strings.Cut(body, "//"); ok && !strings.Contains(code, "\"") {
			l.text, l.doc = strings.TrimRight(code, " "), strings.TrimSpace(doc)
		}
		if l.text == "" {
			return p.fail(l, "documentation stands behind what it documents; use # for remarks")
		}
		p.lines = append(p.lines, l)
	}
	return nil
}

func (p *parser) fail(l line, format string, args ...any) error {
	return &Error{p.sheet.File, l.number, fmt.Sprintf(format, args...)}
}

// top reads the declarations.
func (p *parser) top() error {
	for p.next < len(p.lines) {
		l := p.lines[p.next]
		if l.indent != 0 {
			return p.fail(l, "unexpected indent")
		}
		p.next++
		t := &scanner{s: l.text}
		keyword := t.word()
		if p.sheet.Class == "" && keyword != "class" {
			return p.fail(l, "a sheet begins with its class")
		}
		var err error
		switch keyword {
		case "class":
			err = p.class(l, t)
		case "chunk", "header":
			err = p.chunk(l, t, keyword == "header")
		case "plain":
			p.sheet.Plain = new(Block)
			*p.sheet.Plain, err = p.block(indentWidth)
		case "struct":
			err = p.structure(l, t)
		case "enum", "flags":
			err = p.enum(l, t, keyword == "flags")
		case "extern":
			p.sheet.Externs = append(p.sheet.Externs, &Extern{l.number, t.word(), l.doc})
		default:
			err = p.fail(l, "class, header, chunk, plain, struct, enum, flags or extern expected, not %q", keyword)
		}
		if err != nil {
			return err
		}
		if t.space(); t.s != "" {
			return p.fail(l, "%q is left over", t.s)
		}
	}
	return nil
}

// class reads "class Name 0304F000 : Parent".
func (p *parser) class(l line, t *scanner) error {
	if p.sheet.Class != "" {
		return p.fail(l, "a sheet describes one class")
	}
	p.sheet.Class, p.sheet.Doc = t.word(), l.doc
	id, err := strconv.ParseUint(t.word(), 16, 32)
	if err != nil || id&0xFFF != 0 || p.sheet.Class == "" {
		return p.fail(l, "write: class Name EECCC000")
	}
	p.sheet.ID = uint32(id)
	if t.accept(":") {
		p.sheet.Parent = t.word()
	}
	return nil
}

// chunkID reads three digits that belong to the class, or all eight.
func (p *parser) chunkID(l line, s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 16, 32)
	switch {
	case err == nil && len(s) == 3:
		return p.sheet.ID | uint32(n), nil
	case err == nil && len(s) == 8:
		return uint32(n), nil
	}
	return 0, p.fail(l, "%q is no chunk number: write three hex digits, or eight", s)
}

// chunk reads "chunk 01F skippable TmDesc like 013 [TMF MP3.2]".
func (p *parser) chunk(l line, t *scanner, header bool) error {
	c := &Chunk{Line: l.number, Header: header, Doc: l.doc}
	var err error
	if c.ID, err = p.chunkID(l, t.word()); err != nil {
		return err
	}
	for {
		if t.accept("[") {
			games, rest, ok := strings.Cut(t.s, "]")
			if !ok {
				return p.fail(l, "] expected")
			}
			c.Games, t.s = strings.FieldsFunc(games, func(r rune) bool { return r == ' ' || r == ',' }), rest
			continue
		}
		w := t.word()
		switch {
		case w == "":
			return p.finishChunk(l, c)
		case w == "skippable":
			c.Skip = true
		case w == "like":
			id, err := p.chunkID(l, t.word())
			if err != nil {
				return err
			}
			c.Body = append(c.Body, &Base{at(l.number), id})
		case c.Name == "":
			c.Name = w
		default:
			return p.fail(l, "a chunk has one name, not %q and %q", c.Name, w)
		}
	}
}

func (p *parser) finishChunk(l line, c *Chunk) error {
	for _, other := range p.sheet.Chunks {
		if other.ID == c.ID && other.Header == c.Header {
			return p.fail(l, "chunk %08X is already described in line %d", c.ID, other.Line)
		}
	}
	b, err := p.block(indentWidth)
	c.Body = append(c.Body, b...)
	p.sheet.Chunks = append(p.sheet.Chunks, c)
	return err
}

// structure reads "struct Name(param, param)".
func (p *parser) structure(l line, t *scanner) error {
	s := &Struct{Line: l.number, Name: t.word(), Doc: l.doc}
	if s.Name == "" {
		return p.fail(l, "the struct needs a name")
	}
	if t.accept("(") {
		params, err := p.names(l, t)
		if err != nil {
			return err
		}
		s.Params = params
	}
	p.sheet.Structs = append(p.sheet.Structs, s)
	var err error
	s.Body, err = p.block(indentWidth)
	return err
}

// names reads identifiers up to the closing parenthesis.
func (p *parser) names(l line, t *scanner) ([]string, error) {
	var names []string
	for {
		w := t.word()
		if w == "" {
			return nil, p.fail(l, "a name is missing in ()")
		}
		names = append(names, w)
		if t.accept(")") {
			return names, nil
		}
		if err := t.expect(","); err != nil {
			return nil, p.fail(l, "%v", err)
		}
	}
}

// enum reads names and, after "=", numbers; without one they count up.
func (p *parser) enum(l line, t *scanner, flags bool) error {
	e := &Enum{Line: l.number, Name: t.word(), Flags: flags, Doc: l.doc}
	if e.Name == "" {
		return p.fail(l, "the %s needs a name", map[bool]string{false: "enum", true: "flags"}[flags])
	}
	next := uint32(0)
	for p.next < len(p.lines) && p.lines[p.next].indent > 0 {
		v := p.lines[p.next]
		p.next++
		s := &scanner{s: v.text}
		value := EnumValue{Name: s.word(), Value: next, Doc: v.doc}
		if s.accept("=") {
			n, err := strconv.ParseUint(s.word(), 0, 32)
			if err != nil {
				return p.fail(v, "a number is expected after =")
			}
			value.Value = uint32(n)
		}
		if value.Name == "" || s.s != "" || flags && value.Value > 31 {
			return p.fail(v, "write: Name, or Name = number")
		}
		next = value.Value + 1
		e.Values = append(e.Values, value)
	}
	p.sheet.Enums = append(p.sheet.Enums, e)
	return nil
}

// block reads the statements at one level of indent.
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

// quoted reads a string in double quotes, with Go's escapes.
func (p *parser) quoted(l line, t *scanner) (string, error) {
	t.space()
	q, err := strconv.QuotedPrefix(t.s)
	if err != nil {
		return "", p.fail(l, "text in double quotes expected")
	}
	t.s = t.s[len(q):]
	return strconv.Unquote(q)
}

// condition reads "if expr [as group]" and what belongs to it.
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

// field reads "type name".
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
