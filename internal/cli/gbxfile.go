package cli

import (
	"bytes"
	"context"
	"errors"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
)

// What the commands on single GBX files share: map, replay, mesh.

// gbxFile calls run with the GBX file that a path leads to.
func (a *app) gbxFile(ctx context.Context, name string, run func(s *source, f *gbx.File) error) error {
	s, err := a.open(ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	holder, ok := s.place.Archive.(interface{ File() *gbx.File })
	if !ok || !s.whole {
		err := fault.InFile(fault.New(fault.NotFormat, "is no GBX file"), name)
		return withHint(err, "to take the files in it: '%s/**/*.Gbx'", s.path)
	}
	err = fault.InFile(run(s, holder.File()), name)
	if e, ok := err.(*fault.Error); ok && errors.Is(e, fault.NotFormat) {
		if info, found := s.Stat("map.Map.Gbx"); found == nil && !info.IsDir() {
			return withHint(err, "the map inside it is %s/map.Map.Gbx", name)
		}
		return withHint(err, "to see what it is: pakbox info %s", name)
	}
	return err
}

// saveGBX changes a GBX file and saves it, whole or not at all. What change
// returns is added to what --json says.
func (a *app) saveGBX(o saving, command, name string, s *source, f *gbx.File, change func() (*object, error)) error {
	if o.out == "" && !o.dryRun {
		if err := canReplace(s, name); err != nil {
			return withHint(err, "write the changed file elsewhere with -o FILE")
		}
	}
	old, err := f.Encode()
	if err != nil {
		return err
	}
	var before *tree.Tree
	if o.dryRun {
		if before, err = treeOf(old); err != nil {
			return err
		}
	}
	done, err := change()
	if err != nil {
		return err
	}
	data, err := f.Encode()
	if err != nil {
		return err
	}
	if o.dryRun {
		return a.previewGBX(command, name, before, data, done)
	}
	target, same := o.out, o.out == "" && bytes.Equal(data, old)
	switch {
	case target == "-":
		return a.writeContent(data)
	case target != "":
		err = stageBytes(target, data, o.force)
	case same:
		target = name // and stays as it is
	default:
		target = name
		err = a.saveFile(a.ctx, s, data)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.print(newObject(command, name, "gbx").add("output", target).add("dry_run", false).
			add("size", len(data)).add("old_size", len(old)).merge(done))
	}
	if same {
		a.note("there is nothing to change in %s", name)
		return nil
	}
	a.note("saved %s, %s (was %s)", target, sizeText(int64(len(data))), sizeText(int64(len(old))))
	return nil
}

func treeOf(data []byte) (*tree.Tree, error) {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, err
	}
	return tree.Of(f, engine.Registry())
}

// previewGBX shows what saving would change, as diff does.
func (a *app) previewGBX(command, name string, before *tree.Tree, data []byte, done *object) error {
	after, err := treeOf(data)
	if err != nil {
		return err
	}
	changes := tree.Diff(before, after)
	if a.json {
		return a.print(newObject(command, name, "gbx").add("dry_run", true).add("values", valueChangeObjects(changes)).merge(done))
	}
	a.printValueChanges(changes)
	return nil
}
