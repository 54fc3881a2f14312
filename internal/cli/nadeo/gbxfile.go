package nadeo

import (
	"bytes"

	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
	"pakbox/internal/source"
)

// What the commands on single GBX files share: map, replay, mesh.

// saveGBX changes a GBX file and saves it, whole or not at all. What change
// returns is added to what --json says.
func (a *app) saveGBX(o shell.Saving, command, name string, s *source.Source, f *gbx.File, change func() (*answer.Object, error)) error {
	if o.Out == "" && !o.DryRun {
		if err := source.CanReplace(s, name); err != nil {
			return hint.With(err, "write the changed file elsewhere with -o FILE")
		}
	}
	old, err := f.Encode()
	if err != nil {
		return err
	}
	done, err := change()
	if err != nil {
		return err
	}
	data, err := f.Encode()
	if err != nil {
		return err
	}
	if o.DryRun {
		return a.previewGBX(command, name, old, data, done)
	}
	target, same := o.Out, o.Out == "" && bytes.Equal(data, old)
	switch {
	case target == "-":
		return a.WriteContent(data)
	case target != "":
		err = source.StageBytes(target, data, o.Force)
	case same:
		target = name // and stays as it is
	default:
		target = name
		err = a.SaveFile(a.Ctx, s, data)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New(command, name, "gbx").Add("output", target).Add("dry_run", false).
			Add("size", len(data)).Add("old_size", len(old)).Merge(done))
	}
	if same {
		a.Note("there is nothing to change in %s", name)
		return nil
	}
	a.Note("saved %s, %s (was %s)", target, answer.SizeText(int64(len(data))), answer.SizeText(int64(len(old))))
	return nil
}

// previewGBX shows what saving would change, as diff does.
func (a *app) previewGBX(command, name string, old, data []byte, done *answer.Object) error {
	changes, err := answer.GBXChanges(old, data)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New(command, name, "gbx").Add("dry_run", true).Add("values", answer.ValueChanges(changes)).Merge(done))
	}
	a.PrintValueChanges(changes)
	return nil
}
