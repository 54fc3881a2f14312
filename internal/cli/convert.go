package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pakbox/archive"
)

func (a *app) convertCommand() *cobra.Command {
	var format string
	var force bool
	cmd := &cobra.Command{
		Use:     "convert IN OUT",
		GroupID: groupChange,
		Short:   "Turn an archive into one of another format",
		Long: `Convert writes the files of IN, an archive or a folder, into a new archive OUT.
OUT's format is the one --format names, or that of OUT's extension. A name that
ends in a slash, has no extension, or is a folder already means a folder.

Names, times, author and comment are kept as far as the new format has room for
them. With --force an existing OUT is replaced as a whole, a folder too.`,
		Example: `  pakbox convert game.vpk game.zip
  pakbox convert game.zip game.vpk --level 12
  pakbox convert game.vpk folder/
  pakbox convert --force --level 12 game.vpk game.vpk`,
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, out := args[0], args[1]
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

func (a *app) convert(ctx context.Context, in string, n newArchive) error {
	s, err := a.open(ctx, in)
	if err != nil {
		return err
	}
	defer s.Close()
	n.items = archive.Items(s)
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
