// Package dat reads the language Simutrans objects are written in.
//
//	# a comment; so is a line that begins with a space
//	obj=vehicle
//	name=TB24
//	emptyimage[n,s,e,w]=sheet.0.<$0>
//	----
//
// Lines are key=value; a line that begins with "-" ends an object. Keys are
// case-insensitive, spaces inside brackets do not count, the value is
// everything behind the first "=", and of several lines with one key the
// first wins. A key may stand for several (see expand.go).
//
// The package knows no key. It hands out an [Object] to be asked for them,
// and the object remembers what it was asked, so that what nobody wanted can
// be reported together with what the author may have meant.
package dat

import (
	"bytes"
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
)

// Directive begins a comment that is for pakbox: see Object.Directives. Other
// compilers see a comment.
const Directive = "#pakbox"

const byteOrderMark = "\xef\xbb\xbf"

// Parse reads a source file. It always returns what it could read. What is
// wrong with an object is among its own problems.
func Parse(file string, src []byte) ([]*Object, []finding.Finding) {
	p := &parser{file: file, budget: 16<<20 + 64*len(src)}
	if rest, ok := bytes.CutPrefix(src, []byte(byteOrderMark)); ok {
		src = rest
		p.warn(1, "", "the file begins with a byte order mark", "save it without one; makeobj cannot read it")
	}
	p.begin(1)
	for line := 1; len(src) > 0; line++ {
		text, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		p.line(line, strings.TrimRight(string(text), "\r"))
	}
	p.end()
	return p.objects, p.problems
}

type parser struct {
	file     string
	objects  []*Object
	current  *Object
	problems []finding.Finding
	budget   int // bytes the expansion may still take: a short line can stand for many
}

func (p *parser) warn(line int, key string, message, suggestion string) {
	p.problems = append(p.problems, syntax(p.file, line, key, finding.Warning, message, suggestion))
}

func syntax(file string, line int, key string, s finding.Severity, message, suggestion string) finding.Finding {
	return problem(file, line, key, s, "syntax", message, suggestion)
}

// problem is a finding about a key in a line of a source.
func problem(file string, line int, key string, s finding.Severity, rule, message, suggestion string) finding.Finding {
	at := finding.Place{File: file, Line: line, Field: key, Offset: fault.NoOffset}
	return finding.Finding{Severity: s, Rule: rule, Place: at, Message: message, Suggestion: suggestion}
}

func (p *parser) begin(line int) {
	p.current = &Object{file: p.file, line: line, entries: map[string]*Entry{}, missed: map[string]bool{}}
}

// end closes the current object; one without a line never was.
func (p *parser) end() {
	if len(p.current.keys) > 0 {
		p.objects = append(p.objects, p.current)
	} else {
		p.problems = append(p.problems, p.current.problems...)
	}
}

func (p *parser) line(number int, text string) {
	switch {
	case text == "" || text[0] == ' ':
	case strings.HasPrefix(text, Directive+" "):
		p.current.directives = append(p.current.directives, Entry{Key: Directive, Value: strings.TrimSpace(text[len(Directive):]), Line: number})
	case text[0] == '#':
	case text[0] == '-':
		p.end()
		p.begin(number + 1)
	default:
		p.assignment(number, text)
	}
}

func (p *parser) assignment(number int, text string) {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		if strings.TrimSpace(text) != "" {
			p.warn(number, "", fmt.Sprintf("%q is no key=value", shorten(text)), "begin a comment with #")
		}
		return
	}
	if trimmed := strings.TrimLeft(key, "\t"); trimmed != key {
		p.warn(number, strings.TrimSpace(key), "the line begins with a tab, so it sets nothing", "begin it with the key")
		return
	}
	key = normalise(key)
	if key == "" {
		p.warn(number, "", "the line begins with =, so it sets nothing", "write the key before it")
		return
	}
	entries, doubt, problem := expand(key, value, number, p.budget)
	if problem != "" {
		// It is an error of the object, which is not what its author meant.
		p.current.problems = append(p.current.problems, syntax(p.file, number, key, finding.Error, problem, ""))
		return
	}
	if doubt != "" {
		p.warn(number, key, doubt, "")
	}
	for _, e := range entries {
		p.budget -= entrySize + len(e.Key) + len(e.Value)
		if first := p.current.entries[e.Key]; first != nil {
			if first.Value != e.Value {
				p.warn(number, e.Key, fmt.Sprintf("line %d already says %q, which counts", first.Line, shorten(first.Value)), "remove one of them")
			}
			continue
		}
		p.current.add(e)
	}
}

// normalise lower-cases a key, trims its end and takes out the spaces inside
// brackets.
func normalise(key string) string {
	key = strings.TrimRight(strings.ToLower(key), " \t")
	if !strings.Contains(key, "[") {
		return key
	}
	var b strings.Builder
	depth := 0
	for _, c := range []byte(key) {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 && (c == ' ' || c == '\t') {
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:37] + "..."
	}
	return s
}
