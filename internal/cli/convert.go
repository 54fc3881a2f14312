package cli

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/internal/lib/hint"
)

func (a *app) convertCommand() *cobra.Command {
	var format string
	var force bool
	cmd := &cobra.Command{
		Use:        "convert IN OUT",
		GroupID:    shell.GroupChange,
		SuggestFor: []string{"repack"},
		Short:      "Turn an archive into one of another format",
		Long: `Convert writes the files of IN, an archive or a folder, into a new archive OUT.
OUT's format is the one --format names, or that of OUT's extension. A name that
ends in a slash, has no extension, or is a folder already means a folder.

Names, times, author and comment are kept as far as the new format has room for
them. With --force an existing OUT is replaced as a whole, a folder too.

A GBX file becomes another GBX file with its body compressed or uncompressed, or
a text file where it can be one.`,
		Example: `  pakbox convert game.vpk game.zip
  pakbox convert game.zip game.vpk --level 12
  pakbox convert game.vpk folder/
  pakbox convert --force --level 12 game.vpk game.vpk
  pakbox convert --body uncompressed A.Map.Gbx B.Map.Gbx`,
		Args: shell.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, out := args[0], args[1]
			if r, ok := a.recoder(out, format); ok {
				return a.recode(cmd, r, in, out, force)
			}
			creator, err := a.outFormat(out, format)
			if err != nil {
				return err
			}
			params, err := a.params(cmd, creator)
			if err != nil {
				return err
			}
			return a.convert(cmd.Context(), in, newArchive{"convert", out, creator, params, nil, force})
		},
	}
	a.addCreateFlags(cmd, &format, &force)
	return cmd
}

// recoder returns the format of OUT if that is one whose files can only come
// from files of the same format.
func (a *app) recoder(out, name string) (archive.Recoder, bool) {
	for _, f := range a.formatsFor(out, name) {
		if r, ok := f.(archive.Recoder); ok {
			return r, true
		}
	}
	return nil, false
}

// recode writes a file in another form of its own format.
func (a *app) recode(cmd *cobra.Command, r archive.Recoder, in, out string, force bool) error {
	params, err := a.params(cmd, r)
	if err != nil {
		return err
	}
	s, err := a.Open(cmd.Context(), in)
	if err != nil {
		return err
	}
	defer s.Close()
	if out == "-" {
		return hint.Usagef("%s files are written to files, not to standard output", r.Name())
	}
	if !s.Whole || s.Format() != r.Name() {
		return hint.Usagef("%s: only a %s file can become one", in, r.Name())
	}
	opts, err := a.CreateOptions(out, params)
	if err != nil {
		return err
	}
	stage, err := archive.NewStage(out, force)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := r.Recode(cmd.Context(), s.Archive, stage, opts); err != nil {
		return err
	}
	s.Close()
	if err := stage.Commit(); err != nil {
		return err
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Print(answer.New("convert", out, r.Name()).Add("file_size", info.Size()))
	}
	a.Note("created %s: %s", out, answer.SizeText(info.Size()))
	return nil
}

func (a *app) convert(ctx context.Context, in string, n newArchive) error {
	s, err := a.Open(ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	n.items = archive.Items(s)
	opts := archive.CreateOptions{Params: n.params}
	for i := range n.items {
		n.items[i].Name = opts.NameFor(n.format, s.Root(), n.items[i].Name)
	}
	keepTexts(n, s.Facts())
	return a.write(ctx, n, func() { s.Close() })
}

// keepTexts carries over what people wrote into the old archive, where the
// new one has room for it and nothing else is asked for.
func keepTexts(n newArchive, facts []archive.Fact) {
	for _, p := range n.format.Params() {
		if _, given := n.params[p.Name]; given || p.Name != "author" && p.Name != "comment" {
			continue
		}
		for _, f := range facts {
			if text, ok := f.Value.(string); ok && f.Name == p.Name && text != "" {
				n.params[p.Name] = text
			}
		}
	}
}
