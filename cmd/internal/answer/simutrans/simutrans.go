package simutrans

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"iter"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/quote"
	"pakbox/simutrans"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// WithObjects calls use with the Simutrans objects of a file, or with the single object
// to which the path leads.
func WithObjects(ctx context.Context, at *question.At, folder string, use func(objects []simutrans.Object) error) error {
	s, done, err := at.OpenAny(ctx)
	if err != nil {
		return err
	}
	defer done()
	file, ok := s.Place.Archive.(*simutrans.Archive)
	if !ok {
		return fault.InFile(fault.New(fault.NotFormat, "is a %s file, not a Simutrans object file", s.Format()), at.Path)
	}
	objects := file.Objects()
	if folder == "" && !s.Whole {
		folder = s.Place.Inner
	}
	if folder != "" {
		n, ok := file.Find(folder)
		if !ok {
			return fault.InFile(fault.New(fault.NotFormat, "is not an object"), at.Path)
		}
		objects = []simutrans.Object{{Folder: simutrans.FolderName(n), Node: n}}
	}
	return fault.InFile(use(objects), at.Path)
}

// ObjectTable lists objects of some types with the facts that people compare.
type ObjectTable struct {
	Objects []*tableRow `json:"objects" doc:"objects, with the path of their file and the facts of the table" method:"result"`

	question string // name of the question
}

// tableRow is an object in a table.
type tableRow struct {
	Path string
	fact.Record
}

// MarshalJSON writes the path and the facts.
func (r *tableRow) MarshalJSON() ([]byte, error) {
	return append(fact.Record{{Fact: question.PathFact, Value: r.Path}}, r.Record...).MarshalJSON()
}

// Parts returns the objects.
func (t *ObjectTable) Parts() (parts []any) {
	for _, r := range t.Objects {
		parts = append(parts, r)
	}
	return parts
}

// Rows returns the objects as rows of a table.
func (t *ObjectTable) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for _, o := range t.Objects {
			if !yield(append(question.Envelope(t.question, file, "simutrans"), o.Record...)) {
				return
			}
		}
	}
}

// maxObjects limits a table for the HTTP service.
const maxObjects = 20000

// tableQuestion is a question for a table of objects.
type tableQuestion = question.Typed[question.NoParams, *ObjectTable]

// TableQuestions are the questions for the tables of a pakset, by the table's name. A
// folder stands for the object files in it. Unreadable files are skipped.
var TableQuestions = func() map[string]*tableQuestion {
	all := map[string]*tableQuestion{}
	for _, t := range simutrans.Tables {
		doc := "the " + t.Name + " of a Simutrans pakset, to compare them"
		all[t.Name] = question.New(&room, "simutrans."+t.Name, doc, func(ctx context.Context, at *question.At, _ question.NoParams) (*ObjectTable, error) {
			files, err := at.FilesBelow(ctx, ".pak")
			if err != nil {
				return nil, err
			}
			out := &ObjectTable{Objects: []*tableRow{}, question: "simutrans." + t.Name}
			if files == nil {
				return out, out.add(ctx, t, at)
			}
			for _, file := range files {
				out.add(ctx, t, at.For(file))
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if at.Bounded() && len(out.Objects) > maxObjects {
					return nil, fault.InFile(fault.New(fault.Limit, "more than %d objects", maxObjects), at.Path)
				}
			}
			at.Format = "simutrans"
			return out, nil
		})
	}
	return all
}()

// add adds the objects of a file.
func (t *ObjectTable) add(ctx context.Context, table *simutrans.Table, at *question.At) error {
	return WithObjects(ctx, at, "", func(objects []simutrans.Object) error {
		for _, o := range objects {
			record, err := table.Of(o.Node)
			if err != nil {
				return err
			}
			if record != nil {
				t.Objects = append(t.Objects, &tableRow{at.Path, record})
			}
		}
		return nil
	})
}

// Pakset is the result of checking a Simutrans pakset.
type Pakset struct {
	Paths    []string          `json:"paths" doc:"files and folders that were read"`
	Objects  int               `json:"objects" doc:"number of objects"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	Notes    int               `json:"notes"`
	Findings []finding.Finding `json:"findings" doc:"mistakes, from the severity of show on" method:"result"`

	Worst finding.Severity `json:"-"`
}

type checkParams struct {
	More   []string          `json:"more" local:"" arg:"" doc:"further files and folders of the pakset"`
	Show   string            `json:"show" value:"SEVERITY" doc:"show findings from this SEVERITY on: note, warning, error"`
	Config *check.Config     `json:"-"`
	Source *compile.Compiler `json:"-"` // reads sources; nil for object files alone
}

// SimutransCheck is the question which mistakes a pakset has.
var SimutransCheck = question.New(&room, "simutrans.check", "mistakes in a Simutrans pakset or its sources", func(ctx context.Context, at *question.At, p checkParams) (*Pakset, error) {
	least := finding.Note
	if p.Show != "" {
		severity, err := check.ParseSeverity(p.Show)
		if err != nil {
			return nil, fault.Usagef("%v", err)
		}
		least = severity
	}
	out := &Pakset{Paths: append([]string{at.Path}, p.More...), Findings: []finding.Finding{}}
	set, err := loadPakset(ctx, at, out.Paths, p.Source)
	if err != nil {
		return nil, err
	}
	found := set.Run(p.Config)
	if out.Objects = len(set.Objects); out.Objects == 0 && len(found) == 0 {
		return nil, fault.InFile(fault.New(fault.NotFormat, "contains no object files (.pak) and no sources (.dat)"), at.Path)
	}
	out.Worst = finding.Worst(found)
	counts := map[finding.Severity]*int{finding.Error: &out.Errors, finding.Warning: &out.Warnings, finding.Note: &out.Notes}
	for _, f := range found {
		if n := counts[f.Severity]; n != nil {
			*n++
		}
		if f.Severity.Rank() <= least.Rank() {
			out.Findings = append(out.Findings, f)
		}
	}
	at.Format = "simutrans"
	return out, nil
})

// maxObjectBytes limits an object file for the HTTP service.
const maxObjectBytes = 32 << 20

// loadPakset reads object files and, if compiler is not nil, sources.
func loadPakset(ctx context.Context, at *question.At, paths []string, compiler *compile.Compiler) (*check.Set, error) {
	if compiler != nil {
		return check.Load(ctx, paths, compiler)
	}
	files, err := at.FilesBelow(ctx, ".pak")
	if err != nil {
		return nil, err
	}
	if files == nil {
		_, closer, err := at.Input(ctx)
		if err != nil {
			return nil, err
		}
		closer.Close()
		files = paths
	}
	return check.LoadFiles(ctx, files, func(file string) ([]byte, error) {
		in, closer, err := at.Opener.Input(ctx, file)
		if err != nil {
			return nil, err
		}
		defer closer.Close()
		if at.Bounded() && in.Size > maxObjectBytes {
			return nil, fault.New(fault.Limit, "%d bytes of objects are more than %d: use the command", in.Size, maxObjectBytes)
		}
		return io.ReadAll(io.NewSectionReader(in, 0, in.Size))
	})
}

type drawParams struct {
	Object  string   `json:"object" request:"" doc:"folder of one object in a file of several"`
	Player1 string   `json:"player1" value:"COLOUR" doc:"the player's first COLOUR"`
	Player2 string   `json:"player2" value:"COLOUR" doc:"the player's second COLOUR"`
	Night   bool     `json:"night" doc:"show the object by night"`
	Scale   int      `json:"scale" value:"N" doc:"enlarge N times"`
	Columns int      `json:"columns" value:"N" doc:"put N images in a row"`
	Sprite  bool     `json:"sprite" doc:"draw the object itself, not a sheet of its images"`
	Choose  []string `json:"choose" value:"NAME=VALUE" doc:"draw the view NAME=VALUE, such as direction=sw"`
}

// drawnObject describes a saved picture, for the message of a command.
type drawnObject struct {
	Object string         `json:"object"`
	Width  int            `json:"width"`
	Height int            `json:"height"`
	Axes   []picture.Axis `json:"axes,omitempty"`
}

// maxScale limits how much a picture is enlarged.
const maxScale = 16

// SimutransPicture is the question for a picture of an object.
var SimutransPicture = question.New(&room, "simutrans.picture", "a Simutrans object, or all its images, as PNG", func(ctx context.Context, at *question.At, p drawParams) (out *question.File, err error) {
	opts := picture.Options{Night: p.Night, Scale: max(p.Scale, 1), Columns: max(p.Columns, 1)}
	if p.Columns == 0 {
		opts.Columns = 8
	}
	if p.Scale < 0 || p.Scale > maxScale || p.Columns < 0 {
		return nil, fault.Usagef("scale is a number from 1 to %d, columns a number from 1", maxScale)
	}
	if at.Bounded() {
		opts.Scale, opts.Columns = min(opts.Scale, 8), min(opts.Columns, 64)
	}
	for _, c := range []struct {
		name, text string
		to         **color.NRGBA
	}{{"player1", p.Player1, &opts.Player1}, {"player2", p.Player2, &opts.Player2}} {
		if c.text != "" {
			colour, err := picture.ParseColor(c.text)
			if err != nil {
				return nil, fault.Usagef("%s: %v", c.name, err)
			}
			*c.to = &colour
		}
	}
	choice := map[string]string{}
	for _, text := range p.Choose {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fault.Usagef("choose: %q is not of the form NAME=VALUE", text)
		}
		choice[name] = value
	}
	if len(choice) > 0 && !p.Sprite {
		return nil, fault.Usagef("--choose goes with --sprite")
	}
	err = WithObjects(ctx, at, p.Object, func(objects []simutrans.Object) (err error) {
		if len(objects) != 1 {
			return fault.Usagef("%s holds %s", at.Path, question.Count(len(objects), "object")).
				Hint("choose one that 'pakbox ls %s' lists: pakbox simutrans picture %s", quote.Word(at.Path), quote.Word(at.Path+"/OBJECT"))
		}
		n := objects[0].Node
		say := &drawnObject{Object: n.Type.Name() + "." + node.Display(n.Name())}
		var drawn *image.NRGBA
		if p.Sprite {
			say.Axes = picture.Axes(n)
			drawn, err = picture.Sprite(n, choice, opts)
		} else {
			drawn, err = picture.Sheet(n, opts)
		}
		if err != nil {
			return err
		}
		say.Width, say.Height = drawn.Bounds().Dx(), drawn.Bounds().Dy()
		var b bytes.Buffer
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, drawn)
		out = &question.File{Name: simutrans.FolderName(n) + ".png", Type: "image/png", Data: b.Bytes(), Say: say}
		return err
	})
	return out, err
})
