package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFailuresSpeak: the message of a failing test has a word besides its values, such as
// "got = 3; want 4", and no code of a condition. An error that is not expected needs no
// further text.
func TestFailuresSpeak(t *testing.T) {
	eachSource(t, func(path string, f *ast.File) {
		if !strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "/archivetest/") {
			return
		}
		var within []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				within = within[:len(within)-1]
				return true
			}
			within = append(within, n)
			if call, ok := n.(*ast.CallExpr); ok && fails(call) && !hasWord(call) && !isOfError(call, within) {
				t.Errorf("%s: a failure without a word: want the names of its values, and what was expected:\n%s", path, sourceOf(call))
			} else if ok && fails(call) && aCondition.MatchString(textOf(call)) {
				t.Errorf("%s: a failure prints the code of a condition: want a sentence with the expected value:\n%s", path, sourceOf(call))
			}
			return true
		})
	})
}

// fails reports whether a call ends a test, or marks it as failed.
func fails(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf"}, s.Sel.Name) {
		return false
	}
	on, ok := s.X.(*ast.Ident)
	return ok && slices.Contains([]string{"t", "tb", "b", "f"}, on.Name) && len(call.Args) > 0
}

var (
	aWord = regexp.MustCompile(`[A-Za-z]{2,}`)
	aVerb = regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]*)?[a-zA-Z%]`)
)

// aCondition is code behind "want" in the place of the expected value: want len(x) == 3.
var aCondition = regexp.MustCompile(`want [^"\x60;]* (==|!=|&&|\|\|) `)

// textOf returns the first argument of a call if it is a text.
func textOf(call *ast.CallExpr) string {
	if text, ok := call.Args[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
		value, _ := strconv.Unquote(text.Value)
		return value
	}
	return ""
}

// hasWord reports whether a text in the arguments of a call has a word.
func hasWord(call *ast.CallExpr) (found bool) {
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				value, _ := strconv.Unquote(text.Value)
				found = found || aWord.MatchString(aVerb.ReplaceAllString(value, " ")) || aNamed.MatchString(value)
			}
			return true
		})
	}
	return found
}

// aNamed is a value with its name, which may be one letter.
var aNamed = regexp.MustCompile(`[A-Za-z] = %`)

// isOfError reports whether a call is about an error that must be nil: it stands in an if
// that asks for nothing else, or in none and has only the error.
func isOfError(call *ast.CallExpr, within []ast.Node) bool {
	for i := len(within) - 2; i >= 0; i-- {
		switch n := within[i].(type) {
		case *ast.IfStmt:
			compare, ok := n.Cond.(*ast.BinaryExpr)
			return ok && compare.Op == token.NEQ && isError(compare.X) && call.Pos() > n.Body.Pos()
		case *ast.CaseClause:
			if len(n.List) == 1 {
				if compare, ok := n.List[0].(*ast.BinaryExpr); ok {
					return compare.Op == token.NEQ && isError(compare.X)
				}
			}
		case *ast.FuncLit, *ast.FuncDecl, *ast.ForStmt, *ast.RangeStmt:
			return len(call.Args) == 1 && isError(call.Args[0])
		}
	}
	return false
}

// isError reports whether an expression is an error by its name.
func isError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return strings.HasSuffix(strings.ToLower(e.Name), "err")
	case *ast.SelectorExpr:
		return isError(e.Sel)
	}
	return false
}

// sourceOf formats a call as it stands in the source, without what is long.
func sourceOf(call *ast.CallExpr) string {
	var args []string
	for _, arg := range call.Args {
		switch a := arg.(type) {
		case *ast.BasicLit:
			args = append(args, a.Value)
		case *ast.Ident:
			args = append(args, a.Name)
		default:
			args = append(args, "…")
		}
	}
	return call.Fun.(*ast.SelectorExpr).Sel.Name + "(" + strings.Join(args, ", ") + ")"
}
