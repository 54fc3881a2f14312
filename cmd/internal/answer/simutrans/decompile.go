package simutrans

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
)

// DecompileParams are the parameters of decompiling objects.
type DecompileParams struct {
	More   []string `json:"more" arg:"" paths:"" doc:"further files of objects, or folders with them"`
	Target string   `json:"target" request:"" doc:"write sources for the makeobj of this version, such as 60.12; else for the one that gives the object again"`

	Workers int `json:"-"`
}

// DecompileReport is the report about decompiled objects.
type DecompileReport struct {
	Target  string             `json:"target" doc:"folder of the sources"`
	Written int                `json:"written" doc:"number of sources"`
	Exact   int                `json:"exact" doc:"number of sources that compile to the same object"`
	Objects []decompiledObject `json:"objects" doc:"the objects"`

	Carried  int     `json:"-"` // objects whose nodes are all in comments
	Problems []error `json:"-"`
	// Failed are files that could not be opened, while others could.
	Failed []Failure `json:"-"`
}

// Failure is a file that could not be opened.
type Failure struct {
	File string
	Err  error
}

type decompiledObject struct {
	decompile.Output
	Error *question.Error `json:"error,omitempty" doc:"reason why the object has no source"`
}

// Decompile is the question for the sources of objects.
var Decompile = question.New(&room, "simutrans.decompile", "the sources of Simutrans objects: .dat and PNG", func(ctx context.Context, at *question.At, p DecompileParams) (*question.File, error) {
	if err := CheckTarget(p.Target); err != nil {
		return nil, err
	}
	opts := decompile.RunOptions{Target: p.Target, Workers: p.Workers, Progress: at.Opener.Progress}
	report := &DecompileReport{Objects: []decompiledObject{}}
	shown := map[string]func(string) string{} // by the file on the disk
	for _, path := range append([]string{at.Path}, p.More...) {
		file, show, err := objectFile(ctx, at.For(path))
		if err != nil {
			if len(p.More) == 0 {
				return nil, err
			}
			report.Failed = append(report.Failed, Failure{path, err})
			continue
		}
		shown[file] = show
		opts.Sources = append(opts.Sources, file)
	}
	at.Format = "simutrans"
	f := &question.File{Name: "sources", Say: report}
	f.Write = func(ctx context.Context, dir string, force bool) error {
		if len(opts.Sources) == 0 {
			return report.Failed[0].Err
		}
		opts := opts
		opts.Out, opts.Overwrite = dir, force
		outputs, err := decompile.Run(ctx, opts)
		if err != nil {
			return err
		}
		report.Target = dir
		for _, o := range outputs {
			was := o.File
			for _, show := range shown {
				o.File = show(o.File)
			}
			if e := (*fault.Error)(nil); errors.As(o.Err, &e) && e.Path == was {
				e.Path = o.File // not that of the copy
			}
			report.add(at, o)
		}
		if report.Written == 0 && len(report.Problems) > 0 {
			return rejectObjects(report)
		}
		return nil
	}
	return f, nil
}).Touching(question.NewFiles)

// rejectObjects makes the error for a run that wrote nothing.
func rejectObjects(report *DecompileReport) error {
	cause := fault.Wrap(fault.Unsupported, report.Problems[0], "no source was written")
	if kind := fault.KindOfAny(report.Problems[0]); kind != "" {
		cause.Kind = kind
	}
	return &question.Rejected{Report: report, Cause: cause}
}

// add adds the result of one object.
func (r *DecompileReport) add(at *question.At, o decompile.Output) {
	one := decompiledObject{Output: o}
	switch {
	case o.Err != nil:
		err := fault.InFile(o.Err, o.File)
		if o.Object != "" {
			err = fault.InEntry(err, o.Object)
		}
		r.Problems = append(r.Problems, err)
		one.Error = question.ErrorOf(err)
		one.Error.Message = at.Opener.Unspool(one.Error.Message)
		r.Objects = append(r.Objects, one)
		return
	case !o.Exact:
		r.Problems = append(r.Problems, fault.InFile(fault.InEntry(fault.New(fault.Unsupported, "compiled again it would differ: %s", o.Loss), o.Object), o.File))
	default:
		r.Exact++
	}
	r.Written++
	if o.Carried {
		r.Carried++
	}
	r.Objects = append(r.Objects, one)
}

// objectFile returns a file on disk for a path to an object file, to a folder of such
// files, or to an object inside a file; and a function that returns the asker's path of a
// file there.
func objectFile(ctx context.Context, at *question.At) (file string, shown func(string) string, err error) {
	if folder, err := at.FilesBelow(ctx, ".pak"); err != nil || folder != nil {
		d, err := at.OnDisk(ctx, nil, ".pak")
		if err != nil {
			return "", nil, err
		}
		return d.Path, d.Shown, nil
	}
	if at.Opener.Files == nil {
		if name, err := at.Opener.Resolve(ctx, at.Path); err != nil || isFile(name) {
			return name, func(name string) string { return name }, err
		}
	} else if !source.ThroughFile(source.Slashed(at.Path)) {
		d, err := at.OnDisk(ctx, nil)
		if err != nil {
			return "", nil, err
		}
		return d.Path, d.Shown, nil
	}
	dir, err := at.Opener.TempDir()
	if err != nil {
		return "", nil, fault.System(err)
	}
	file = filepath.Join(dir, "object.pak")
	err = WithObjects(ctx, at, "", func(objects []simutrans.Object) error { return WriteObjects(file, objects, false) })
	return file, func(name string) string {
		if name == file {
			return at.Path
		}
		return name
	}, err
}

// WriteObjects writes an object file, completely or not at all. Like a compiler it does
// not wait for the disk, because a pakset has thousands of files.
func WriteObjects(name string, objects []simutrans.Object, force bool) error {
	file := node.New()
	for _, o := range objects {
		file.Root.Children = append(file.Root.Children, o.Node)
	}
	return compile.WriteFile(name, force, func(w *os.File) error {
		_, err := file.WriteTo(w)
		return err
	})
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
