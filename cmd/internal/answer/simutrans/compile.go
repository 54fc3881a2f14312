package simutrans

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/object"
)

// CompileParams are the parameters of compiling sources.
type CompileParams struct {
	More    []string           `json:"more" arg:"" paths:"" doc:"further sources: .dat files, or folders with them"`
	Target  string             `json:"target" request:"" doc:"version of the makeobj whose ways and versions are followed, such as 60.12"`
	Cell    int                `json:"cell" value:"PIXELS" doc:"the size of a cell in PIXELS: 64, 128, ..."`
	Strict  bool               `json:"strict" doc:"treat every warning as an error"`
	Rebuild bool               `json:"rebuild" local:"" doc:"compile unchanged sources too"`
	Prune   bool               `json:"prune" local:"" doc:"remove the files of objects that are in no source any more"`
	Each    bool               `json:"each" request:"" doc:"make a file for each object; the answer is a zip"`
	Files   []question.Content `json:"files" request:"" doc:"pictures of the sources, and further sources; as is the path of one from the first source"`

	Notes   string `json:"-"` // folder for notes of earlier runs
	Workers int    `json:"-"`
}

// CompileReport is the report about compiled sources.
type CompileReport struct {
	OK        bool              `json:"ok" doc:"whether all objects were compiled"`
	Compiled  int               `json:"compiled" doc:"number of objects that were written"`
	Unchanged int               `json:"unchanged" doc:"number of objects whose files have this content already"`
	Errors    int               `json:"errors" doc:"number of errors"`
	Stale     []string          `json:"stale" doc:"files of objects that are in no source any more"`
	Objects   []compile.Output  `json:"objects" doc:"the objects in the order of sources"`
	Problems  []finding.Finding `json:"problems" doc:"problems of the sources"`
}

// CheckTarget rejects an unknown version of makeobj.
func CheckTarget(target string) error {
	if target == "" {
		return nil
	}
	if _, err := object.LookupTarget(target); err != nil {
		return fault.Usagef("unknown target %q", target).Hint("targets: %s", strings.Join(object.Targets(), ", "))
	}
	return nil
}

// OnlySources refuses files that are not sources, which the * of a shell matches too: fmt
// would rewrite a picture as if it were text.
func OnlySources(at *question.At, paths []string) error {
	for _, path := range paths {
		if info, err := at.Opener.StatOutermost(path); err != nil {
			return fault.System(err)
		} else if !info.IsDir() && !strings.EqualFold(filepath.Ext(path), ".dat") {
			return fault.Usagef("%s: sources are called .dat", path).
				Hint("to take all sources in a folder: %s", quote.Word(filepath.ToSlash(filepath.Dir(path))))
		}
	}
	return nil
}

// Compile is the question for the objects of sources.
var Compile = question.New(&room, "simutrans.compile", "Simutrans objects, compiled of .dat and PNG", func(ctx context.Context, at *question.At, p CompileParams) (*question.File, error) {
	if err := CheckTarget(p.Target); err != nil {
		return nil, err
	}
	if _, err := compile.NewCompiler(p.Target, p.Cell); err != nil {
		return nil, fault.Usagef("--cell: %v", err)
	}
	paths := append([]string{at.Path}, p.More...)
	if err := OnlySources(at, paths); err != nil {
		return nil, err
	}
	opts := compile.Options{Cell: p.Cell, Target: p.Target, Workers: p.Workers, Force: p.Rebuild, Notes: p.Notes, Prune: p.Prune, Strict: p.Strict}
	var disks disks
	for i, path := range paths {
		files := p.Files
		if i > 0 {
			files = nil
		}
		d, err := at.For(path).OnDisk(ctx, files, ".dat", ".png")
		if err != nil {
			return nil, err
		}
		disks = append(disks, d)
		opts.Sources = append(opts.Sources, d.Path)
	}
	at.Format = "simutrans"
	f := &question.File{Name: "objects.pak"}
	f.Write = func(ctx context.Context, path string, _ bool) (err error) {
		opts := opts
		if opts.Out = path; p.Each {
			opts.Out += "/"
		}
		result, err := compile.Run(ctx, opts)
		if errors.Is(err, compile.ErrNoSource) {
			return fault.Usagef("%v: %s", err, strings.Join(paths, ", "))
		}
		if err != nil {
			return disks.failure(err)
		}
		report := disks.report(result)
		f.Say = report
		if !report.OK {
			return question.Reject(report, report.Problems)
		}
		return nil
	}
	return f, nil
}).Touching(question.NewFiles)

// disks are the places of several sources.
type disks []*question.Disk

func (d disks) shown(name string) string {
	for _, disk := range d {
		name = disk.Shown(name)
	}
	return name
}

func (d disks) failure(err error) error {
	for _, disk := range d {
		err = disk.Failure(err)
	}
	return err
}

// report describes compiled sources by the paths of the asker.
func (d disks) report(result *compile.Result) *CompileReport {
	r := &CompileReport{OK: !result.Failed(), Stale: append([]string{}, result.Stale...), Objects: append([]compile.Output{}, result.Outputs...), Problems: append([]finding.Finding{}, result.Problems...)}
	for i := range r.Objects {
		o := &r.Objects[i]
		o.Source = d.shown(o.Source)
		if r.Compiled++; o.Unchanged {
			r.Compiled, r.Unchanged = r.Compiled-1, r.Unchanged+1
		}
	}
	for _, disk := range d {
		r.Problems = disk.Findings(r.Problems)
	}
	for _, p := range r.Problems {
		if p.Severity == finding.Error {
			r.Errors++
		}
	}
	return r
}

// NotesFolder returns the user's folder for notes of earlier runs; "" without such a folder.
func NotesFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "pakbox", "compile")
}
