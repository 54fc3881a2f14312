package main

import (
	"path"
	"strings"
)

// A passage is text for readers: a comment, a string literal or a paragraph. Its lines
// are those of the file.
type passage struct {
	line int // of the first character, from 1
	text string
}

// A language states where comments and string literals of source code begin and end.
type language struct {
	lineComment            string
	blockStart, blockEnd   string
	quotes                 string // characters around strings on one line
	longQuotes             []string
	hasRegexps, hasEscapes bool
}

var script = language{lineComment: "//", blockStart: "/*", blockEnd: "*/", quotes: `"'`, longQuotes: []string{"`"}, hasRegexps: true, hasEscapes: true}

// languages are the languages by extension.
var languages = map[string]language{
	".go":  {lineComment: "//", blockStart: "/*", blockEnd: "*/", quotes: `"'`, longQuotes: []string{"`"}, hasEscapes: true},
	".js":  script,
	".mjs": script,
	".ts":  script,
	".py":  {lineComment: "#", quotes: `"'`, longQuotes: []string{`"""`, `'''`}, hasEscapes: true},
	".css": {blockStart: "/*", blockEnd: "*/", quotes: `"'`, hasEscapes: true},
}

// passages divides a file.
func passages(name, text string) []passage {
	if l, ok := languages[path.Ext(name)]; ok {
		r := &reader{language: l, raw: path.Ext(name) == ".go", rest: text, line: 1}
		return r.passages()
	}
	return paragraphs(text)
}

// paragraphs divides Markdown at empty lines. Commands and output that are indented by
// four spaces are not text.
func paragraphs(text string) []passage {
	var list []passage
	number := 0
	inParagraph := false
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "    "):
			inParagraph = false
		case inParagraph:
			list[len(list)-1].text += "\n" + line
		default:
			list = append(list, passage{number, line})
			inParagraph = true
		}
	}
	return list
}

// A reader finds the comments and strings of source code. It does not parse: it knows
// only how they begin and end.
type reader struct {
	language
	raw           bool // no escapes within long quotes
	rest          string
	line          int
	last          byte // of the code read so far, without spaces
	list          []passage
	commentEnd    int  // the line of the last line comment
	isLineComment bool // nothing but space follows that comment so far
}

func (r *reader) passages() []passage {
	for r.rest != "" {
		switch c := r.rest[0]; {
		case r.lineComment != "" && strings.HasPrefix(r.rest, r.lineComment):
			r.readLineComment()
		case r.blockStart != "" && strings.HasPrefix(r.rest, r.blockStart):
			r.add(len(r.blockStart), r.until(len(r.blockStart), r.blockEnd, false), len(r.blockEnd))
		case r.longQuote() != "":
			q := r.longQuote()
			r.add(len(q), r.until(len(q), q, !r.raw), len(q))
			r.last = '"'
		case strings.IndexByte(r.quotes, c) >= 0:
			r.readString(c)
		case c == '/' && r.hasRegexps && (r.last == 0 || strings.IndexByte("(,=:[!&|?{};<>+-*%~^", r.last) >= 0):
			r.skip(r.untilRegexpEnd())
			r.last = '"'
		default:
			if c > ' ' {
				r.last, r.isLineComment = c, false
			}
			r.skip(1)
		}
	}
	return r.list
}

func (r *reader) longQuote() string {
	for _, q := range r.longQuotes {
		if strings.HasPrefix(r.rest, q) {
			return q
		}
	}
	return ""
}

// readLineComment reads a comment up to the end of its line. Comments on lines that
// follow each other are one passage.
func (r *reader) readLineComment() {
	end := strings.IndexByte(r.rest, '\n')
	if end < 0 {
		end = len(r.rest)
	}
	text := r.rest[len(r.lineComment):end]
	if r.isLineComment && r.commentEnd == r.line-1 {
		r.list[len(r.list)-1].text += "\n" + text
	} else {
		r.list = append(r.list, passage{r.line, text})
	}
	r.commentEnd, r.isLineComment = r.line, true
	r.skip(end)
}

// readString reads a string that ends on its line.
func (r *reader) readString(quote byte) {
	end := r.until(1, string(quote), true)
	if line := strings.IndexByte(r.rest, '\n'); line >= 0 && line < end {
		end = line // an apostrophe in text that is not code
	}
	r.add(1, end, 1)
	r.last = '"'
}

// until returns the offset of end in the rest, from start on, or the length of the rest.
func (r *reader) until(start int, end string, escapes bool) int {
	for i := start; i < len(r.rest); i++ {
		if escapes && r.hasEscapes && r.rest[i] == '\\' {
			i++
		} else if strings.HasPrefix(r.rest[i:], end) {
			return i
		}
	}
	return len(r.rest)
}

// untilRegexpEnd returns the length of the regular expression at the beginning.
func (r *reader) untilRegexpEnd() int {
	inClass := false
	for i := 1; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return 1 // a division
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			return i + 1
		}
	}
	return 1
}

// add adds the passage from start to end and goes on behind it and its closing mark.
func (r *reader) add(start, end, closing int) {
	unescape := strings.NewReplacer(`\n`, "  ", `\t`, "  ")
	line := r.line + strings.Count(r.rest[:start], "\n")
	r.list = append(r.list, passage{line, unescape.Replace(r.rest[start:end])})
	r.isLineComment = false
	r.skip(min(end+closing, len(r.rest)))
}

func (r *reader) skip(n int) {
	r.line += strings.Count(r.rest[:n], "\n")
	r.rest = r.rest[n:]
}
