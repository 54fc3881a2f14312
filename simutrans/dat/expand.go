package dat

import (
	"fmt"
	"strconv"
	"strings"
)

// One line may stand for many. If brackets in a key contain a range or a list, the key is
// expanded to all its values, the first bracket changing fastest:
//
//	image[0-3][n,s]=a.<$0*2>.<$1>
//
// In the value, <…> is replaced by the result of the expression inside. $0 is the value
// of the first such bracket: the number, or the position of a name in its list. Brackets
// with a single value do not count.
//
// A list has names if it begins with n, s, e or w, otherwise numbers. makeobj splits both
// kinds at commas and dashes, which limits the names: of [ns,-] only ns is used, of
// [n,-,s] only n and -.

const (
	maxParameters = 10
	maxValues     = 255
	// maxExpression limits the recursion; it is more than fits in a line.
	maxExpression = 1000
)

// entrySize is the memory of an entry without its text.
const entrySize = 128

// parameter is one bracket with several values.
type parameter struct {
	begin, end int // range in the key of the text inside the brackets
	names      []string
	values     []int64
}

// expand returns the entries that a line stands for, or a problem. They may take about
// budget bytes of memory. doubt describes something strange about an expression that
// still has a value.
func expand(key, value string, line, budget int) (entries []*Entry, doubt, problem string) {
	if !strings.ContainsAny(key, "[") && !strings.Contains(value, "<") {
		return []*Entry{{Key: key, Value: value, Line: line}}, "", ""
	}
	params, doubt, problem := parameters(key)
	if problem != "" {
		return nil, "", problem
	}
	total := 1
	for _, p := range params {
		if total *= len(p.values); total > budget/(entrySize+len(key)+len(value)) {
			return nil, "", "the file stands for too many keys"
		}
	}
	for n := range total {
		k, args := instance(key, params, n)
		e := evaluator{args: args}
		v := e.substitute(value)
		if e.problem != "" {
			return nil, "", e.problem
		}
		if e.doubt != "" {
			doubt = e.doubt
		}
		entries = append(entries, &Entry{Key: k, Value: v, Line: line})
	}
	return entries, doubt, ""
}

// instance returns the n-th key, and the arguments for the expressions in its value.
func instance(key string, params []parameter, n int) (string, []int64) {
	var b strings.Builder
	args := make([]int64, len(params))
	at := 0
	for i, p := range params {
		j := n % len(p.values)
		n /= len(p.values)
		b.WriteString(key[at:p.begin])
		b.WriteString(p.names[j])
		at = p.end
		args[i] = p.values[j]
	}
	b.WriteString(key[at:])
	return b.String(), args
}

// parameters finds the brackets with more than one value.
func parameters(key string) (params []parameter, doubt, problem string) {
	for at := 0; ; {
		begin := strings.IndexByte(key[at:], '[')
		if begin < 0 {
			break
		}
		begin += at + 1
		length := strings.IndexByte(key[begin:], ']')
		if length < 0 {
			return nil, "", "a bracket is not closed"
		}
		at = begin + length
		inside := key[begin:at]
		// A dash in front is a name, as in image[-].
		if strings.Contains(inside, ",") || len(inside) > 1 && strings.Contains(inside[1:], "-") {
			p := parameter{begin: begin, end: at}
			strange, problem := p.parse(inside)
			if problem != "" {
				return nil, "", problem
			}
			if strange != "" {
				doubt = fmt.Sprintf("%s; [%s] counts as %s", strange, inside, strings.Join(p.names, ", "))
			}
			params = append(params, p)
		}
	}
	if len(params) > maxParameters {
		return nil, "", fmt.Sprintf("more than %d brackets with several values", maxParameters)
	}
	return params, doubt, ""
}

// parse reads the text of a bracket. doubt describes a text that makeobj reads
// differently from what it seems to mean.
func (p *parameter) parse(inside string) (doubt, problem string) {
	tokens := strings.FieldsFunc(inside, func(r rune) bool { return r == '-' || r == ',' })
	if strings.IndexByte("nsew", inside[0]) >= 0 {
		names := strings.Split(inside, ",")
		switch {
		case len(tokens) > len(names):
			doubt = "a range of names is not supported"
		case len(tokens) < len(names):
			doubt = "a dash makes a list of names shorter"
		}
		p.names = names[:min(len(tokens), len(names))]
		for i := range p.names {
			p.values = append(p.values, int64(i))
		}
		return doubt, p.checkLength()
	}
	return p.parseNumbers(inside)
}

// parseNumbers reads a list of numbers and ranges. A text that is not a number counts as 0.
// An empty text is skipped.
func (p *parameter) parseNumbers(inside string) (doubt, problem string) {
	last := 0
	for at := 0; at < len(inside); {
		length := strings.IndexAny(inside[at:]+",", "-,")
		item := inside[at : at+length]
		number := int(decimal(item))
		isRange := at > 0 && inside[at-1] == '-'
		switch {
		case item == "" && at > 0:
			doubt = "nothing stands where a number belongs"
		case strings.Trim(item, "0123456789") != "":
			doubt = fmt.Sprintf("%q is not a number", item)
		case isRange && number < last:
			doubt = fmt.Sprintf("%d-%d is not a range", last, number)
		}
		first := number
		if isRange {
			first = last + 1
			if number-last >= maxValues {
				return "", fmt.Sprintf("the range %d-%d has more than %d values", last, number, maxValues)
			}
		}
		for n := first; n <= number && (item != "" || at == 0); n++ {
			p.names = append(p.names, strconv.Itoa(n))
			p.values = append(p.values, int64(n))
			last = n
		}
		at += length + 1
	}
	return doubt, p.checkLength()
}

func (p *parameter) checkLength() (problem string) {
	if len(p.values) > maxValues+1 {
		return fmt.Sprintf("more than %d values in one bracket", maxValues+1)
	}
	return ""
}

// substitute replaces every <…> in a value.
func (e *evaluator) substitute(value string) string {
	var b strings.Builder
	for {
		begin := strings.IndexByte(value, '<')
		if begin < 0 {
			break
		}
		length := strings.IndexByte(value[begin:], '>')
		if length < 0 {
			break
		}
		b.WriteString(value[:begin])
		b.WriteString(strconv.FormatInt(int64(e.evaluate(value[begin+1:begin+length])), 10))
		value = value[begin+length+1:]
	}
	b.WriteString(value)
	return b.String()
}

// operators from the loosest to the tightest binding, in makeobj's own order: / binds
// tighter than *, so that 7*100/7 is 7*14.
const operators = "+-*/%"

// evaluator computes the expressions of one value.
type evaluator struct {
	args    []int64
	problem string // why an expression has no value
	doubt   string // what is strange about an expression with a value
}

func (e *evaluator) fail(format string, args ...any) {
	if e.problem == "" {
		e.problem = fmt.Sprintf(format, args...)
	}
}

// evaluate computes an expression in 32 bits. As in makeobj, a text that is not a number
// counts as 0, and a missing operand is left out.
func (e *evaluator) evaluate(expression string) int32 {
	switch {
	case strings.TrimSpace(expression) == "":
		e.fail("<> is an empty expression")
		return 0
	case len(expression) > maxExpression:
		e.fail("an expression is longer than %d characters", maxExpression)
		return 0
	}
	n := e.eval(expression)
	if strings.Count(expression, "(") != strings.Count(expression, ")") {
		e.doubt = fmt.Sprintf("the parentheses of <%s> do not match; it counts as %d", shorten(expression), n)
	}
	return n
}

func (e *evaluator) eval(s string) int32 {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "(") {
		switch end := closing(s); end {
		case -1:
			return e.eval(s[1:])
		case len(s) - 1:
			return e.eval(s[1:end])
		}
	}
	for _, op := range []byte(operators) {
		at := e.lastOperator(s, op)
		if at < 0 {
			continue
		}
		left, right := strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+1:])
		if right == "" {
			return e.eval(left)
		}
		if left == "" {
			if op == '-' {
				return -e.eval(right)
			}
			return e.eval(right)
		}
		return e.apply(op, e.eval(left), e.eval(right))
	}
	return e.operand(s)
}

func (e *evaluator) apply(op byte, a, b int32) int32 {
	switch op {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	}
	if b == 0 {
		e.fail("division by zero")
		return 0
	}
	if b == -1 { // the negation of the smallest number overflows
		if op == '%' {
			return 0
		}
		return -a
	}
	if op == '/' {
		return a / b
	}
	return a % b
}

// lastOperator finds the last op outside parentheses, because operators of the same kind
// are evaluated from the left. It gives up at an unmatched parenthesis.
func (e *evaluator) lastOperator(s string, op byte) int {
	depth, at := 0, -1
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case op:
			if depth == 0 {
				at = i
			} else if depth < 0 {
				e.fail("a parenthesis is closed that was not opened")
			}
		}
	}
	if depth > 0 {
		e.fail("a parenthesis is not closed")
	}
	return at
}

// closing finds the parenthesis that closes the first one.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (e *evaluator) operand(s string) int32 {
	switch {
	case s == "":
		return 0
	case s[0] == '(':
		return e.eval(s[1:closing(s)])
	case s[0] == '$':
		i := decimal(s[1:])
		if i < 0 || int(i) >= len(e.args) {
			e.fail("$%d refers to a bracket with several values that the key does not have", i)
			return 0
		}
		return int32(e.args[i])
	}
	return decimal(s)
}

// decimal reads the digits a string begins with, modulo 32 bits.
func decimal(s string) (n int32) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int32(s[i]-'0')
	}
	return n
}
