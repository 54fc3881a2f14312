package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

// promises refuses an output whose name promises something else than one of
// the kinds that it can be; the first is what it will be called instead.
func promises(out string, kinds ...string) error {
	ext := strings.ToLower(filepath.Ext(out))
	for _, known := range []string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".svg", ".tga", ".dds", ".tif", ".tiff",
		".glb", ".gltf", ".obj", ".fbx", ".stl", ".dae", ".ply", ".3ds", ".zip", ".gbx"} {
		if ext == known && !slices.Contains(kinds, ext) {
			return usagef("%s: cannot be written as %s", out, strings.ToUpper(ext[1:])).
				hint("call it %s", strings.TrimSuffix(out, filepath.Ext(out))+kinds[0])
		}
	}
	return nil
}

// making is where a command puts the one file that it makes.
type making struct {
	out   string // "" or - for standard output
	force bool
}

func (o *making) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace FILE if it exists")
}

// writeMade writes what a command made; more is added to what --json says.
func (a *app) writeMade(o making, command, name string, data []byte, more *object) error {
	if o.out == "" || o.out == "-" {
		return a.writeContent(data)
	}
	if err := stageBytes(o.out, data, o.force); err != nil {
		return err
	}
	if a.json {
		return a.print(newObject(command, name, "gbx").add("output", o.out).add("size", len(data)).
			add("sha256", fmt.Sprintf("%x", sha256.Sum256(data))).merge(more))
	}
	a.note("wrote %s, %s", o.out, sizeText(int64(len(data))))
	return nil
}

// writeContent writes the content of a file to standard output.
func (a *app) writeContent(data []byte) error {
	if a.json {
		return usagef("with --json the content needs a file of its own").hint("name it with -o FILE")
	}
	_, err := a.out.Write(data)
	return err
}

// saving is how a command saves the file that it changed.
type saving struct {
	out    string // "" for where it was
	force  bool
	dryRun bool
}

func (o *saving) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write the changed file to `FILE` and leave the old one alone")
	cmd.Flags().BoolVar(&o.force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show which values would change, and change nothing")
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
