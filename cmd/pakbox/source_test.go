package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
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

// TestLengths: a file has at most 500 lines and a function at most 100. Generated code
// is left out.
func TestLengths(t *testing.T) {
	files := token.NewFileSet()
	eachSource(t, parser.SkipObjectResolution, func(path string, _ *ast.File) {
		if strings.HasSuffix(path, "_gen.go") {
			return
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if n := files.Position(f.FileEnd).Line; n > 501 {
			t.Errorf("%s has %d lines", path, n)
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if n := files.Position(fn.End()).Line - files.Position(fn.Pos()).Line + 1; n > 100 {
					t.Errorf("%s: %s has %d lines", path, fn.Name.Name, n)
				}
			}
		}
	})
}

func imports(f *ast.File) (names []string) {
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		names = append(names, name)
	}
	return names
}

// networked are the rooms that may use the network: the explorer, the drive, the
// command that serves them to this computer, the programs that try them, and the
// stores of objects that index reads.
var networked = []string{"../../index/store/", "../../internal/web/", "../../internal/mount/dav/", "../../internal/cli/page/", "../../internal/tools/load/", "../../internal/tools/bench/store.go"}

// TestNoNetwork: no part of pakbox that is no test uses the network, but for the
// explorer's rooms and index's stores. Only index uses these: no room but its own
// imports them. What others' packages that are linked in could do, nobody
// calls.
func TestNoNetwork(t *testing.T) {
	eachSource(t, parser.ImportsOnly, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(networked, func(room string) bool { return strings.HasPrefix(path, room) }) {
			return
		}
		for _, name := range imports(f) {
			if name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" {
				t.Errorf("%s imports %s", path, name)
			}
			if name == "pakbox/index/store" && !slices.ContainsFunc([]string{"../../index/scan/", "../../internal/cli/collection/", "../../cluster/"}, func(room string) bool { return strings.HasPrefix(path, room) }) {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

// TestNoSkips: a test is skipped only by the packages that obey
// PAKBOX_REQUIRE.
func TestNoSkips(t *testing.T) {
	eachSource(t, parser.SkipObjectResolution, func(path string, f *ast.File) {
		if strings.Contains(path, "/internal/testkit/peer/") || strings.Contains(path, "/internal/testkit/corpus/") || !slices.Contains(imports(f), "testing") {
			return
		}
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
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

// TestImportsPointDown holds docs/architecture.md against the imports: every
// package has a room on the page, and imports only from there downwards.
func TestImportsPointDown(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, house, _ := strings.Cut(string(page), "```\n")
	house, _, _ = strings.Cut(house, "```")
	var rooms []string // top to bottom
	for line := range strings.Lines(house) {
		for word := range strings.FieldsSeq(line) {
			if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "─") {
				break
			}
			name, more := strings.CutSuffix(word, ",")
			if rooms = append(rooms, name); !more {
				break
			}
		}
	}
	// room returns the place on the page of the room that a package is in.
	room := func(pkg string) int {
		best := -1
		for i, r := range rooms {
			if (pkg == r || strings.HasPrefix(pkg, r+"/")) && (best < 0 || len(r) > len(rooms[best])) {
				best = i
			}
		}
		return best
	}
	eachSource(t, parser.ImportsOnly, func(file string, f *ast.File) {
		pkg := strings.TrimPrefix(path.Dir(file), "../../")
		if pkg == "../.." {
			pkg = "pakbox"
		}
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		from := room(pkg)
		if from < 0 {
			t.Errorf("%s has no room in docs/architecture.md", pkg)
		}
		for _, name := range imports(f) {
			to, ours := strings.CutPrefix(name, "pakbox/")
			if name == "pakbox" || ours {
				if room(to) < from {
					t.Errorf("%s imports %s, which is above it", file, name)
				}
			}
		}
	})
}
