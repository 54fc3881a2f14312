package answer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// WithDumper calls run with a file that has values to show.
func WithDumper(ctx context.Context, o *source.Opener, file string, run func(archive.Dumper) error) error {
	s, err := o.Open(ctx, file)
	if err != nil {
		return err
	}
	defer s.Close()
	d, ok := s.Archive.(archive.Dumper)
	if !ok && slices.ContainsFunc(s.Entries(), func(e archive.Entry) bool { return e.Record != nil }) {
		d, ok = recorded{s.Archive}, true
	}
	if !ok || !s.Whole {
		return noValues(s, file)
	}
	return run(d)
}

// recorded is an archive whose records are all the values that it has.
type recorded struct{ archive.Archive }

// DumpText writes the facts of the archive and the record of each entry.
func (r recorded) DumpText(w io.Writer, _ bool) error {
	b := bufio.NewWriter(w)
	write := func(indent string, facts fact.Record) {
		for _, f := range facts {
			text := f.Text()
			if data, err := Marshal(f.Value); f.Kind == fact.Object && err == nil {
				text = string(data)
			}
			if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
				text = strconv.Quote(text)
			}
			fmt.Fprintf(b, "%s%s: %s\n", indent, f.Name, text)
		}
	}
	write("", r.Facts())
	for _, e := range r.Entries() {
		fmt.Fprintf(b, "entry %q\n", e.Name)
		facts := entryFacts.Of(e)
		write("  ", facts[1:len(facts)-1])
		write("  ", e.Record.Facts())
	}
	return b.Flush()
}

// DumpJSON writes the same as members of an object.
func (r recorded) DumpJSON(w io.Writer, _ *archive.Want) error {
	var b bytes.Buffer
	b.WriteString(`"facts":`)
	facts, err := r.Facts().MarshalJSON()
	if err != nil {
		return err
	}
	b.Write(facts)
	if err := (&Listing{Entries: r.Entries()}).AppendFields(&b); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// Coverage is not told: the format leaves no bytes unexplained.
func (r recorded) Coverage() (*archive.Coverage, error) {
	return nil, fault.New(fault.Unsupported, "%s files have no chunks to count", r.Format())
}

// noValues says that a file has no values of its own.
func noValues(s *source.Source, file string) error {
	if s.Format() == source.FolderFormat {
		return hint.With(fault.InFile(fault.New(fault.Unsupported, "is a folder, and only files have values"), file), "to take the files in it: --recursive; to see what is in it: pakbox ls %s", file)
	}
	return hint.With(fault.InFile(fault.New(fault.Unsupported, "%s files have no values to show one by one", s.Format()), file), "to see what is in it: pakbox ls %s", file)
}

// WriteDump writes the document of a file, as far as it is wanted.
func WriteDump(w io.Writer, file string, d archive.Dumper, want *archive.Want) error {
	path, err := Marshal(file)
	if err != nil {
		return err
	}
	head := fmt.Appendf(nil, `{"schema":"pakbox.dump/1","path":%s,"format":%q`, path, d.Format())
	h := &headed{w, head}
	if err := d.DumpJSON(h, want); err != nil {
		return err
	}
	_, err = w.Write(append(h.head, '}')) // the head, if nothing was wanted beside it
	return err
}

// headed writes a head when there is something to follow it: of a document
// that cannot be made nothing is written, and the error stands alone.
type headed struct {
	w    io.Writer
	head []byte
}

func (h *headed) Write(p []byte) (int, error) {
	if h.head != nil && len(p) > 0 {
		if _, err := h.w.Write(append(h.head, ',')); err != nil {
			return 0, err
		}
		h.head = nil
	}
	return h.w.Write(p)
}

// CoverageObject is how much of a file is understood, as JSON.
func CoverageObject(file, format string, c *archive.Coverage) *Object {
	return New("dump", file, format).
		Add("body_bytes", c.Bytes).Add("decoded_bytes", c.Decoded).Add("chunks", c.Parts)
}

// Value is a value in get --json.
type Value struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// Values looks the values up that paths lead to. Texts are those for people,
// one for each path.
func Values(ctx context.Context, o *source.Opener, file string, paths []string) (found *Object, texts []string, err error) {
	s, v, err := OpenValues(ctx, o, file)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	list := []Value{}
	for _, path := range paths {
		found, err := v.Get(path)
		if err != nil {
			return nil, nil, InFile(err, file)
		}
		for _, f := range found {
			list = append(list, Value{f.Path, f.JSON})
		}
		texts = append(texts, found[0].Text)
	}
	return New("get", file, s.Format()).Add("values", list), texts, nil
}

// OpenValues opens a file whose values can be asked for. The caller closes it.
func OpenValues(ctx context.Context, o *source.Opener, file string) (*source.Source, archive.Valuer, error) {
	s, err := o.Open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	v, ok := s.Place.Archive.(archive.Valuer)
	if !ok {
		s.Close()
		return nil, nil, noValues(s, file)
	}
	if !s.Whole {
		v = partValuer{v, s.Place.Inner + "/"}
	}
	return s, v, nil
}

// partValuer asks for the values of a part of a file: their paths begin with
// the part's.
type partValuer struct {
	archive.Valuer
	prefix string
}

func (v partValuer) Get(path string) ([]archive.Value, error) {
	values, err := v.Valuer.Get(v.prefix + path)
	return values, v.inside(err)
}

func (v partValuer) Set(assignments []archive.Assignment) (*archive.Revision, error) {
	list := make([]archive.Assignment, len(assignments))
	for i, s := range assignments {
		list[i] = archive.Assignment{Path: v.prefix + s.Path, Value: s.Value}
	}
	edited, err := v.Valuer.Set(list)
	return edited, v.inside(err)
}

// inside gives paths as they are called in the part.
func (v partValuer) inside(err error) error {
	if value, ok := err.(*archive.ValueError); ok {
		for i := range value.Near {
			value.Near[i] = strings.TrimPrefix(value.Near[i], v.prefix)
		}
	}
	return err
}

// InFile says in which file a path leads nowhere; all other errors name theirs.
func InFile(err error, file string) error {
	var value *archive.ValueError
	if !errors.As(err, &value) {
		return err
	}
	err = fmt.Errorf("%s: %w", file, err)
	switch {
	case len(value.Near) > 0:
		return hint.With(err, "did you mean %s?", OrList(value.Near))
	case value.Missing:
		return hint.With(err, "to see the names of all values: pakbox dump %s", file)
	}
	return err
}
