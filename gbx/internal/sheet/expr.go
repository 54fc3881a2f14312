package sheet

import (
	"fmt"
	"strconv"
	"strings"
)

// Expr is an expression in a condition or a count.
type Expr interface{ String() string }

type (
	// Num is a number.
	Num struct{ Value int64 }
	// Name is a field or parameter, or a part of one: "ref.path".
	Name struct{ Path string }
	// Unary is "!a" or "-a".
	Unary struct {
		Op string
		X  Expr
	}
	// Binary is an operation on two values.
	Binary struct {
		Op   string
		X, Y Expr
	}
	// Call is len(list), null(node), or a call of a Go function that is written by hand.
	Call struct {
		Func string
		Args []Expr
	}
)

func (e Num) String() string    { return strconv.FormatInt(e.Value, 10) }
func (e Name) String() string   { return e.Path }
func (e Unary) String() string  { return e.Op + e.X.String() }
func (e Binary) String() string { return "(" + e.X.String() + " " + e.Op + " " + e.Y.String() + ")" }
func (e Call) String() string {
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = a.String()
	}
	return e.Func + "(" + strings.Join(args, ", ") + ")"
}

// precedence of the binary operators, as in Go.
var precedence = map[string]int{
	"||": 1, "&&": 2,
	"==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
	"+": 4, "-": 4, "|": 4, "^": 4,
	"*": 5, "/": 5, "%": 5, "&": 5, "<<": 5, ">>": 5,
}

// maxNesting limits the nesting of expressions and blocks.
const maxNesting = 100

// scanner reads tokens from one line.
type scanner struct {
	s     string
	depth int
}

func (t *scanner) space() { t.s = strings.TrimLeft(t.s, " ") }

// word reads an identifier, or "".
func (t *scanner) word() string {
	t.space()
	n := 0
	for n < len(t.s) && isWord(t.s[n]) {
		n++
	}
	w := t.s[:n]
	t.s = t.s[n:]
	return w
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (t *scanner) accept(token string) bool {
	t.space()
	rest, ok := strings.CutPrefix(t.s, token)
	if ok {
		t.s = rest
	}
	return ok
}

func (t *scanner) expect(token string) error {
	if !t.accept(token) {
		return fmt.Errorf("%q expected at %q", token, t.s)
	}
	return nil
}

// operator returns the binary operator that comes next, or "".
func (t *scanner) operator() string {
	t.space()
	for n := min(2, len(t.s)); n > 0; n-- {
		if precedence[t.s[:n]] > 0 {
			return t.s[:n]
		}
	}
	return ""
}

// expr reads an expression whose operators bind tighter than level.
func (t *scanner) expr(level int) (Expr, error) {
	if t.depth++; t.depth > maxNesting {
		return nil, fmt.Errorf("expression too deep")
	}
	defer func() { t.depth-- }()
	x, err := t.operand()
	if err != nil {
		return nil, err
	}
	for {
		op := t.operator()
		p := precedence[op]
		if p <= level {
			return x, nil
		}
		t.s = t.s[len(op):]
		y, err := t.expr(p)
		if err != nil {
			return nil, err
		}
		x = Binary{op, x, y}
	}
}

func (t *scanner) operand() (Expr, error) {
	for _, op := range []string{"!", "-"} {
		if t.accept(op) {
			x, err := t.expr(len(precedence)) // a unary operator binds tighter than any binary one
			return Unary{op, x}, err
		}
	}
	if t.accept("(") {
		x, err := t.expr(0)
		if err != nil {
			return nil, err
		}
		return x, t.expect(")")
	}
	w := t.word()
	switch {
	case w == "":
		return nil, fmt.Errorf("value expected at %q", t.s)
	case w[0] >= '0' && w[0] <= '9':
		n, err := strconv.ParseInt(w, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", w)
		}
		return Num{n}, nil
	case t.accept("("):
		args, err := t.args()
		return Call{w, args}, err
	}
	for t.accept(".") {
		part := t.word()
		if part == "" {
			return nil, fmt.Errorf("name expected after %q", w+".")
		}
		w += "." + part
	}
	return Name{w}, nil
}

func (t *scanner) args() ([]Expr, error) {
	var args []Expr
	if t.accept(")") {
		return nil, nil
	}
	for {
		x, err := t.expr(0)
		if err != nil {
			return nil, err
		}
		args = append(args, x)
		if t.accept(")") {
			return args, nil
		}
		if err := t.expect(","); err != nil {
			return nil, err
		}
	}
}
