package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pakbox/gbx/classid"
	"pakbox/gbx/internal/sheet"
)

// pkg is one engine's package.
type pkg struct {
	name    string
	classes map[string]*sheet.Sheet
}

func (p *pkg) class(s *sheet.Sheet) (text string, err error) {
	g := &gen{pkg: p, sheet: s}
	defer func() {
		if r := recover(); r != nil {
			mistake, ok := r.(*sheet.Error)
			if !ok {
				panic(r)
			}
			err = mistake
		}
	}()
	g.classInfo()
	for _, c := range s.Chunks {
		g.chunk(c)
	}
	if s.Plain != nil {
		doc := fmt.Sprintf("%s is the content of a %s, which has no chunks.", g.plainName(), s.Class)
		g.goType(g.plainName(), doc, nil, *s.Plain)
	}
	for _, st := range s.Structs {
		name := s.Class + title(st.Name)
		g.goType(name, sentence(name+" is a part of "+s.Class+" chunks.", st.Doc), st.Params, st.Body)
	}
	for _, e := range s.Enums {
		g.enum(e)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n", generated, p.name)
	if strings.Contains(g.out.String(), "strconv.") {
		b.WriteString("\t\"strconv\"\n\n")
	}
	b.WriteString("\t\"pakbox/gbx\"\n")
	for _, p := range []struct{ use, path string }{{"classid.ID", "pakbox/gbx/classid"}, {"code.", "pakbox/gbx/code"}} {
		if strings.Contains(g.out.String(), p.use) {
			fmt.Fprintf(&b, "\t%q\n", p.path)
		}
	}
	b.WriteString(")\n\n")
	b.WriteString(g.out.String())
	return b.String(), nil
}

// gen writes the code of one sheet.
type gen struct {
	*pkg
	sheet *sheet.Sheet
	out   strings.Builder
}

func (g *gen) fail(line int, format string, args ...any) {
	panic(&sheet.Error{File: g.sheet.File, Line: line, Msg: fmt.Sprintf(format, args...)})
}

func (g *gen) plainName() string { return fmt.Sprintf("Plain%08X", g.sheet.ID) }

func chunkName(c *sheet.Chunk) string {
	if c.Header {
		return fmt.Sprintf("Header%08X", c.ID)
	}
	return fmt.Sprintf("Chunk%08X", c.ID)
}

// sentence joins the parts of a comment.
func sentence(first, doc string) string {
	if doc == "" {
		return first
	}
	if !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return first + " " + strings.ToUpper(doc[:1]) + doc[1:]
}

func comment(text string) string { return "// " + text + "\n" }

func (g *gen) classInfo() {
	s := g.sheet
	fmt.Fprintf(&g.out, "// Class%[1]s describes class %[1]s.\nvar Class%[1]s = gbx.ClassInfo{\n\tID: 0x%08[2]X,\n\tName: %[3]q,\n", s.Class, s.ID, s.Class)
	if s.Parent != "" {
		fmt.Fprintf(&g.out, "\tParent: %q,\n", s.Parent)
	}
	if s.Plain != nil {
		fmt.Fprintf(&g.out, "\tPlain: func() gbx.Body { return new(%s) },\n", g.plainName())
	}
	if len(s.Chunks) > 0 {
		g.out.WriteString("\tChunks: []gbx.ChunkInfo{\n")
		for _, c := range s.Chunks {
			fmt.Fprintf(&g.out, "\t\t{ID: 0x%08X, ", c.ID)
			if c.Header {
				g.out.WriteString("Header: true, ")
			}
			if c.Name != "" {
				fmt.Fprintf(&g.out, "Name: %q, ", c.Name)
			}
			fmt.Fprintf(&g.out, "New: func() gbx.Body { return new(%s) }},\n", chunkName(c))
		}
		g.out.WriteString("\t},\n")
	}
	g.out.WriteString("}\n\n")
}

func (g *gen) chunk(c *sheet.Chunk) {
	kind := "chunk"
	if c.Header {
		kind = "header chunk"
	}
	first := fmt.Sprintf("%s is %s %03X of %s", chunkName(c), kind, c.ID&0xFFF, g.sheet.Class)
	if c.Name != "" {
		first += fmt.Sprintf(", %q", c.Name)
	}
	doc := sentence(first+".", c.Doc)
	if len(c.Games) > 0 {
		doc += " Found in " + strings.Join(c.Games, ", ") + "."
	}
	e := g.newType(chunkName(c), doc, nil)
	e.chunk = c
	e.write(c.Body)
}

func (g *gen) goType(name, doc string, params []string, body sheet.Block) {
	g.newType(name, doc, params).write(body)
}

func (g *gen) enum(e *sheet.Enum) {
	name := g.sheet.Class + title(e.Name)
	g.out.WriteString(comment(sentence(name+" names values of "+g.sheet.Class+" chunks.", e.Doc)))
	fmt.Fprintf(&g.out, "type %s uint32\n\n", name)
	if len(e.Values) == 0 {
		return
	}
	fmt.Fprintf(&g.out, "// Values of %s.\nconst (\n", name)
	for _, v := range e.Values {
		value := strconv.FormatUint(uint64(v.Value), 10)
		if e.Flags {
			value = fmt.Sprintf("1 << %d", v.Value)
		}
		fmt.Fprintf(&g.out, "\t%s%s %s = %s", name, title(v.Name), name, value)
		if v.Doc != "" {
			fmt.Fprintf(&g.out, " // %s", v.Doc)
		}
		g.out.WriteString("\n")
	}
	g.out.WriteString(")\n\n")
	g.enumString(name, e)
}

func (g *gen) enumString(name string, e *sheet.Enum) {
	fmt.Fprintf(&g.out, "// String gives the name of the value, or its number.\nfunc (v %s) String() string {\n", name)
	if e.Flags {
		g.out.WriteString("\tnames := []code.BitName{\n")
		for _, v := range e.Values {
			fmt.Fprintf(&g.out, "\t\t{Bit: %d, Name: %q},\n", v.Value, v.Name)
		}
		g.out.WriteString("\t}\n\treturn code.FlagString(uint32(v), names)\n}\n\n")
		return
	}
	g.out.WriteString("\tswitch v {\n")
	seen := map[uint32]bool{}
	for _, v := range e.Values {
		if seen[v.Value] {
			g.fail(e.Line, "%s has two names for %d", e.Name, v.Value)
		}
		seen[v.Value] = true
		fmt.Fprintf(&g.out, "\tcase %s%s:\n\t\treturn %q\n", name, title(v.Name), v.Name)
	}
	g.out.WriteString("\t}\n\treturn strconv.FormatUint(uint64(v), 10)\n}\n\n")
}

// initialisms matches abbreviations that are upper-case in Go names: mapUid becomes
// MapUID.
var initialisms = regexp.MustCompile(`(Api|Cpu|Crc|Gpu|Http|Id|Md|Rgb|Sha|U[Ii]d|Url|Xml)(s?(?:[A-Z0-9_]|$))`)

// title makes an exported Go name from a name in a sheet.
func title(s string) string {
	s = strings.ToUpper(s[:1]) + s[1:]
	return initialisms.ReplaceAllStringFunc(s, func(found string) string {
		m := initialisms.FindStringSubmatch(found)
		return strings.ToUpper(m[1]) + m[2]
	})
}

func (g *gen) findStruct(name string) (class string, st *sheet.Struct) {
	class = g.sheet.Class
	if c, n, ok := strings.Cut(name, "."); ok {
		class, name = c, n
	}
	s := g.classes[class]
	if s == nil {
		return "", nil
	}
	for _, st := range s.Structs {
		if st.Name == name {
			return class, st
		}
	}
	return "", nil
}

func (g *gen) findEnum(name string, line int) string {
	class := g.sheet.Class
	if c, n, ok := strings.Cut(name, "."); ok {
		class, name = c, n
	}
	if s := g.classes[class]; s != nil {
		for _, e := range s.Enums {
			if e.Name == name {
				return class + title(name)
			}
		}
	}
	g.fail(line, "no enum or flags %s", name)
	return ""
}

func (g *gen) findExtern(name string) *sheet.Extern {
	for _, e := range g.sheet.Externs {
		if e.Name == name {
			return e
		}
	}
	return nil
}

func (g *gen) findChunk(id uint32, header bool) *sheet.Chunk {
	var other *sheet.Chunk
	for _, s := range g.classes {
		for _, c := range s.Chunks {
			if c.ID == id && c.Header == header {
				return c
			}
			if c.ID == id {
				other = c
			}
		}
	}
	return other
}

// classID finds the class that a sheet refers to, by name or number.
func (g *gen) classID(name string, line int) uint32 {
	if n, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) == 8 {
		return uint32(n)
	}
	if s := g.classes[name]; s != nil {
		return s.ID
	}
	if c, ok := classid.ByName(name); ok {
		return uint32(c.ID)
	}
	g.fail(line, "no class %s", name)
	return 0
}

// minSize is the smallest number of bytes of a value in a binary file.
func (g *gen) minSize(t sheet.Type, depth int) int {
	if depth > 20 {
		return 0
	}
	if c := t.Count; c != nil {
		elem := t
		elem.Count = nil
		switch c.Kind {
		case sheet.CountFixed:
			if t.Name == "data" { // at least that many bytes
				return c.Fixed
			}
			return c.Fixed * g.minSize(elem, depth+1)
		case sheet.CountOld:
			return 8
		case sheet.CountByte, sheet.CountSmall, sheet.CountWhile:
			return 1
		case sheet.CountShort:
			return 2
		case sheet.CountExpr:
			return 0
		}
		return 4
	}
	if p, ok := primitives[t.Name]; ok {
		return p.size
	}
	if t.Name == "optimized" {
		return 1
	}
	if _, st := g.findStruct(t.Name); st != nil {
		return g.minBlock(st.Body, depth+1)
	}
	return 0
}

func (g *gen) minBlock(b sheet.Block, depth int) int {
	n := 0
	for _, s := range b {
		switch s := s.(type) {
		case *sheet.Field:
			n += g.minSize(s.Type, depth)
		case *sheet.Marker:
			n += len(s.Text)
		case *sheet.Encapsulated:
			n += 8 + g.minBlock(s.Body, depth+1)
		case *sheet.Zlib:
			n += 8
		case *sheet.If:
			if hasReturn(s.Then) || hasReturn(s.Else) {
				return n
			}
			if s.Else != nil {
				n += min(g.minBlock(s.Then, depth+1), g.minBlock(s.Else, depth+1))
			}
		case *sheet.Return:
			return n
		}
	}
	return n
}

func hasReturn(b sheet.Block) bool {
	for _, s := range b {
		switch s := s.(type) {
		case *sheet.Return:
			return true
		case *sheet.If:
			if hasReturn(s.Then) || hasReturn(s.Else) {
				return true
			}
		}
	}
	return false
}
