package answer

import (
	"context"

	"pakbox/archive"
	"pakbox/internal/source"
)

// Change is a change in diff --json.
type Change struct {
	Change  archive.ChangeKind `json:"change"`
	Name    string             `json:"name"`
	OldSize *int64             `json:"old_size"`
	NewSize *int64             `json:"new_size"`
	Inside  *Object            `json:"inside,omitempty"` // how it differs, where it has values
}

// ValueChange is a change of a value in diff --json.
type ValueChange struct {
	Change archive.ChangeKind `json:"change"`
	Path   string             `json:"path"`
	Old    *string            `json:"old"`
	New    *string            `json:"new"`
}

// ValueChanges are changes of values as JSON has them.
func ValueChanges(changes []archive.ValueChange) []ValueChange {
	objects := make([]ValueChange, len(changes))
	for i, c := range changes {
		objects[i] = ValueChange{c.Kind, c.Path, NonEmpty(c.Old), NonEmpty(c.New)}
	}
	return objects
}

// Difference is how two files, archives or folders differ.
type Difference struct {
	Path, Other         string
	Format, OtherFormat string
	ByValue             bool // they were compared value by value, and not file by file
	Values              []archive.ValueChange
	Words               []archive.ValueChange // the same as people think of it, as far as that goes
	Files               []archive.Change
	Inside              map[string]*Difference // of changed files that have values themselves
}

// Diff compares two files, archives or folders.
func Diff(ctx context.Context, o *source.Opener, nameA, nameB string) (*Difference, error) {
	return diff(ctx, o, nameA, nameB, 0)
}

func diff(ctx context.Context, o *source.Opener, nameA, nameB string, depth int) (*Difference, error) {
	x, err := o.Open(ctx, nameA)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	y, err := o.Open(ctx, nameB)
	if err != nil {
		return nil, err
	}
	defer y.Close()
	d := &Difference{Path: nameA, Other: nameB, Format: x.Format(), OtherFormat: y.Format()}
	if differ, ok := x.Archive.(archive.Differ); ok && x.Whole && y.Whole {
		if d.Values, d.ByValue, err = differ.DiffValues(y.Archive); err != nil || d.ByValue {
			if len(d.Values) > 0 {
				d.Words = wordsOf(x.Archive, y.Archive)
			}
			return d, err
		}
	}
	if d.Files, err = archive.Compare(ctx, x, y, x.Opts); err != nil {
		return d, err
	}
	d.Inside = map[string]*Difference{}
	for _, c := range d.Files {
		if c.Kind != archive.Changed || depth == deepest || len(o.Formats.ByPath(c.Name)) == 0 {
			continue
		}
		// What cannot be looked into is changed, and nothing more is known.
		if inner, err := diff(ctx, o, nameA+"/"+c.Name, nameB+"/"+c.Name, depth+1); err == nil && !inner.Same() {
			d.Inside[c.Name] = inner
		}
	}
	return d, ctx.Err()
}

// Same reports whether there is no difference.
func (d *Difference) Same() bool { return len(d.Values)+len(d.Files) == 0 }

// Object is the difference as JSON.
func (d *Difference) Object() *Object {
	o := New("diff", d.Path, d.Format).Add("other_path", d.Other).Add("other_format", d.OtherFormat).Add("identical", d.Same())
	if d.ByValue {
		return o.Add("values", ValueChanges(d.Values)).Add("words", ValueChanges(d.Words))
	}
	size := func(e *archive.Entry) *int64 {
		if e == nil {
			return nil
		}
		return Known(e.Size)
	}
	objects := make([]Change, len(d.Files))
	counts := map[archive.ChangeKind]int{}
	for i, c := range d.Files {
		objects[i] = Change{Change: c.Kind, Name: c.Name, OldSize: size(c.Old), NewSize: size(c.New)}
		if inner := d.Inside[c.Name]; inner != nil {
			objects[i].Inside = inner.Object()
		}
		counts[c.Kind]++
	}
	return o.Add("added", counts[archive.Added]).Add("removed", counts[archive.Removed]).Add("changed", counts[archive.Changed]).
		Add("changes", objects)
}
