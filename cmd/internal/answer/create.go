package answer

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"pakbox/archive"
	"pakbox/archive/pack"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/quote"
)

// CreateParams are the parameters of a new archive.
type CreateParams struct {
	Stored
	Format   string           `json:"format" request:"" doc:"format of the new archive, such as zip or vpk42"`
	Set      []string         `json:"set" request:"" doc:"settings of that format, such as level=12"`
	Document question.Content `json:"from_json" value:"FILE" doc:"make OUT from the document in FILE, - for standard input"`

	Out     string            `json:"-"` // path of the new archive, if it is known
	Params  map[string]string `json:"-"` // settings of a command
	Workers int               `json:"-"`
	Before  func() error      `json:"-"` // called before an old file is replaced; may be nil
}

// NewArchive is the report about a new archive.
type NewArchive struct {
	Entries  int      `json:"entries" doc:"number of entries"`
	Size     *int64   `json:"size" doc:"size of their contents in bytes"`
	FileSize *int64   `json:"file_size" doc:"size of the archive in bytes; null for a folder"`
	Notes    []string `json:"notes,omitempty" doc:"what was changed to fit the format"`
	Advice   string   `json:"advice,omitempty" doc:"a setting that may be needed"`

	Format  string `json:"-"`
	IsTable bool   `json:"-"` // the items are one table in several forms
}

// NewDocument is the report about a file that was made from a document, or from a file of
// its own format.
type NewDocument struct {
	FileSize int64 `json:"file_size" doc:"size of the new file in bytes"`
}

// Create is the question for a new archive.
var Create = question.New(&room, "create", "a new archive of files and folders", func(ctx context.Context, at *question.At, p CreateParams) (*question.File, error) {
	params, err := settingsOf(p.Set, p.Params)
	if err != nil {
		return nil, err
	}
	if p.Document.Name != "" || len(p.Document.Data) > 0 {
		return fromDocument(at, &p)
	}
	if len(p.From)+len(p.Files) == 0 {
		return nil, fault.Usagef("no file is given")
	}
	if p.Format == "" {
		p.Format = CommonFormat(ctx, at.Opener, p.Out, p.From)
	}
	creator, err := CreatorOf(at.Opener.Formats, p.Out, p.Format)
	if err != nil {
		return nil, err
	}
	in := collect(at, p.Out, creator, archive.CreateOptions{Params: params})
	if err := in.addStored(ctx, p.Stored, "", true); err != nil {
		in.Close()
		return nil, err
	}
	if err := in.Check(archive.RootOf(creator)); err != nil {
		in.Close()
		return nil, err
	}
	at.Format = creator.Name()
	a := &newArchive{name: "archive", opener: at.Opener, format: creator, params: params, items: in.Items, workers: p.Workers, release: in.Close, before: p.Before}
	a.report.Notes = in.Notes()
	return a.file(at)
}).AboutNoFile()

// CommonFormat chooses between formats that share the extension of a new archive as
// [pack.CommonFormat] does.
func CommonFormat(ctx context.Context, o *source.Opener, out string, inputs []string) string {
	return pack.CommonFormat(o.Formats, out, inputs, func(name string) (*archive.Location, error) {
		s, err := o.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return s.Place, nil
	})
}

// settingsOf adds settings of the form NAME=VALUE to those of a command.
func settingsOf(list []string, given map[string]string) (map[string]string, error) {
	params := map[string]string{}
	for name, value := range given {
		params[name] = value
	}
	for _, setting := range list {
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, fault.Usagef("set: %q is not NAME=VALUE", setting)
		}
		params[name] = value
	}
	return params, nil
}

// newArchive is an archive to write.
type newArchive struct {
	name    string // of the file, without extension
	opener  *source.Opener
	format  archive.Creator
	params  map[string]string
	items   []archive.Item
	workers int // 0 means one per core
	release func() error
	before  func() error
	report  NewArchive
}

// file returns the archive as an answer. The files of the items stay open until it is
// written.
func (a *newArchive) file(at *question.At) (*question.File, error) {
	if err := checkSettings(a.format.Params(), a.params); err != nil {
		a.release()
		return nil, err
	}
	size := (&pack.Result{Items: a.items}).Size()
	if at.Bounded() && size > maxConverted {
		a.release()
		return nil, fault.New(fault.Limit, "the content of %d bytes is larger than %d", size, int64(maxConverted))
	}
	a.report.Entries, a.report.Size, a.report.Format = len(a.items), question.Known(size), a.format.Name()
	for _, p := range a.format.Params() {
		if _, chosen := a.params[p.Name]; !chosen && p.Unset != "" {
			a.report.Advice = p.Unset
		}
	}
	name := a.name
	if extensions := a.format.Extensions(); len(extensions) > 0 {
		name += extensions[0]
	}
	return &question.File{Name: name, Type: octets, Say: &a.report, Write: a.write}, nil
}

// octets is the media type of archives.
const octets = "application/octet-stream"

// write writes the archive. After a failure the file at the path is unchanged, otherwise
// complete.
func (a *newArchive) write(ctx context.Context, path string, force bool) error {
	defer a.release()
	if err := pack.CheckReplaced(a.format, path, a.items); err != nil {
		return fault.WithHint(err, "to add files to a folder: pakbox extract ARCHIVE -C %s", quote.Word(path))
	}
	if a.before != nil {
		if err := a.before(); err != nil {
			return err
		}
	}
	opts, err := a.opener.CreateOptions(path, a.params)
	if err != nil {
		return err
	}
	opts.Workers = a.workers
	opts.Advise = func(sentence string) { a.report.Notes = append(a.report.Notes, sentence) }
	items := pack.CountReading(a.items, &opts)
	if err := pack.Write(ctx, a.format, path, items, pack.Options{CreateOptions: opts, Overwrite: force}, a.release); err != nil {
		return err
	}
	a.report.FileSize = fileSize(path)
	return nil
}

// fileSize returns the size of a file; nil for a folder.
func fileSize(path string) *int64 {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return nil
	}
	size := info.Size()
	return &size
}

// fromDocument makes a file from a document.
func fromDocument(at *question.At, p *CreateParams) (*question.File, error) {
	if len(p.From)+len(p.Files) > 0 {
		return nil, fault.Usagef("--from-json makes OUT from one document; there can be no other INPUT")
	}
	reader, err := documentFormat(at.Opener.Formats, p.Out, p.Format)
	if err != nil {
		return nil, err
	}
	data, err := reader.ReadDocument(csvline.Text(p.Document.Data))
	at.Format = reader.Name()
	return &question.File{Name: "new" + reader.Extensions()[0], Data: data, Say: &NewDocument{int64(len(data))}}, fault.InFile(err, p.Document.Name)
}

// documentFormat decides the format of a document.
func documentFormat(formats archive.Registry, out, name string) (archive.DocumentFormat, error) {
	for _, f := range FormatsFor(formats, out, name) {
		if r, ok := f.(archive.DocumentFormat); ok {
			return r, nil
		}
	}
	var names []string
	for _, f := range formats {
		if _, ok := f.(archive.DocumentFormat); ok {
			names = append(names, f.Name())
		}
	}
	return nil, fault.Usagef("%s: no format with that name or extension is made from documents", out).Hint("name one with --format: %s", strings.Join(names, ", "))
}

// FormatsFor returns the format with this name. If name is "", it returns the formats
// that fit the file name out.
func FormatsFor(formats archive.Registry, out, name string) []archive.Format {
	if name == "" {
		return formats.ByPath(out)
	}
	if f, ok := formats.ByName(name); ok {
		return []archive.Format{f}
	}
	return nil
}

// CreatorNames lists the formats of which pakbox writes archives.
func CreatorNames(formats archive.Registry) (names []string) {
	for _, f := range formats {
		if _, ok := f.(archive.Creator); ok {
			names = append(names, f.Name())
		}
	}
	return names
}

// CreatorOf decides the format of a new archive as [pack.CreatorFor] does, and advises
// which formats there are.
func CreatorOf(formats archive.Registry, out, name string) (archive.Creator, error) {
	all := strings.Join(CreatorNames(formats), ", ")
	if name == "" && (out == "-" || out == "") {
		if out == "-" {
			return nil, fault.Usagef("standard output has no extension, so the format is unknown").Hint("name it with --format: %s", all)
		}
		return nil, fault.Usagef("the format of the output is missing").Hint("name it with --format: %s", all)
	}
	creator, err := pack.CreatorFor(formats, out, name)
	if err == nil {
		return creator, nil
	}
	named := FormatsFor(formats, out, name)
	switch {
	case len(named) > 1:
		return nil, fault.WithHint(err, "name one with --format: %s", joinNames(named))
	case len(named) == 1:
		if _, ok := named[0].(archive.DocumentFormat); ok {
			return nil, fault.WithHint(err, "it makes one from what 'pakbox dump --json' wrote: pakbox create --from-json FILE OUT")
		}
		return nil, fault.WithHint(err, "it makes %s", all)
	case name != "":
		return nil, fault.WithHint(err, "pakbox writes %s", all)
	case strings.EqualFold(filepath.Ext(out), ".csv"):
		return nil, fault.Usagef("%s: CSV is written by the commands that list", out).Hint("Metin2's tables are called item_proto.csv and mob_proto.csv; of other files: --csv, such as pakbox info --csv FILE")
	}
	return nil, fault.WithHint(err, "name one with --format: %s", all)
}

func joinNames(formats []archive.Format) string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name())
	}
	return strings.Join(names, " or ")
}
