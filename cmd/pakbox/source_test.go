package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// eachSource calls test with every Go file of the project.
func eachSource(t *testing.T, mode parser.Mode, test func(path string, f *ast.File)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, mode)
		if err == nil {
			test(filepath.ToSlash(path), f)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}

func imports(f *ast.File) (names []string) {
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		names = append(names, name)
	}
	return names
}

// TestNoNetwork: no part of pakbox that is no test uses the network. What
// others' packages that are linked in could do, nobody calls.
func TestNoNetwork(t *testing.T) {
	eachSource(t, parser.ImportsOnly, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, name := range imports(f) {
			if name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

// TestNoSkips: a test is skipped only by the packages that obey
// PAKBOX_REQUIRE. A benchmark may want to be asked for.
func TestNoSkips(t *testing.T) {
	eachSource(t, parser.SkipObjectResolution, func(path string, f *ast.File) {
		if strings.Contains(path, "/internal/peer/") || strings.Contains(path, "/internal/corpus/") || !slices.Contains(imports(f), "testing") {
			return
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || strings.HasPrefix(fn.Name.Name, "Benchmark") {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if s, ok := call.Fun.(*ast.SelectorExpr); ok && skips(s) {
						t.Errorf("%s: %s skips a test", path, fn.Name.Name)
					}
				}
				return true
			})
		}
	})
}

// skips reports whether a call is one of testing's, by the names that this
// project gives its values.
func skips(s *ast.SelectorExpr) bool {
	on, ok := s.X.(*ast.Ident)
	return ok && strings.HasPrefix(s.Sel.Name, "Skip") && slices.Contains([]string{"t", "tb", "b", "f"}, on.Name)
}
