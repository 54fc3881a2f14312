package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// sources are all Go files of the project by path. They are parsed once for all tests of
// the source.
var sources = sync.OnceValues(func() (map[string]*ast.File, error) {
	files := map[string]*ast.File{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(sourceLines, path, nil, parser.SkipObjectResolution)
		files[filepath.ToSlash(path)] = f
		return err
	})
	return files, err
})

// sourceLines has the positions in sources.
var sourceLines = token.NewFileSet()

// eachSource calls test with every Go file of the project, in the order of their paths.
func eachSource(t *testing.T, test func(path string, f *ast.File)) {
	t.Helper()
	files, err := sources()
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		test(path, files[path])
	}
}

// TestLengths: a file has at most 500 lines and a function at most 100. Generated code
// is left out.
func TestLengths(t *testing.T) {
	eachSource(t, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_gen.go") {
			return
		}
		if n := sourceLines.Position(f.FileEnd).Line; n > 501 {
			t.Errorf("%s has %d lines", path, n)
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if n := sourceLines.Position(fn.End()).Line - sourceLines.Position(fn.Pos()).Line + 1; n > 100 {
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
// stores of objects that index reads. The table of errors only names the statuses of HTTP.
var networked = []string{"../../index/store/", "../../cmd/internal/page/web/", "../../cmd/internal/talk/api/", "../../cmd/internal/mount/dav/", "../../cmd/internal/cli/serve/", "../../cmd/tools/load/", "../../cmd/tools/trips/", "../../cmd/tools/bench/store.go", "../../cmd/internal/question/error.go"}

// TestNoNetwork: apart from tests, only the explorer's packages and the stores of the index
// use the network. Only index uses these stores: no other package imports them. Linked
// packages of others may contain network code, which no
// code of pakbox calls.
func TestNoNetwork(t *testing.T) {
	eachSource(t, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(networked, func(room string) bool { return strings.HasPrefix(path, room) }) {
			return
		}
		for _, name := range imports(f) {
			if name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" {
				t.Errorf("%s imports %s", path, name)
			}
			if name == "pakbox/index/store" && !slices.ContainsFunc([]string{"../../index/scan/", "../../cmd/internal/cli/index/", "../../index/cluster/", "../../cmd/tools/bench/"}, func(room string) bool { return strings.HasPrefix(path, room) }) {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

// TestNoSkips: only the packages below testkit skip tests, because they obey PAKBOX_REQUIRE
// and PAKBOX_TESTS.
func TestNoSkips(t *testing.T) {
	eachSource(t, func(path string, f *ast.File) {
		if strings.Contains(path, "/internal/testkit/") || !slices.Contains(imports(f), "testing") {
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

// TestLibraryNamesNoCommand: the library states rules and facts; the application adds the
// command that helps. A program of somebody else has no commands.
func TestLibraryNamesNoCommand(t *testing.T) {
	names := map[string]bool{}
	eachLiteral := func(visit func(path, key, text string)) {
		eachSource(t, func(path string, f *ast.File) {
			if strings.HasSuffix(path, "_test.go") {
				return
			}
			var key string
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); ok {
						key = id.Name
					}
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
						visit(strings.TrimPrefix(filepath.ToSlash(path), "../../"), key, text)
					}
					key = ""
				}
				return true
			})
		})
	}
	eachLiteral(func(path, key, text string) {
		if name, _, _ := strings.Cut(text, " "); key == "Use" && strings.HasPrefix(path, "cmd/internal/cli/") && name != "pakbox" {
			names[name] = true
		}
	})
	if len(names) < 50 || !names["info"] || !names["lint"] {
		t.Fatalf("%d commands found: the way to find them is out of date", len(names))
	}
	call := regexp.MustCompile(`pakbox ([a-z]+)\b`)
	eachLiteral(func(path, _, text string) {
		if strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, "clients/") {
			return
		}
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			if names[m[1]] {
				t.Errorf("%s names the command %q in %q", path, m[0], text)
			}
		}
	})
}

// TestOneWalk: folders are walked by package walk, so that links, hidden names and the order
// mean the same everywhere. What removes or syncs files of its own must not follow a link,
// not even at the beginning.
func TestOneWalk(t *testing.T) {
	rooms := []string{"../../internal/lib/busy/", "../../archive/stagedir.go", "../../archive/archivetest/", "../../internal/testkit/", "../../gbx/internal/coverage/", "../../cmd/tools/"}
	eachSource(t, func(path string, f *ast.File) {
		if strings.HasSuffix(path, "_test.go") || slices.ContainsFunc(rooms, func(room string) bool { return strings.HasPrefix(path, room) }) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "WalkDir" || s.Sel.Name == "Walk") {
				if on, ok := s.X.(*ast.Ident); ok && (on.Name == "filepath" || on.Name == "fs") {
					t.Errorf("%s calls %s.%s instead of internal/lib/walk", path, on.Name, s.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestRootIsSmall: a stranger must take in the folders of the root at one glance.
func TestRootIsSmall(t *testing.T) {
	list, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range list {
		if made := []string{".git", "dist", "site", "soak-findings", "grown"}; e.IsDir() && !slices.Contains(made, e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) > 16 {
		t.Errorf("the root has %d folders, want at most 16: %q", len(folders), folders)
	}
}

// TestImportsPointDown holds docs/architecture.md against the imports: every
// package has a room on the page, and imports only from there downwards.
func TestImportsPointDown(t *testing.T) {
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, house, _ := strings.Cut(string(page), "## The rooms\n")
	_, house, _ = strings.Cut(house, "```\n")
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
	eachSource(t, func(file string, f *ast.File) {
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
