package answer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// Match is one occurrence of the text.
type Match struct {
	File  string `json:"file"`  // the file, or the path of a file inside it
	Place string `json:"place"` // the path of a value; "" in a text
	Line  int    `json:"line"`  // line number in a text, from 1; otherwise 0
	Text  string `json:"text"`  // the line or value; "" for binary data
}

// Grepped lists the occurrences of a text.
type Grepped struct {
	Matches []Match `json:"matches" doc:"places: file, place of a value, line of a text, text" method:"result"`
}

type grepParams struct {
	Text       string `json:"text" arg:"" doc:"text to look for"`
	IgnoreCase bool   `json:"ignore-case" short:"i" doc:"take letters in any case"`
	Regexp     bool   `json:"regexp" short:"e" doc:"take TEXT as a regular expression"`
	// Each, if not nil, receives the matches one by one, and the answer has none.
	Each func(Match) `json:"-"`
}

// FileGrep is the question where a text occurs: in the values of a file, in the files of
// an archive, or in the lines of a text.
var FileGrep = question.New(&room, "grep", "places where a text stands in a file, in an archive, or among values", func(ctx context.Context, at *question.At, p grepParams) (*Grepped, error) {
	wanted, err := matcher(p)
	if err != nil {
		return nil, err
	}
	out := &Grepped{Matches: []Match{}}
	if p.Each == nil {
		p.Each = func(m Match) {
			if !at.Bounded() || len(out.Matches) < maxResults {
				out.Matches = append(out.Matches, m)
			}
		}
	}
	g := &grepper{ctx: ctx, opener: at.Opener, wanted: wanted, found: p.Each}
	s, done, err := at.Open(ctx)
	switch {
	case errors.Is(err, fault.NotFormat):
		in, closer, err := at.Input(ctx) // a plain file, also in an archive
		if err == nil {
			defer closer.Close()
			err = g.lines(at.Path, io.NewSectionReader(in.ReaderAt, 0, in.Size))
		}
		if err == nil || ctx.Err() != nil {
			return out, err
		}
		if files, failed := at.FilesBelow(ctx, ""); failed == nil && files != nil { // some systems open folders like files
			err = fault.InFile(fault.New(fault.NotFormat, "is a folder; grep searches a file or an archive"), at.Path)
		}
		return nil, err
	case err != nil:
		return nil, err
	}
	defer done()
	return out, g.source(at.Path, s, 0)
})

// matcher returns a function that reports whether a line contains the text.
func matcher(p grepParams) (func([]byte) bool, error) {
	if p.Text == "" {
		return nil, fault.Usagef("grep needs a text to look for")
	}
	if !p.Regexp && !p.IgnoreCase {
		text := []byte(p.Text) // once, not for each line: it may be long
		return func(line []byte) bool { return bytes.Contains(line, text) }, nil
	}
	if !p.Regexp {
		p.Text = regexp.QuoteMeta(p.Text)
	}
	if p.IgnoreCase {
		p.Text = "(?i)" + p.Text
	}
	pattern, err := regexp.Compile(p.Text)
	if err != nil {
		return nil, fault.Usagef("%v", err)
	}
	return pattern.Match, nil
}

type grepper struct {
	ctx    context.Context
	opener *source.Opener
	wanted func([]byte) bool
	found  func(Match)
}

// deepest limits how many levels of archives inside archives are searched.
const deepest = 8

func (g *grepper) source(name string, s *source.Source, depth int) error {
	if d, ok := s.Archive.(archive.Dumper); ok && s.Whole {
		w := &valueLines{name: name, g: g}
		if err := d.DumpText(w, false); err != nil {
			return err
		}
		w.flush()
		return g.ctx.Err()
	}
	var failures []error
	for i, e := range s.Entries() {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		if err := g.entry(name, s, i, e, depth); err != nil {
			failures = append(failures, fault.InFile(err, name))
		}
	}
	return errors.Join(failures...)
}

// entry searches a file of an archive. That file may be an archive itself.
func (g *grepper) entry(name string, s *source.Source, i int, e archive.Entry, depth int) error {
	path := strings.TrimSuffix(name, "/") + "/" + e.Name
	if depth < deepest && !e.Form && g.mayHold(e.Name) {
		inner, err := g.opener.Open(g.ctx, path)
		if err == nil {
			defer inner.Close()
			return g.source(path, inner, depth+1)
		}
		if !errors.Is(err, fault.NotFormat) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	f, err := s.OpenEntry(i)
	if err != nil {
		return err
	}
	defer f.Close()
	return g.lines(path, f)
}

// mayHold reports whether a name looks like that of a file that pakbox can open.
func (g *grepper) mayHold(name string) bool { return len(g.opener.Formats.ByPath(name)) > 0 }

// lines searches the lines of a text. Binary data is searched too, but only the fact that
// it matches is reported.
func (g *grepper) lines(name string, r io.Reader) error {
	const longest = 1 << 20 // longer lines are split
	in := bufio.NewReaderSize(r, longest)
	start, _ := in.Peek(4 << 10)
	binary := bytes.IndexByte(start, 0) >= 0
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if g.wanted(line) {
			if binary || !utf8.Valid(line) {
				g.found(Match{File: name})
				return nil
			}
			g.found(Match{File: name, Line: n, Text: strings.TrimRight(string(line), "\r\n")})
		}
		switch {
		case err == io.EOF:
			return g.ctx.Err()
		case err == bufio.ErrBufferFull:
			n--
		case err != nil:
			return err
		}
	}
}

// valueLines receives the output of dump, one value per line. The indentation of a line
// gives its path.
type valueLines struct {
	name string
	g    *grepper
	rest []byte
	path []string
}

func (w *valueLines) Write(p []byte) (int, error) {
	if err := w.g.ctx.Err(); err != nil {
		return 0, err
	}
	w.rest = append(w.rest, p...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		w.line(w.rest[:end])
		w.rest = w.rest[end+1:]
	}
}

func (w *valueLines) flush() {
	if len(w.rest) > 0 {
		w.line(w.rest)
	}
}

func (w *valueLines) line(line []byte) {
	text := bytes.TrimLeft(line, " ")
	depth := (len(line) - len(text)) / 2
	word, value, _ := bytes.Cut(text, []byte(" "))
	w.path = append(w.path[:min(depth, len(w.path))], string(word))
	if w.g.wanted(text) {
		path := strings.ReplaceAll(strings.Join(w.path, "."), ".[", "[")
		w.g.found(Match{File: w.name, Place: path, Text: string(value)})
	}
}
