package serve

import (
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/talk/mcp"
)

func mcpCommand(a *kit.App) *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:     "mcp FOLDER...",
		GroupID: kit.GroupProgram,
		Short:   "Answer an assistant, by the Model Context Protocol",
		Long: `Mcp is a server of the Model Context Protocol on standard input and output. The questions of 'pakbox schema' are its tools: what a file is, what a map
lacks, whether a replay is right. An assistant sees only the files below the
FOLDERs. It changes nothing without --write. With --write, tools change values,
names, medals and metadata: a first call shows the change, a second one makes it
and keeps the old file. Long answers are cut; they say how to ask for the rest.
Files, also those in archives, are resources: pakbox:///FOLDER/A.Map.Gbx/thumbnail.jpg.

Most assistants take a command and its arguments in their settings:

  {"mcpServers": {"pakbox": {"command": "pakbox", "args": ["mcp", "Documents/Trackmania"]}}}`,
		Example: `  pakbox mcp Documents/Trackmania`,
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := page.NewFiles(args)
			if err != nil {
				return err
			}
			defer files.Close()
			var names []string
			for _, arg := range args {
				full, err := filepath.Abs(arg)
				if err != nil {
					return err
				}
				name, _ := files.Named(full)
				names = append(names, name)
			}
			version := "devel"
			if info, ok := debug.ReadBuildInfo(); ok {
				version = info.Main.Version
			}
			return mcp.New(version, files, names, a.Formats, a.LoadKeys, write).Serve(a.Ctx, a.Env.Stdin, a.Env.Stdout)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "let the assistant change files, each change shown first")
	return cmd
}
