package answer

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Dumped is the answer of the command dump: all values of a file, or a report of how many are
// understood.
type Dumped struct {
	Coverage *archive.Coverage
	document []byte
}

type dumpParams struct {
	Coverage bool `json:"coverage" doc:"state how much is understood, by chunk and in total"`
	Offsets  bool `json:"-" doc:"show where each value lies, and its bytes"`
	// Text and JSON, if not nil, receive the values, and the answer has none: documents
	// may be too long to keep in memory.
	Text, JSON io.Writer `json:"-"`
}

// FileDump is the question for every value in a file.
var FileDump = question.New(&room, "dump", "every value in a file", func(ctx context.Context, at *question.At, p dumpParams) (*Dumped, error) {
	out := &Dumped{}
	err := withDumper(ctx, at, func(d archive.Dumper) (err error) {
		switch {
		case p.Coverage:
			out.Coverage, err = d.Coverage()
		case p.Text != nil:
			err = d.DumpText(p.Text, p.Offsets)
		case p.JSON != nil:
			err = writeDump(p.JSON, at.Path, d, archive.Everything)
		default:
			var b bytes.Buffer
			err = d.DumpJSON(bounded(at, &b), archive.Everything)
			out.document = b.Bytes()
		}
		return err
	})
	return out, err
})

// Subjects lists the fields of the answer, for its schema.
func (*Dumped) Subjects() []*fact.Subject {
	return []*fact.Subject{{Name: "values", Facts: []*fact.Fact{
		{Name: "header", Kind: fact.Object, Doc: "header of a GBX file"},
		{Name: "body", Kind: fact.Object, Doc: "body of a GBX file: nodes, chunks and fields"},
		{Name: "objects", Kind: fact.Object, Doc: "objects of a Simutrans file"},
		{Name: "body_bytes", Kind: fact.Bytes, Doc: "with coverage: size of the body"},
		{Name: "decoded_bytes", Kind: fact.Bytes, Doc: "with coverage: bytes that are understood"},
		{Name: "chunks", Kind: fact.Object, Doc: "with coverage: the same for each kind of chunk"},
	}}}
}

// AppendFields writes the fields of the answer's JSON.
func (d *Dumped) AppendFields(b *bytes.Buffer) error {
	if c := d.Coverage; c != nil {
		return fact.Record{
			fact.Make("body_bytes", "", fact.Bytes, c.Bytes, ""),
			fact.Make("decoded_bytes", "", fact.Bytes, c.Decoded, ""),
			fact.Make("chunks", "", fact.Object, c.Parts, ""),
		}.AppendFields(b)
	}
	if len(d.document) > 0 {
		b.WriteByte(',')
	}
	b.Write(d.document)
	return nil
}

// withDumper opens the file of a question and calls run with its values.
func withDumper(ctx context.Context, at *question.At, run func(archive.Dumper) error) error {
	s, done, err := at.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	d, ok := s.Archive.(archive.Dumper)
	if !ok && slices.ContainsFunc(s.Entries(), func(e archive.Entry) bool { return e.Record != nil }) {
		d, ok = recorded{s.Archive}, true
	}
	if !ok || !s.Whole {
		return noValues(s, at.Path)
	}
	return run(d)
}

// recorded dumps an archive that has no values except the records of its entries.
type recorded struct{ archive.Archive }

// DumpText writes the facts of the archive and the record of each entry.
func (r recorded) DumpText(w io.Writer, _ bool) error {
	b := bufio.NewWriter(w)
	write := func(indent string, facts fact.Record) {
		for _, f := range facts {
			text := f.Text()
			if data, err := question.Marshal(f.Value); f.Kind == fact.Object && err == nil {
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

// DumpJSON writes the same as DumpText, as members of an object.
func (r recorded) DumpJSON(w io.Writer, _ *archive.Want) error {
	var b bytes.Buffer
	b.WriteString(`"facts":`)
	facts, err := r.Facts().MarshalJSON()
	if err != nil {
		return err
	}
	b.Write(facts)
	if err := (&Content{Entries: r.Entries()}).AppendFields(&b); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// Coverage returns nil: the format has no unexplained bytes.
func (r recorded) Coverage() (*archive.Coverage, error) {
	return nil, fault.New(fault.Unsupported, "%s files have no chunks to count", r.Format())
}

// noValues makes the error for a file without values of its own.
func noValues(s *source.Source, file string) error {
	if s.Format() == source.FolderFormat {
		return fault.WithHint(fault.InFile(fault.New(fault.Unsupported, "is a folder, and only files have values"), file), "to take the files in it: -r; to see what is in it: pakbox ls %s", quote.Word(file))
	}
	return &NoValuesError{fault.WithHint(fault.InFile(fault.New(fault.Unsupported, "%s files have no values to show one by one", s.Format()), file), "to see what is in it: pakbox ls %s", quote.Word(file))}
}

// NoValuesError is the error for a file whose format has no values. In a folder with files of
// many formats it is not a failure.
type NoValuesError struct{ error }

func (e *NoValuesError) Unwrap() error { return e.error }

// writeDump writes the document of a file, or the requested part of it.
func writeDump(w io.Writer, file string, d archive.Dumper, want *archive.Want) error {
	head := fmt.Appendf(nil, `{"schema":"pakbox.dump/1","path":%s,"format":%q`, fact.JSON(file), d.Format())
	h := &headed{w, head}
	if err := d.DumpJSON(h, want); err != nil {
		return err
	}
	_, err := w.Write(append(h.head, '}')) // only the head, if nothing else was requested
	return err
}

// headed writes a head before the first content. If the document cannot be made, nothing
// is written and only the error appears.
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

// Got is the answer of the command get: the values at paths.
type Got struct {
	Values []archive.Value `json:"values" doc:"values in the order of the paths" method:"result"`
	Texts  []string        `json:"-"` // the values for people, one for each path
}

type getParams struct {
	Paths []string `json:"value" arg:"" doc:"paths of values, such as mapName"`
}

// FileGet is the question for values by their paths.
var FileGet = question.New(&room, "get", "values of a file by their paths", func(ctx context.Context, at *question.At, p getParams) (*Got, error) {
	s, done, err := at.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	v, err := valuesOf(s, at.Path)
	if err != nil {
		return nil, err
	}
	got := &Got{Values: []archive.Value{}}
	for _, path := range p.Paths {
		found, err := v.Get(path)
		if err != nil {
			return nil, question.InFile(err, at.Path)
		}
		got.Values = append(got.Values, found...)
		got.Texts = append(got.Texts, found[0].Text)
	}
	return got, nil
})

// OpenValues opens a file that has values. The caller must close it.
func OpenValues(ctx context.Context, o *source.Opener, file string) (*source.Source, archive.Valuer, error) {
	s, err := o.Open(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	v, err := valuesOf(s, file)
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return s, v, nil
}

// valuesOf returns the values of a source.
func valuesOf(s *source.Source, file string) (archive.Valuer, error) {
	v, ok := s.Place.Archive.(archive.Valuer)
	if !ok {
		return nil, noValues(s, file)
	}
	if !s.Whole {
		v = partValuer{v, s.Place.Inner + "/"}
	}
	return v, nil
}

// partValuer reads the values of a part of a file. It puts the path of the part before
// each path.
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

// inside removes the part's path from the suggestions in an error.
func (v partValuer) inside(err error) error {
	if value, ok := err.(*archive.ValueError); ok {
		for i := range value.Near {
			value.Near[i] = strings.TrimPrefix(value.Near[i], v.prefix)
		}
	}
	return err
}
