package answer

import (
	"bytes"
	"context"

	"pakbox/archive"
	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/question"
	"pakbox/fact"
)

// fileChange is a changed file in diff --json.
type fileChange struct {
	Change  archive.ChangeKind `json:"change"`
	Name    string             `json:"name"`
	OldSize *int64             `json:"old_size"`
	NewSize *int64             `json:"new_size"`
	Inside  fact.Record        `json:"inside,omitempty"` // the difference of two files that have values
}

type diffParams struct {
	Other string `json:"other" arg:"" doc:"path that the first is compared with"`
}

// Difference is the difference of two files, archives or folders.
type Difference struct {
	Path, Other         string
	Format, OtherFormat string
	ByValue             bool // compared by value, not by file
	Values              []archive.ValueChange
	Words               []archive.ValueChange // the changes in words for people; not complete
	Files               []archive.Change
	Inside              map[string]*Difference // differences inside changed files, by file
}

// FileDiff is the question how two files, archives or folders differ.
var FileDiff = question.New(&room, "diff", "how two files, archives or folders differ", func(ctx context.Context, at *question.At, p diffParams) (*Difference, error) {
	return diff(ctx, at, at.For(p.Other), 0)
})

// Found reports whether there is a difference.
func (d *Difference) Found() bool { return !d.Same() }

// Subjects lists the fields of the answer, for its schema.
func (*Difference) Subjects() []*fact.Subject {
	return []*fact.Subject{{Name: "difference", Facts: []*fact.Fact{
		{Name: "other_path", Kind: fact.Text, Doc: "path that the first was compared with"},
		{Name: "other_format", Kind: fact.Text, Doc: "format of the other"},
		{Name: "identical", Kind: fact.Flag, Doc: "whether the two are identical"},
		{Name: "values", Kind: fact.Object, Doc: "values that differ: change, path, old, new"},
		{Name: "words", Kind: fact.Object, Doc: "the same as people think of it, as far as that goes"},
		{Name: "added", Kind: fact.Count, Doc: "number of files that only the other has"},
		{Name: "removed", Kind: fact.Count, Doc: "number of files that only the first has"},
		{Name: "changed", Kind: fact.Count, Doc: "number of files that differ"},
		{Name: "changes", Kind: fact.Object, Doc: "files that differ: change, name, sizes, and inside where they have values"},
	}}}
}

func diff(ctx context.Context, a, b *question.At, depth int) (*Difference, error) {
	x, doneX, err := a.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer doneX()
	y, doneY, err := b.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer doneY()
	d := &Difference{Path: a.Path, Other: b.Path, Format: x.Format(), OtherFormat: y.Format()}
	if differ, ok := x.Archive.(archive.Differ); ok && x.Whole && y.Whole {
		if d.Values, d.ByValue, err = differ.DiffValues(y.Archive); err != nil || d.ByValue {
			if len(d.Values) > 0 {
				d.Words = nadeo.Words(x.Archive, y.Archive)
			}
			return d, err
		}
	}
	if d.Files, err = archive.Compare(ctx, x, y, x.Opts); err != nil {
		return d, err
	}
	d.Inside = map[string]*Difference{}
	for _, c := range d.Files {
		if c.Kind != archive.Changed || depth == deepest || len(a.Opener.Formats.ByPath(c.Name)) == 0 {
			continue
		}
		// If a changed file cannot be opened, only the fact that it changed is reported.
		if inner, err := diff(ctx, a.For(a.Path+"/"+c.Name), b.For(b.Path+"/"+c.Name), depth+1); err == nil && !inner.Same() {
			d.Inside[c.Name] = inner
		}
	}
	return d, ctx.Err()
}

// Same reports whether the two are identical.
func (d *Difference) Same() bool { return len(d.Values)+len(d.Files) == 0 }

// AppendFields writes the fields of the answer's JSON.
func (d *Difference) AppendFields(b *bytes.Buffer) error { return d.fields().AppendFields(b) }

func (d *Difference) fields() fact.Record {
	r := fact.Record{
		fact.Make("other_path", "", fact.Text, d.Other, ""), fact.Make("other_format", "", fact.Text, d.OtherFormat, ""),
		fact.Make("identical", "", fact.Flag, d.Same(), ""),
	}
	if d.ByValue {
		return append(r, fact.Make("values", "", fact.Object, question.ValueChanges(d.Values), ""), fact.Make("words", "", fact.Object, question.ValueChanges(d.Words), ""))
	}
	size := func(e *archive.Entry) *int64 {
		if e == nil {
			return nil
		}
		return question.Known(e.Size)
	}
	objects := make([]fileChange, len(d.Files))
	counts := map[archive.ChangeKind]int{}
	for i, c := range d.Files {
		objects[i] = fileChange{Change: c.Kind, Name: c.Name, OldSize: size(c.Old), NewSize: size(c.New)}
		if inner := d.Inside[c.Name]; inner != nil {
			objects[i].Inside = append(question.Envelope("diff", inner.Path, inner.Format), inner.fields()...)
		}
		counts[c.Kind]++
	}
	for _, kind := range []archive.ChangeKind{archive.Added, archive.Removed, archive.Changed} {
		r = append(r, fact.Make(string(kind), "", fact.Count, counts[kind], ""))
	}
	return append(r, fact.Make("changes", "", fact.Object, objects, ""))
}
