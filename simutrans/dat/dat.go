// Package dat reads the source language of Simutrans objects.
//
//	# a comment; so is a line that begins with a blank
//	obj=vehicle
//	name=TB24
//	emptyimage[n,s,e,w]=sheet.0.<$0>
//	----
//
// Lines are key=value; a line that begins with "-" ends an object. Case does not count in
// keys, and blanks inside their brackets do not count. The value is everything behind the
// first "=". Of several lines with one key the first counts. A key may stand for several
// (see expand.go).
//
// The package has no list of keys. The compiler asks an [Object] for keys, and the object
// records these questions. So it can report unused keys, each with a key that the author
// may have meant.
package dat

import (
	"bytes"
	"fmt"
	"strings"

	"pakbox/fault"
	"pakbox/finding"
)

// Directive begins a comment for pakbox: see Object.Directives. Other compilers ignore
// it.
const Directive = "#pakbox"

const byteOrderMark = "\xef\xbb\xbf"

// MaxLine is the number of bytes that makeobj reads from a line at a time. It treats the
// rest as another line.
const MaxLine = 4095

// Parse reads a source file. It returns all objects that it could read. The problems of
// an object are in the object; the problems of the file are returned here.
func Parse(file string, src []byte) ([]*Object, []finding.Finding) {
	p := &parser{file: file, budget: 16<<20 + 64*len(src)}
	if rest, ok := bytes.CutPrefix(src, []byte(byteOrderMark)); ok {
		src = rest
		p.warn(1, "", "the file begins with a byte order mark", "save it without one; makeobj cannot read it")
	}
	if utf16(src) {
		p.problems = append(p.problems, syntax(file, 1, "", finding.Error, "the file is UTF-16, which Windows calls Unicode", "save it as UTF-8"))
		return nil, p.problems
	}
	p.begin(1)
	for line := 1; len(src) > 0; line++ {
		text, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		for len(text) > MaxLine {
			p.warn(line, "", fmt.Sprintf("the line has %d bytes; makeobj takes what follows byte %d for a line of its own", len(text), MaxLine), "divide the line")
			p.line(line, string(text[:MaxLine]))
			text = text[MaxLine:]
		}
		p.line(line, strings.TrimRight(string(text), "\r"))
	}
	p.end()
	return p.objects, p.problems
}

// utf16 reports whether a text begins with the mark of UTF-16, or like ASCII in it.
func utf16(src []byte) bool {
	switch {
	case len(src) < 4:
		return false
	case src[0] == 0xFF && src[1] == 0xFE, src[0] == 0xFE && src[1] == 0xFF:
		return true
	}
	return src[0] != 0 && src[1] == 0 && src[2] != 0 && src[3] == 0 || src[0] == 0 && src[1] != 0 && src[2] == 0 && src[3] != 0
}

type parser struct {
	file     string
	objects  []*Object
	current  *Object
	problems []finding.Finding
	budget   int // bytes that keys may still take, because a short line can stand for many keys
}

func (p *parser) warn(line int, key string, message, suggestion string) {
	p.problems = append(p.problems, syntax(p.file, line, key, finding.Warning, message, suggestion))
}

func syntax(file string, line int, key string, s finding.Severity, message, suggestion string) finding.Finding {
	return problem(file, line, key, s, "syntax", message, suggestion)
}

// problem is a finding about a key in a line of a source.
func problem(file string, line int, key string, s finding.Severity, rule, message, suggestion string) finding.Finding {
	at := finding.Position{File: file, Line: line, Field: key, Offset: fault.NoOffset}
	return finding.Finding{Severity: s, Rule: rule, Position: at, Message: message, Suggestion: suggestion}
}

func (p *parser) begin(line int) {
	p.current = &Object{file: p.file, line: line, entries: map[string]*Entry{}, missed: map[string]bool{}}
}

// end closes the current object. An object without any key is dropped.
func (p *parser) end() {
	if len(p.current.keys) > 0 {
		p.objects = append(p.objects, p.current)
	} else {
		p.problems = append(p.problems, p.current.problems...)
	}
}

func (p *parser) line(number int, text string) {
	text, _, hasNUL := strings.Cut(text, "\x00")
	if hasNUL {
		p.warn(number, "", "the line holds a NUL, and makeobj reads only what stands before it", "remove it")
	}
	switch {
	case text == "":
	case text[0] == ' ':
		if key, ok := looksLikeKey(text); ok {
			p.warn(number, key, "the line begins with a blank, so it is a comment and sets nothing", "begin it with the key, or with #")
		}
	case strings.HasPrefix(text, Directive+" "):
		p.current.directives = append(p.current.directives, Entry{Key: Directive, Value: strings.TrimSpace(text[len(Directive):]), Line: number})
	case text[0] == '#':
	case text[0] == '-':
		if key, ok := looksLikeKey(strings.TrimLeft(text, "-")); ok {
			p.warn(number, key, "the line begins with a dash, so it ends the object and sets nothing", "begin it with the key, or with #")
		}
		p.end()
		p.begin(number + 1)
	default:
		p.assignment(number, text)
	}
}

// looksLikeKey reports whether a line that begins with blanks would otherwise set a key.
func looksLikeKey(text string) (key string, ok bool) {
	key, _, ok = strings.Cut(strings.TrimSpace(text), "=")
	key = strings.TrimSpace(key)
	name := Stem(key)
	return key, ok && name != "" && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func (p *parser) assignment(number int, text string) {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		if strings.TrimSpace(text) != "" {
			p.warn(number, "", fmt.Sprintf("%q is not a key=value", shorten(text)), "begin a comment with #")
		}
		return
	}
	key = NormalKey(key)
	if key == "" {
		p.warn(number, "", "the line begins with =, so it sets nothing", "write the key before it")
		return
	}
	if i := badCharacter(key); i >= 0 {
		character := fmt.Sprintf("%q", []rune(key[i:])[0])
		if key[i] == '\t' {
			character = "a tab"
		}
		p.warn(number, strings.TrimSpace(key), "a key cannot hold "+character+", so the line sets nothing", "remove it")
		return
	}
	entries, doubt, problem := expand(key, value, number, p.budget)
	if problem != "" {
		// It is an error, because the object is not what its author meant.
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
				p.warn(number, e.Key, fmt.Sprintf("line %d already has the value %q, which counts", first.Line, shorten(first.Value)), "remove one of them")
			}
			continue
		}
		p.current.add(e)
	}
}

// badCharacter returns the position of a character that is not allowed in a key, -1 if
// without one. Inside brackets only a tab is not allowed.
func badCharacter(key string) int {
	i := strings.IndexFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("_.[]", r)
	})
	if i >= 0 && key[i] != '\t' && strings.Contains(key[:i], "[") {
		return strings.IndexByte(key, '\t')
	}
	return i
}

// IsKey reports whether makeobj reads a text before "=" as a key.
func IsKey(text string) bool {
	key := NormalKey(text)
	return key != "" && text[0] != ' ' && badCharacter(key) < 0
}

// NormalKey returns a key in lower case, without blanks at its end and inside brackets.
// Tabs stay, as in makeobj.
func NormalKey(key string) string {
	key = strings.TrimRight(strings.ToLower(key), " ")
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
		if depth > 0 && c == ' ' {
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
