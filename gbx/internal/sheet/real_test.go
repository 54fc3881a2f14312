package sheet_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx/internal/sheet"
)

// inGo writes an expression as Go's own parser understands it, with all its brackets.
// Operators bind in sheets as they do in Go.
func inGo(t *testing.T, text string) string {
	t.Helper()
	const mark = "keyword_" // names of fields may be keywords of Go
	x, err := parser.ParseExpr(word.ReplaceAllStringFunc(text, func(w string) string {
		if token.IsKeyword(w) {
			return mark + w
		}
		return w
	}))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var write func(x ast.Expr) string
	write = func(x ast.Expr) string {
		switch x := x.(type) {
		case *ast.ParenExpr:
			return write(x.X)
		case *ast.BinaryExpr:
			return "(" + write(x.X) + " " + x.Op.String() + " " + write(x.Y) + ")"
		case *ast.UnaryExpr:
			return x.Op.String() + write(x.X)
		case *ast.Ident:
			return strings.TrimPrefix(x.Name, mark)
		case *ast.SelectorExpr:
			return write(x.X) + "." + strings.TrimPrefix(x.Sel.Name, mark)
		case *ast.BasicLit:
			n, err := strconv.ParseInt(x.Value, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			return strconv.FormatInt(n, 10)
		case *ast.CallExpr:
			args := make([]string, len(x.Args))
			for i := range args {
				args[i] = write(x.Args[i])
			}
			return write(x.Fun) + "(" + strings.Join(args, ", ") + ")"
		}
		t.Fatalf("%s: unknown kind of expression %T", text, x)
		return ""
	}
	return write(x)
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

var fieldLine = regexp.MustCompile(`^(raw )?([\w.]+)(?:<([\w.]+)>)?(\(.*\))?(?:\[(.*)\])? +(\w+)$`)

var counts = map[string]sheet.CountKind{"": sheet.CountWord, "old": sheet.CountOld, "byte": sheet.CountByte, "uint16": sheet.CountShort, "small": sheet.CountSmall, "while": sheet.CountWhile}

// lines compares what was read with the lines of a sheet.
type lines struct {
	t      *testing.T
	file   string
	text   []string
	fields int
	conds  int
}

// at returns a line without its documentation, and the documentation.
func (l *lines) at(n int) (code, doc string) {
	code = strings.TrimSpace(l.text[n-1])
	if before, after, ok := strings.Cut(code, "//"); ok && !strings.Contains(before, `"`) {
		code, doc = strings.TrimSpace(before), strings.TrimSpace(after)
	}
	return code, doc
}

func (l *lines) same(n int, what string, got, want any) {
	if got != want {
		l.t.Errorf("%s:%d: %s is %v, want %v", l.file, n, what, got, want)
	}
}

func (l *lines) block(b sheet.Block) {
	for _, s := range b {
		code, doc := l.at(s.Pos())
		switch s := s.(type) {
		case *sheet.Field:
			l.field(s, code, doc)
		case *sheet.If:
			l.conds++
			text := strings.TrimPrefix(strings.TrimPrefix(code, "else "), "if ")
			cond, group, _ := strings.Cut(text, " as ")
			l.same(s.Pos(), "the condition", s.Cond.String(), inGo(l.t, cond))
			l.same(s.Pos(), "the group", s.Group, strings.TrimSpace(group))
			l.same(s.Pos(), "the documentation", s.Doc, doc)
			l.block(s.Then)
			l.block(s.Else)
		case *sheet.Encapsulated:
			l.same(s.Pos(), "the block", strings.TrimSpace("encapsulated "+strings.TrimPrefix(s.Name, "encapsulated")), code)
			l.block(s.Body)
		case *sheet.Zlib:
			text := "zlib " + s.Name
			if s.Args != nil {
				text += "(" + strings.Join(s.Args, ", ") + ")"
			}
			l.same(s.Pos(), "the block", text, code)
			l.same(s.Pos(), "the documentation", s.Doc, doc)
			l.block(s.Body)
		case *sheet.Marker:
			l.same(s.Pos(), "the marker", fmt.Sprintf("marker %q", s.Text), code)
		case *sheet.Unsupported:
			l.same(s.Pos(), "the message", fmt.Sprintf("unsupported %q", s.Message), code)
		case *sheet.Return:
			l.same(s.Pos(), "the end", "return", code)
		case *sheet.Base:
			words := strings.Fields(code)
			digits := words[len(words)-1]
			for i, w := range words {
				if w == "like" || w == "base" {
					digits = words[i+1]
				}
			}
			l.same(s.Pos(), "the other chunk", strings.HasSuffix(fmt.Sprintf("%08X", s.ID), strings.ToUpper(digits)), true)
		}
	}
}

func (l *lines) field(f *sheet.Field, code, doc string) {
	l.fields++
	n := f.Pos()
	m := fieldLine.FindStringSubmatch(code)
	if m == nil {
		l.t.Errorf("%s:%d: %q is read as a field", l.file, n, code)
		return
	}
	name := m[6]
	if name == "_" {
		name = ""
	}
	l.same(n, "the name", f.Name, name)
	l.same(n, "raw", f.Type.Raw, m[1] != "")
	l.same(n, "the type", f.Type.Name, m[2])
	l.same(n, "of", f.Type.Of, m[3])
	l.same(n, "the documentation", f.Doc, doc)
	if m[4] != "" {
		l.same(n, "the arguments", sheet.Call{Func: "f", Args: f.Type.Args}.String(), inGo(l.t, "f"+m[4]))
	} else {
		l.same(n, "the number of arguments", len(f.Type.Args), 0)
	}
	if !strings.Contains(code, "[") {
		l.same(n, "a count", f.Type.Count == nil, true)
		return
	}
	kind, known := counts[m[5]]
	switch fixed, err := strconv.Atoi(m[5]); {
	case known:
		l.same(n, "the kind of list", *f.Type.Count, sheet.Count{Kind: kind})
	case err == nil:
		l.same(n, "the length", *f.Type.Count, sheet.Count{Kind: sheet.CountFixed, Fixed: fixed})
	default:
		l.same(n, "the kind of list", f.Type.Count.Kind, sheet.CountExpr)
		l.same(n, "the length", f.Type.Count.Expr.String(), inGo(l.t, m[5]))
	}
}

// Every line of every sheet is parsed completely: no statement is lost, and conditions
// have the same meaning as in Go.
func TestRealSheets(t *testing.T) {
	files, err := filepath.Glob("../../engine/*/*.chunks")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d sheets, %v", len(files), err)
	}
	fields, conds := 0, 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sheet.Parse(file, string(data))
		if err != nil {
			t.Fatal(err)
		}
		l := &lines{t: t, file: filepath.Base(file), text: strings.Split(string(data), "\n")}
		for _, c := range s.Chunks {
			code, doc := l.at(c.Line)
			head := strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" [],", r) })
			l.same(c.Line, "the kind of chunk", c.Header, head[0] == "header")
			l.same(c.Line, "the number", strings.HasSuffix(fmt.Sprintf("%08X", c.ID), strings.ToUpper(head[1])), true)
			l.same(c.Line, "skippable", c.Skip, strings.Contains(code, " skippable"))
			l.same(c.Line, "the games", strings.HasSuffix(strings.Join(head, " "), strings.Join(c.Games, " ")) && (len(c.Games) > 0) == strings.Contains(code, "["), true)
			l.same(c.Line, "the documentation", c.Doc, doc)
			l.block(c.Body)
		}
		for _, x := range s.Structs {
			text := "struct " + x.Name
			if x.Params != nil {
				text += "(" + strings.Join(x.Params, ", ") + ")"
			}
			code, doc := l.at(x.Line)
			l.same(x.Line, "the struct", text, code)
			l.same(x.Line, "the documentation", x.Doc, doc)
			l.block(x.Body)
		}
		if s.Plain != nil {
			l.block(*s.Plain)
		}
		wanted := 0
		for n := range l.text {
			code, _ := l.at(n + 1)
			first, _, _ := strings.Cut(code, " ")
			if strings.HasPrefix(l.text[n], "    ") && fieldLine.MatchString(code) && !strings.HasPrefix(code, "#") && first != "base" && first != "zlib" && first != "encapsulated" && first != "if" && first != "else" {
				wanted++
			}
		}
		l.same(1, "the number of fields", l.fields, wanted)
		fields, conds = fields+l.fields, conds+l.conds
	}
	if fields < 5000 || conds < 500 {
		t.Errorf("%d fields, %d conditions", fields, conds)
	}
}
