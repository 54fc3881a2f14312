package simutrans

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/simutrans"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// simutransCommand makes the family of commands for Simutrans, which has a source
// language, and paksets that are more than their files.
func simutransCommand(a *kit.App) *cobra.Command {
	commands := []kit.Command{
		{Name: "compile", Make: compileCommand}, {Name: "decompile", Make: decompileCommand},
		{Name: "check", Make: checkCommand}, {Name: "picture", Make: pictureCommand},
	}
	for _, t := range simutrans.Tables {
		commands = append(commands, kit.Command{Name: t.Name, Make: func(a *kit.App) *cobra.Command { return tableCommand(a, t) }})
	}
	commands = append(commands, []kit.Command{
		{Name: "report", Make: reportCommand}, {Name: "convert", Make: upgradeCommand}, {Name: "new", Make: newCommand},
		{Name: "fmt", Make: fmtCommand}, {Name: "lsp", Make: lspCommand},
	}...)
	return a.Family(&cobra.Command{
		Use:     "simutrans",
		GroupID: kit.GroupGame,
		Short:   "Compile, decompile, check and picture Simutrans objects",
		Long: `For authors of Simutrans paksets: sources (.dat and PNG) become object files
(.pak) and objects become sources again; a whole pakset is checked; objects are
shown in pictures, and moved between versions of the game.

All other commands work on object files too: info shows an object's fields,
ls the objects of a file, diff compares objects, fields and pixels.`,
		Example: `  pakbox simutrans compile pak/ vehicles/ --cell 128
  pakbox simutrans decompile pak/vehicle.TB24.pak -C sources
  pakbox simutrans check pak
  pakbox simutrans picture pak/vehicle.TB24.pak --player1 red
  pakbox simutrans vehicles pak --sort -topspeed
  pakbox simutrans report pak -o site
  pakbox simutrans convert new.pak old.pak --target 60.6
  pakbox simutrans fmt vehicles/`,
	},
		commands...)
}

// targetFlag adds the flag for the makeobj version for which files are written.
func targetFlag(cmd *cobra.Command, target *string, usage string) {
	cmd.Flags().StringVar(target, "target", "", usage+" (`VERSION` "+strings.Join(object.Targets(), " or ")+")")
}

// objectLabel names an object in messages.
func objectLabel(n *node.Node) string {
	return n.Type.Name() + "." + node.Display(n.Name())
}
