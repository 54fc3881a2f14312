package main

import (
	"go/ast"
	"strings"
	"testing"
)

// loopedTables is the limit for tables whose cases are not subtests; 940 were left when it
// was set. It may only fall: a new table calls t.Run, so that each case can be run alone and
// a fatal failure hides no other.
const loopedTables = 960

// TestTablesAreSubtests counts the loops of tests over literal tables that report failures
// without t.Run.
func TestTablesAreSubtests(t *testing.T) {
	n := 0
	eachSource(t, func(path string, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			for _, statement := range fn.Body.List {
				if loop, ok := statement.(*ast.RangeStmt); ok && isTable(loop.X) && calls(loop.Body, fails) && !calls(loop.Body, isRun) {
					n++
				}
			}
		}
	})
	if n > loopedTables {
		t.Errorf("%d tables of cases without t.Run, want at most %d: call t.Run with the name of the case", n, loopedTables)
	}
	t.Logf("%d tables of cases without t.Run", n)
}

// isTable reports whether an expression is a literal map or list of structs with several
// elements.
func isTable(e ast.Expr) bool {
	literal, ok := e.(*ast.CompositeLit)
	if !ok || len(literal.Elts) < 2 {
		return false
	}
	switch kind := literal.Type.(type) {
	case *ast.MapType:
		return true
	case *ast.ArrayType:
		_, isStruct := kind.Elt.(*ast.StructType)
		return isStruct
	}
	return false
}

// isRun reports whether a call starts a subtest.
func isRun(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Run"
}

// calls reports whether there is a call of some kind below a node.
func calls(n ast.Node, isKind func(*ast.CallExpr) bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && isKind(call)
		return !found
	})
	return found
}
