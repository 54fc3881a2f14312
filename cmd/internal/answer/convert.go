package answer

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
)

type convertParams struct {
	Format string   `json:"format" request:"" doc:"format of the new file, such as zip or vpk42; gbx for a GBX file in another form"`
	Set    []string `json:"set" request:"" doc:"settings of that format, such as level=12, or body=text for a GBX file"`
}

// FileConvert is the question for a file's content in another format, or in another form
// of its own format. Formats that need more than one file are refused.
var FileConvert = question.New(&room, "convert", "a file of another format with the same content", func(ctx context.Context, at *question.At, p convertParams) (*question.File, error) {
	s, done, err := at.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	params := map[string]string{}
	for _, setting := range p.Set {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, fault.Usagef("set: %q is not NAME=VALUE", setting)
		}
		params[name] = value
	}
	format, ok := at.Opener.Formats.ByName(p.Format)
	if !ok {
		return nil, fault.Usagef("format: unknown format %q", p.Format)
	}
	if at.Bounded() {
		if size := hold(at.Opener, s).size; size > maxConverted {
			return nil, fault.New(fault.Limit, "the content of %d bytes is larger than %d", size, int64(maxConverted))
		}
	}
	return converted(ctx, at.Opener, s, format, params)
})

// maxConverted limits the content that the HTTP service converts, in bytes.
const maxConverted = 256 << 20

// converted makes the file in a temporary folder, because formats write to disk.
func converted(ctx context.Context, o *source.Opener, s *source.Source, format archive.Format, params map[string]string) (*question.File, error) {
	dir, err := os.MkdirTemp("", "pakbox-convert-")
	if err != nil {
		return nil, fault.System(err)
	}
	defer os.RemoveAll(dir)
	name := "converted"
	if endings := format.Extensions(); len(endings) > 0 {
		name += endings[0]
	}
	stage, err := archive.NewStage(filepath.Join(dir, name), false)
	if err != nil {
		return nil, err
	}
	defer stage.Abort()
	if err := fill(ctx, o, s, format, params, stage); err != nil {
		return nil, err
	}
	if err := stage.Commit(); err != nil {
		return nil, err
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		return nil, fault.System(err)
	}
	if len(made) != 1 || made[0].IsDir() {
		return nil, fault.New(fault.Unsupported, "%s needs more than one file", format.Name())
	}
	data, err := os.ReadFile(filepath.Join(dir, made[0].Name()))
	return &question.File{Name: made[0].Name(), Type: "application/octet-stream", Data: data}, err
}

// fill writes the new file.
func fill(ctx context.Context, o *source.Opener, s *source.Source, format archive.Format, params map[string]string, stage *archive.Stage) error {
	recoder, isDocument := format.(archive.DocumentFormat)
	creator, isArchive := format.(archive.Creator)
	switch {
	case isDocument && (!s.Whole || s.Format() != format.Name()):
		return fault.Usagef("only a %s file can become one", format.Name())
	case isDocument:
		opts, err := settings(o, stage, recoder.RecodeParams(), params)
		if err != nil {
			return err
		}
		return recoder.Recode(ctx, s.Archive, stage, opts)
	case !isArchive:
		return fault.New(fault.Unsupported, "pakbox cannot make %s files", format.Name())
	}
	items, _ := Contents(s, creator, params)
	opts, err := settings(o, stage, creator.Params(), params)
	if err != nil {
		return err
	}
	return creator.Create(ctx, stage, items, opts)
}

// settings builds the options for a new file. A setting that the format does not have is
// an error.
func settings(o *source.Opener, stage *archive.Stage, known []archive.Param, params map[string]string) (opts archive.CreateOptions, err error) {
	var names []string
	for _, p := range known {
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(names, name) {
			return opts, fault.Usagef("%s is not a setting of the format", name).Hint("it has: %s", strings.Join(names, ", "))
		}
	}
	return o.CreateOptions(stage.Named(), params)
}

// Contents returns the files of a source for an archive of another format, and notes
// about names that the format cannot store. It adds author and comment to params, if the
// format has fields for them and params does not set them.
func Contents(s *source.Source, format archive.Creator, params map[string]string) (items []archive.Item, notes []string) {
	items = append(archive.Items(s), annotationsOf(s, format)...)
	names := archive.CreateOptions{Params: params}.Names(format)
	for i := range items {
		if name := &items[i].Name; s.Format() == source.FolderFormat {
			*name = names.OfFile(*name)
		} else {
			*name = names.OfEntry(s.Root(), *name)
		}
	}
	keepTexts(format, params, s.Facts())
	return items, names.Notes()
}

// annotationsOf returns the file with what the content of the entries does not hold, for an
// archive of another format. The same format keeps it by itself.
func annotationsOf(s *source.Source, format archive.Creator) []archive.Item {
	annotated, ok := s.Archive.(archive.Annotated)
	if !ok || format.Name() == s.Format() {
		return nil
	}
	name, data, err := annotated.Annotations()
	if name == "" && err == nil {
		return nil
	}
	return []archive.Item{{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), err
	}}}
}

// keepTexts copies author and comment from the old archive.
func keepTexts(format archive.Creator, params map[string]string, facts fact.Record) {
	for _, p := range format.Params() {
		if _, given := params[p.Name]; given || p.Name != "author" && p.Name != "comment" {
			continue
		}
		if v, _ := facts.Get(p.Name); v.Fact != nil && v.Name == p.Name {
			if text, ok := v.Value.(string); ok && text != "" {
				params[p.Name] = text
			}
		}
	}
}
