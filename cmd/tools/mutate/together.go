package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Building a program takes longer than most tests. So many changes are put into one
// program, and a file with a number chooses the active one. Some changes cannot be
// written like that (a number may have to be a constant): if the compiler rejects a
// change, it gets its own program.

// choice is a change that is active only if it is chosen: the bytes from start to end
// become text, in which NUL stands for the number of the change.
type choice struct {
	start, end int
	lines      int // number of line ends between start and end
	text       string
}

func (f *finder) choiceOf(n ast.Node, text string) choice {
	return choice{f.offset(n.Pos()), f.offset(n.End()), strings.Count(f.source(n), "\n"), text}
}

// choiceOfOperator makes code that evaluates the expression with one operator or the
// other.
func (f *finder) choiceOfOperator(n *ast.BinaryExpr, other token.Token) choice {
	x, y := f.source(n.X), f.source(n.Y)
	switch n.Op {
	case token.EQL, token.NEQ:
		return f.choiceOf(n, "(("+f.source(n)+") != mutated(\x00))")
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return f.choiceOf(n, fmt.Sprintf("(mutated(\x00) && (%s %s %s) || !mutated(\x00) && (%s))", x, other, y, f.source(n)))
	}
	name := map[token.Token]string{
		token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Quo",
		token.SHL: "Shl", token.SHR: "Shr", token.AND: "And", token.OR: "Or",
	}[n.Op]
	return f.choiceOf(n, fmt.Sprintf("mutated%s(\x00, %s, %s)", name, x, y))
}

// numberFile is the file with the number of the active change, or 0. An environment variable
// would not do: scripts start programs with an environment of their own.
func numberFile(work string) string { return filepath.Join(work, "number") }

// chooser is the file that is added to a package with many changes. NUL stands for the
// file with the number.
const chooser = `

import (
	"os"
	"strconv"
)

var mutatedNumber = func() int { text, _ := os.ReadFile(NUL); n, _ := strconv.Atoi(string(text)); return n }()

func mutated(n int) bool { return n == mutatedNumber }

func mutatedInt(n, i int) int {
	if mutated(n) {
		return i + 1
	}
	return i
}

func mutatedError(n int, err error) error {
	if mutated(n) {
		return nil
	}
	return err
}

type mutatedInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutatedNumeric interface{ mutatedInteger | ~float32 | ~float64 }

func mutatedAdd[T mutatedNumeric](n int, x, y T) T { if mutated(n) { return x - y }; return x + y }
func mutatedSub[T mutatedNumeric](n int, x, y T) T { if mutated(n) { return x + y }; return x - y }
func mutatedMul[T mutatedNumeric](n int, x, y T) T { if mutated(n) { return x / y }; return x * y }
func mutatedQuo[T mutatedNumeric](n int, x, y T) T { if mutated(n) { return x * y }; return x / y }
func mutatedAnd[T mutatedInteger](n int, x, y T) T { if mutated(n) { return x | y }; return x & y }
func mutatedOr[T mutatedInteger](n int, x, y T) T  { if mutated(n) { return x & y }; return x | y }
func mutatedShl[T, S mutatedInteger](n int, x T, y S) T { if mutated(n) { return x >> y }; return x << y }
func mutatedShr[T, S mutatedInteger](n int, x T, y S) T { if mutated(n) { return x << y }; return x >> y }
`

// together holds a test program for each suite, with many changes.
type together struct {
	programs []string
	numbers  map[*change]int
}

// program returns the program of a suite that contains the change, and the change's
// number; "" if no program contains it.
func (t *together) program(suite int, c *change) (string, int) {
	if n := t.numbers[c]; n > 0 {
		return t.programs[suite], n
	}
	return "", 0
}

// putTogether builds the programs with as many changes as possible.
func putTogether(ctx context.Context, work string, suites []*suite, all []change) (*together, error) {
	t := &together{numbers: map[*change]int{}}
	for i := range all {
		if c := &all[i]; c.choice.keepsLines() && !slices.ContainsFunc(all[:i], c.overlaps) {
			t.numbers[c] = i + 1
		}
	}
	for i, s := range suites {
		program := filepath.Join(work, fmt.Sprintf("together%d.test", i))
		t.programs = append(t.programs, program)
		for {
			overlay, err := t.overlay(work)
			if err != nil {
				return nil, err
			}
			err = build(ctx, program, s.pkg, "-gcflags=-e", "-overlay", overlay)
			var said *refused
			if !errors.As(err, &said) {
				if err != nil {
					return nil, err
				}
				break
			}
			if !t.drop(said.text) {
				fmt.Fprintf(os.Stderr, "mutate: the changes cannot be put together: %s\n", tail(said.text))
				clear(t.numbers)
				return t, nil
			}
		}
	}
	return t, nil
}

// overlaps reports whether two changes touch the same text.
func (c *change) overlaps(d change) bool {
	return c.file == d.file && c.choice.start < d.choice.end && d.choice.start < c.choice.end
}

// keepsLines reports whether the following lines keep their numbers. The compiler's
// messages are matched by line.
func (c choice) keepsLines() bool { return strings.Count(c.text, "\n") == c.lines }

// overlay writes the files with the changes.
func (t *together) overlay(work string) (string, error) {
	byFile := map[string][]*change{}
	for c := range t.numbers {
		byFile[c.file] = append(byFile[c.file], c)
	}
	files := map[string][]byte{}
	for file, changes := range byFile {
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		slices.SortFunc(changes, func(a, b *change) int { return cmp.Compare(a.choice.start, b.choice.start) })
		var out bytes.Buffer
		at := 0
		for _, c := range changes {
			out.Write(src[at:c.choice.start])
			out.WriteString(strings.ReplaceAll(c.choice.text, "\x00", strconv.Itoa(t.numbers[c])))
			at = c.choice.end
		}
		out.Write(src[at:])
		files[file] = out.Bytes()
		files[filepath.Join(filepath.Dir(file), "mutate_chooser.go")] = []byte("package " + tree.Name.Name + strings.Replace(chooser, "NUL", strconv.Quote(numberFile(work)), 1))
	}
	return overlay(work, files)
}

var complaint = regexp.MustCompile(`(?m)^\S*?([^/\s]+\.go):(\d+):\d+: `)

// drop removes the changes that the compiler rejects, by the lines in its messages, which
// are those of the original file. It reports whether there were any.
func (t *together) drop(text string) bool {
	found := false
	for _, m := range complaint.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[2])
		for c := range t.numbers {
			if filepath.Base(c.file) == m[1] && c.at.line-c.choice.lines <= line && line <= c.at.line+c.choice.lines {
				delete(t.numbers, c)
				found = true
			}
		}
	}
	return found
}
