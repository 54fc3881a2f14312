package answer

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
)

// ConvertParams are the parameters of a file of another format.
type ConvertParams struct {
	Format string   `json:"format" request:"" doc:"format of the new file, such as zip or vpk42; gbx for a GBX file in another form"`
	Set    []string `json:"set" request:"" doc:"settings of that format, such as level=12, or body=text for a GBX file"`

	Out     string            `json:"-"` // path of the new file, if it is known
	Params  map[string]string `json:"-"` // settings of a command
	Workers int               `json:"-"`
	Before  func() error      `json:"-"` // called before an old file is replaced; may be nil
}

// FileConvert is the question for a file's content in another format, or in another form
// of its own format.
var FileConvert = question.New(&room, "convert", "a file of another format with the same content", func(ctx context.Context, at *question.At, p ConvertParams) (*question.File, error) {
	params, err := settingsOf(p.Set, p.Params)
	if err != nil {
		return nil, err
	}
	formats := at.Opener.Formats
	if _, ok := formats.ByName(p.Format); !ok && p.Out == "" {
		return nil, fault.Usagef("format: unknown format %q", p.Format)
	}
	recoder, isDocument := Recoder(formats, p.Out, p.Format)
	var creator archive.Creator
	if !isDocument {
		if creator, err = CreatorOf(formats, p.Out, p.Format); err != nil {
			return nil, err
		}
	}
	s, done, err := at.Open(ctx)
	if err != nil {
		return nil, err
	}
	release := sync.OnceValue(func() error { done(); return nil })
	if at.Bounded() {
		if size := hold(at.Opener, s).size; size > maxConverted {
			release()
			return nil, fault.New(fault.Limit, "the content of %d bytes is larger than %d", size, int64(maxConverted))
		}
	}
	if isDocument {
		f, err := recoded(at, s, recoder, params, p.Before, release)
		if err != nil {
			release()
		}
		return f, err
	}
	items, notes := Contents(s, creator, params)
	_, isTable := s.Place.Archive.(archive.TableEditor)
	a := &newArchive{name: "converted", opener: at.Opener, format: creator, params: params, items: items, workers: p.Workers, release: release, before: p.Before}
	a.report.Notes, a.report.IsTable = notes, isTable
	at.Format = creator.Name()
	return a.file(at)
})

// maxConverted limits the content that the HTTP service converts, in bytes.
const maxConverted = 256 << 20

// Recoder returns the format of OUT if its files can only be made from files of the same
// format.
func Recoder(formats archive.Registry, out, name string) (archive.DocumentFormat, bool) {
	for _, f := range FormatsFor(formats, out, name) {
		if r, ok := f.(archive.DocumentFormat); ok {
			return r, true
		}
	}
	return nil, false
}

// recoded returns a file in another form of its own format.
func recoded(at *question.At, s *source.Source, r archive.DocumentFormat, params map[string]string, before, release func() error) (*question.File, error) {
	if !s.Whole || s.Format() != r.Name() {
		return nil, fault.Usagef("%s: only a %s file can become one", at.Path, r.Name())
	}
	if err := checkSettings(r.RecodeParams(), params); err != nil {
		return nil, err
	}
	report := &NewDocument{}
	f := &question.File{Name: "converted" + r.Extensions()[0], Type: octets, Say: report}
	f.Write = func(ctx context.Context, path string, force bool) error {
		defer release()
		if err := r.Fits(s.Archive, path); err != nil {
			return err
		}
		opts, err := at.Opener.CreateOptions(path, params)
		if err == nil && before != nil {
			err = before()
		}
		if err != nil {
			return err
		}
		stage, err := archive.NewStage(path, force)
		if err != nil {
			return err
		}
		defer stage.Abort()
		if err := r.Recode(ctx, s.Archive, stage, opts); err != nil {
			return err
		}
		release() // some systems cannot replace an open file
		if err := stage.Commit(); err != nil {
			return err
		}
		if size := fileSize(path); size != nil {
			report.FileSize = *size
		}
		return nil
	}
	return f, nil
}

// checkSettings rejects settings that a format does not have.
func checkSettings(known []archive.Param, params map[string]string) error {
	var names []string
	for _, p := range known {
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(names, name) {
			return fault.Usagef("%s is not a setting of the format", name).Hint("it has: %s", strings.Join(names, ", "))
		}
	}
	return nil
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
