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

// split splits the text into lines, without empty lines and comments.
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
			p.sheet.Externs = append(p.sheet.Externs, extern(l, t))
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
	digits := t.word()
	id, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 8 || id&0xFFF != 0 || p.sheet.Class == "" {
		return p.fail(l, "write: class Name EECCC000")
	}
	p.sheet.ID = uint32(id)
	if t.accept(":") {
		p.sheet.Parent = t.word()
	}
	return nil
}

// chunkID reads the three digits of a chunk of the class, or all eight digits.
func (p *parser) chunkID(l line, s string) (uint32, error) {
	n, err := strconv.ParseUint(s, 16, 32)
	switch {
	case err == nil && len(s) == 3:
		return p.sheet.ID | uint32(n), nil
	case err == nil && len(s) == 8:
		return uint32(n), nil
	}
	return 0, p.fail(l, "%q is not a chunk number: write three hex digits, or eight", s)
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

func extern(l line, t *scanner) *Extern {
	e := &Extern{Line: l.number, Name: t.word(), Doc: l.doc}
	if name := t.word(); e.Name == "list" && name != "" {
		e.Name, e.List = name, true
	}
	return e
}

// enum reads names, each with a number after "=" or with the next number.
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
