package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// change is one mistake: the bytes from Start to End of a file become Text.
type change struct {
	file       string
	at         place
	fn         block // the function that contains it
	start, end int
	text       string
	what       string
	choice     choice // the form for a program with many changes
}

// apply returns the file with the change.
func (c change) apply(src []byte) []byte {
	return append(append(append([]byte{}, src[:c.start]...), c.text...), src[c.end:]...)
}

func (c change) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", filepath.Base(c.file), c.at.line, c.at.column, c.what)
}

// slips are pairs of operators that are easily confused.
var slips = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND: token.OR, token.OR: token.AND,
}

// changesIn lists all possible changes in a file.
func changesIn(file string) ([]change, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	f := &finder{file: file, fset: fset, src: src}
	inside := func(fn ast.Node, body *ast.BlockStmt) {
		f.fn = block{filepath.Base(file), f.place(fn.Pos()), f.place(fn.End())}
		ast.Inspect(body, f.visit)
	}
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Body != nil {
				inside(decl, decl.Body)
			}
		case *ast.GenDecl: // functions in variables, such as those that answer questions
			ast.Inspect(decl, func(n ast.Node) bool {
				fn, ok := n.(*ast.FuncLit)
				if ok {
					inside(fn, fn.Body)
				}
				return !ok
			})
		}
	}
	return f.found, nil
}

// finder collects the changes of one file.
type finder struct {
	file  string
	fset  *token.FileSet
	src   []byte
	fn    block
	found []change
}

func (f *finder) place(pos token.Pos) place {
	at := f.fset.Position(pos)
	return place{at.Line, at.Column}
}

func (f *finder) offset(pos token.Pos) int { return f.fset.Position(pos).Offset }

func (f *finder) add(from, to token.Pos, text, what string, c choice) {
	f.found = append(f.found, change{f.file, f.place(from), f.fn, f.offset(from), f.offset(to), text, what, c})
}

// source returns the text of a node.
func (f *finder) source(n ast.Node) string {
	return string(f.src[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if op, ok := slips[n.Op]; ok {
			f.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String(), fmt.Sprintf("`%s`: %s for %s", f.source(n), op, n.Op), f.choiceOfOperator(n, op))
		}
	case *ast.IfStmt:
		if c, ok := n.Cond.(*ast.BinaryExpr); ok && (c.Op == token.EQL || c.Op == token.NEQ) {
			break // the other operator would be the same change
		}
		cond := f.source(n.Cond)
		f.add(n.Cond.Pos(), n.Cond.End(), "!("+cond+")", fmt.Sprintf("`if %s` turned round", cond), f.choiceOf(n.Cond, "(("+cond+") != mutated(\x00))"))
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.CONTINUE || n.Tok == token.BREAK) {
			other := map[token.Token]string{token.CONTINUE: "break", token.BREAK: "continue"}[n.Tok]
			f.add(n.Pos(), n.End(), other, fmt.Sprintf("%s for %s", other, n.Tok),
				f.choiceOf(n, "if mutated(\x00) { "+other+" }; "+n.Tok.String()))
		}
	case *ast.IncDecStmt:
		other := map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok]
		f.add(n.TokPos, n.TokPos+2, other, fmt.Sprintf("`%s`: %s", f.source(n), other),
			f.choiceOf(n, "if mutated(\x00) { "+f.source(n.X)+other+" } else { "+f.source(n)+" }"))
	case *ast.ExprStmt:
		f.visitStatement(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.visitStatement(n)
		}
	case *ast.DeferStmt:
		f.visitStatement(n)
	case *ast.ReturnStmt:
		return f.visitReturn(n)
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10), fmt.Sprintf("%s is one more", n.Value), f.choiceOf(n, "mutatedInt(\x00, "+n.Value+")"))
		}
	case *ast.CallExpr:
		if room := roomOf(n); room != nil {
			for _, arg := range n.Args {
				if arg != room {
					ast.Inspect(arg, f.visit)
				}
			}
			return false
		}
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(n.Pos(), n.End(), other, fmt.Sprintf("%s for %s", other, n.Name), f.choiceOf(n, "("+n.Name+" != mutated(\x00))"))
		}
	}
	return true
}

// roomOf returns the argument of a call that only reserves space: the capacity of a
// slice, the size of a map or a buffer. With another number the program does the same,
// slower or faster.
func roomOf(call *ast.CallExpr) ast.Expr {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		if fn.Name != "make" || len(call.Args) < 2 { // a function of the package may be called make, too
			return nil
		}
		if _, ok := call.Args[0].(*ast.MapType); ok {
			return call.Args[1]
		}
		if len(call.Args) == 3 {
			return call.Args[2]
		}
	case *ast.SelectorExpr:
		if pkg, ok := fn.X.(*ast.Ident); ok && pkg.Name == "bufio" && len(call.Args) == 2 {
			return call.Args[1] // NewReaderSize, NewWriterSize
		}
	}
	return nil
}

// visitReturn makes a function forget its error. Callers ignore a number beside an error,
// so that number is not changed.
func (f *finder) visitReturn(n *ast.ReturnStmt) (further bool) {
	if len(n.Results) == 0 {
		return true
	}
	last := n.Results[len(n.Results)-1]
	if id, ok := last.(*ast.Ident); !ok || id.Name != "err" {
		return true
	}
	f.add(last.Pos(), last.End(), "nil", fmt.Sprintf("`%s`: nil for err", f.source(n)), f.choiceOf(last, "mutatedError(\x00, err)"))
	return slices.ContainsFunc(n.Results, func(e ast.Expr) bool {
		switch e.(type) {
		case *ast.BasicLit, *ast.Ident:
			return false
		}
		return true
	})
}

// visitStatement removes a statement.
func (f *finder) visitStatement(n ast.Stmt) {
	f.add(n.Pos(), n.End(), "", fmt.Sprintf("`%s` missing", short(f.source(n))), f.choiceOf(n, "if !mutated(\x00) { "+f.source(n)+" }"))
}

// short cuts a long text.
func short(s string) string {
	for i, c := range s {
		if c == '\n' || i > 80 {
			return s[:i] + "…"
		}
	}
	return s
}
