package decompile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/lib/regular"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
)

// RunOptions say what Run is to do.
type RunOptions struct {
	Sources   []string         // .pak files, or folders with .pak files in them or below
	Out       string           // folder for sources and pictures
	Target    string           // see Options
	Workers   int              // 0 means one per core
	Overwrite bool             // replace existing files
	Progress  archive.Progress // counts the bytes of finished files; nil for none
}

// Output is the result for one object.
type Output struct {
	File   string `json:"file" doc:"file that contains the object"`
	Object string `json:"object" doc:"type and name of the object, with a dot between them"`
	Dat    string `json:"dat,omitempty" doc:"path of the source"`
	PNG    string `json:"png,omitempty" doc:"path of the picture"`
	Target string `json:"target,omitempty" doc:"version that compiles the source to the same object"`
	Exact  bool   `json:"exact" doc:"whether compiling the source gives the same object"`
	Loss   string `json:"loss,omitempty" doc:"the first difference, if it is not exact"`
	// Values in comments, and whether all nodes are: see Result.
	Pins    int   `json:"pins,omitempty" doc:"number of values in comments"`
	Carried bool  `json:"carried,omitempty" doc:"whether all nodes of the object are in comments"`
	Err     error `json:"-"` // why the object could not be decompiled
}

// Run decompiles files into a folder: TYPE.NAME.dat and TYPE_NAME.png for every object. A
// file or object that cannot be decompiled gives an Output with Err. The returned error
// is about the run itself.
func Run(ctx context.Context, opts RunOptions) ([]Output, error) {
	paths, err := node.Files(opts.Sources, ".pak")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(opts.Out, 0o777); err != nil {
		return nil, err
	}
	done := advance(opts.Progress, paths)
	var outputs []Output
	taken, numbers := map[string]bool{}, compile.Numbers{}
	work := func(_ context.Context, i int) ([]decompiled, error) { return decompileFile(paths[i], opts.Target), nil }
	sink := func(i int, list []decompiled) error {
		defer done(i)
		for _, d := range list {
			if d.Err == nil {
				if err := d.write(opts, taken, numbers); err != nil {
					return err
				}
			}
			outputs = append(outputs, d.Output)
		}
		return nil
	}
	err = parallel.Ordered(ctx, opts.Workers, len(paths), 0, func(int) int64 { return 0 }, work, sink)
	return outputs, err
}

// advance announces the size of all files, and returns a function that reports a finished
// file.
func advance(progress archive.Progress, paths []string) (done func(i int)) {
	sizes := make([]int64, len(paths))
	for i, path := range paths {
		if info, err := os.Stat(path); err == nil {
			sizes[i] = info.Size()
		}
	}
	opts := archive.Options{Progress: progress}
	total := int64(0)
	for _, size := range sizes {
		total += size
	}
	opts.Begin(total)
	return func(i int) { opts.Advance(sizes[i]) }
}

// decompiled is an object's output and the files to write for it.
type decompiled struct {
	Output
	result  *Result
	picture []byte // nil if none exists
}

func decompileFile(path, target string) []decompiled {
	data, err := regular.Read(path, node.MaxFile)
	if err != nil {
		return []decompiled{{Output: Output{File: path, Err: err}}}
	}
	file, err := node.Parse(data)
	if err != nil {
		return []decompiled{{Output: Output{File: path, Err: fault.InFile(err, path)}}}
	}
	var list []decompiled
	for _, n := range file.Root.Children {
		d := decompiled{Output: Output{File: path, Object: n.Type.Name() + "." + node.Display(n.Name())}}
		d.result, d.Err = Object(n, Options{Target: target, Head: file})
		if d.Err == nil {
			d.Target, d.Exact, d.Loss = d.result.Target, d.result.Exact, d.result.Loss
			d.Pins, d.Carried = d.result.Pins, d.result.Carried
		}
		if d.Err == nil && d.result.Image != nil {
			d.picture, d.Err = d.result.PNG()
			d.result.Image = nil // free the memory of the pixels
		}
		list = append(list, d)
	}
	return list
}

// write writes the source and the picture. If another object has these names, both files
// get a number.
func (d *decompiled) write(opts RunOptions, taken map[string]bool, numbers compile.Numbers) error {
	kind, name, _ := strings.Cut(d.Object, ".")
	base := strings.TrimSuffix(compile.FileName(kind, name), ".pak")
	sheet, source := d.result.Sheet, base
	numbers.Next(base, func(i int) bool {
		if i > 1 {
			sheet, source = fmt.Sprintf("%s_%d", d.result.Sheet, i), compile.NumberedName(base, i)
		}
		return taken[sheet] || taken[source+".dat"]
	})
	taken[sheet], taken[source+".dat"] = true, true
	text := d.result.Dat
	if sheet != d.result.Sheet {
		text = []byte(strings.ReplaceAll(string(text), d.result.Sheet+".", sheet+"."))
	}
	d.Dat = filepath.Join(opts.Out, source+".dat")
	if d.picture != nil {
		d.PNG = filepath.Join(opts.Out, sheet+".png")
		if err := compile.WriteBytes(d.PNG, opts.Overwrite, d.picture); err != nil {
			return err
		}
	}
	return compile.WriteBytes(d.Dat, opts.Overwrite, text)
}
