package nadeo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
	"pakbox/nadeo/recipe"
)

// The changes of the blocks and items of maps.

// NewBlocks is the table that a map's blocks are to match.
type NewBlocks struct {
	Table question.Content `json:"set" value:"FILE" doc:"make the blocks those of the CSV or JSON in FILE, - for standard input"`
	Items bool             `json:"items" doc:"also set the items"`
	// The command calls this --force.
	RemoveMost bool `json:"remove_most" doc:"also remove blocks if most of them have no row"`
	LayoutParams
}

// BlocksSet is the report about a map whose blocks match a table.
type BlocksSet struct {
	BlockCount int `json:"block_count" doc:"blocks on the map"`
	ItemCount  int `json:"item_count" doc:"items on the map"`
	Removed    int `json:"removed,omitempty" doc:"blocks and items that were removed"`
	Added      int `json:"added,omitempty" doc:"blocks and items that were added"`
	OtherRows  int `json:"other_rows,omitempty" doc:"rows of the table that are about other maps"`
	LayoutResult
}

// fewRemoved is the number of blocks that a table may remove without confirmation.
const fewRemoved = 10

// SetMapBlocks is the change that makes the blocks of a map those of a table.
var SetMapBlocks = changeLayout("map.blocks.set", "makes the blocks of a map those of a table", func(_ context.Context, at *question.At, m *maps.Map, p NewBlocks, r *question.Revision) (*BlocksSet, error) {
	wanted, err := table.Read(p.Table.Data)
	if err != nil {
		return nil, fault.InFile(err, p.Table.Name)
	}
	before := m.BlockCount()
	if p.Items {
		before += m.ItemCount()
	}
	done, err := wanted.Set(m, at.Path, p.Items)
	if err != nil {
		return nil, fault.InFile(err, p.Table.Name)
	}
	if !p.RemoveMost && done.Removed > fewRemoved && 2*done.Removed > before {
		return nil, fault.Usagef("%s has no row for %d of %d blocks and items, which would be removed", p.Table.Name, done.Removed, before).
			Hint("a list that --where made shorter removes the rest; --force removes them all the same (remove_most), --dry-run lists them")
	}
	if done.Removed+done.Added > 0 {
		r.Note("blocks and items: %d removed, %d added", done.Removed, done.Added)
	}
	if done.OtherRows > 0 {
		verb := "are"
		if done.OtherRows == 1 {
			verb = "is"
		}
		r.Note("%s of %s %s for other maps", question.Count(done.OtherRows, "row"), p.Table.Name, verb)
	}
	return &BlocksSet{BlockCount: done.Blocks, ItemCount: done.Items, Removed: done.Removed, Added: done.Added, OtherRows: done.OtherRows}, nil
}).Labelled("Blocks from a table")

// RecipeParams are a recipe, and the files that it names.
type RecipeParams struct {
	Recipe       question.Content   `json:"recipe" arg:"" doc:"text of the recipe"`
	Files        []question.Content `json:"files" request:"" doc:"files that the recipe names"`
	AllowUnknown bool               `json:"allow_unknown" doc:"turn and mirror blocks that are not known as if they had one cell and were the same on both sides"`
	LayoutParams

	// Folder has the files that the recipe names. If it is nil, they are in Files.
	Folder fs.FS `json:"-"`
}

// RecipeDone is the report about the steps of a recipe.
type RecipeDone struct {
	Steps []recipe.Effect `json:"steps" doc:"steps, with the numbers of blocks and items that each changed"`
	LayoutResult
}

// EditMap is the change of a map by the steps of a recipe.
var EditMap = changeLayout("map.edit", "changes a map by the steps of a recipe", func(_ context.Context, _ *question.At, m *maps.Map, p RecipeParams, r *question.Revision) (*RecipeDone, error) {
	files := p.Folder
	if files == nil {
		files = contents(p.Files)
	}
	done, err := applyRecipe(m, p.Recipe.Data, p.AllowUnknown, files, r)
	return done, fault.InFile(err, p.Recipe.Name)
}).Labelled("Recipe")

// applyRecipe changes a map by the steps of a recipe.
func applyRecipe(m *maps.Map, text []byte, allowUnknown bool, files fs.FS, r *question.Revision) (*RecipeDone, error) {
	steps, err := recipe.Parse(text)
	if err != nil {
		return nil, err
	}
	steps.AllowUnknown = allowUnknown
	effects, err := steps.Apply(m, files)
	if unknown := recipe.UnknownBlocks(""); errors.As(err, &unknown) {
		return nil, fault.WithHint(err, "--allow-unknown takes them for blocks of one cell that are the same on both sides; block=PATTERN leaves them out")
	}
	if err != nil {
		return nil, err
	}
	done := &RecipeDone{Steps: append([]recipe.Effect{}, effects...)}
	for _, e := range effects {
		if e.Blocks+e.Items == 0 && e.Embedded == "" {
			r.Note("line %d: %s found nothing to work on", e.Line, e.Verb)
		}
	}
	return done, nil
}

// contents are the files of a request as a file system.
type contents []question.Content

func (c contents) Open(name string) (fs.File, error) {
	for _, f := range c {
		if path.Clean(f.Name) == name {
			return vfs.Open(vfs.FileInfo{Base: path.Base(name), Length: int64(len(f.Data))}, io.NopCloser(bytes.NewReader(f.Data))), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// MergeParams name the maps whose blocks and items are copied.
type MergeParams struct {
	With []string `json:"with" arg:"" paths:"" doc:"paths of the other maps"`
	LayoutParams
}

// MergeDone is the report about merged maps.
type MergeDone struct {
	Blocks   int `json:"blocks" doc:"blocks that were copied"`
	Items    int `json:"items" doc:"items that were copied"`
	Embedded int `json:"embedded" doc:"files that were embedded"`
	LayoutResult
}

// MergeMaps is the change that puts the blocks and items of other maps on a map.
var MergeMaps = changeLayout("map.merge", "puts the blocks and items of other maps on a map", func(ctx context.Context, at *question.At, m *maps.Map, p MergeParams, _ *question.Revision) (*MergeDone, error) {
	all := new(MergeDone)
	for _, name := range p.With {
		_, err := OpenMap(ctx, at.For(name), func(other *maps.Map) (None, error) {
			done, err := m.Merge(other)
			all.Blocks, all.Items, all.Embedded = all.Blocks+done.Blocks, all.Items+done.Items, all.Embedded+done.Files
			return None{}, fault.InFile(err, name)
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}).Labelled("Merge maps")
