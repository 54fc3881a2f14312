package nadeo

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
	"pakbox/internal/lib/regular"
)

func mapEditCommand(a *kit.App) *cobra.Command {
	save := kit.Output{InPlace: true}
	var many kit.Many
	params := nadeo.EditMap.NewParams()
	cmd := &cobra.Command{
		Use:        "edit RECIPE MAP...",
		SuggestFor: []string{"place", "delete", "crop", "paste", "build"},
		Short:      "Build on maps by a list of steps",
		Long: `Edit does the steps of a recipe on maps, all in one save; --dry-run lists the
blocks, items and embedded files that would come, go and change. A recipe is
text, one step a line: a verb, then what it needs as name=value, in quotes if
there is a space in it. A line that begins with # is a remark. The steps are

  place    block=NAME at=X,Y,Z [facing=east]
           block=NAME free=X,Y,Z [turned=YAW,PITCH,ROLL]
           item=NAME at=X,Y,Z [turned=YAW,PITCH,ROLL] [scale=N] [pivot=X,Y,Z]
           all: [color=N] [skin=PATH] [waypoint=KIND] [order=N] [author=LOGIN]
           [flags=HEX]; blocks: [ground=yes] [ghost=yes]
  delete   WHICH
  replace  block=PATTERN or item=PATTERN, with=NAME [in=BOX] [author=LOGIN]
  move     [WHICH] by=X,Y,Z
  turn     [WHICH] by=QUARTERS      a BOX as a whole, else each where it stands
  mirror   [WHICH] in=BOX along=x|z
  crop     in=BOX                   what stands elsewhere goes
  paste    macroblock=FILE at=X,Y,Z [facing=east]
  embed    file=FILE [as=Items/NAME.Item.Gbx]
  skin     WHICH to=PATH            to= alone takes it off
  waypoint WHICH [to=KIND] [order=N]
  color    [WHICH] to=N

WHICH is any of block=PATTERN, item=PATTERN and in=BOX; a * in a PATTERN stands
for anything. A BOX is X,Y,Z:X,Y,Z in blocks, or all. Places of items and free
blocks are in metres, angles in radians, as 'pakbox map blocks' lists them. Files
lie in the folder of the recipe.

Turn and mirror know how many cells the games' blocks take and which block is the
mirror image of another ('pakbox block' shows it). They refuse others, and list
them, unless --allow-unknown is given. A block that is placed gets the waypoint of
its role and the mark of the ground, as in the game; none may leave the map. A map
with other blocks is another map: its validation is taken off, and it gets a new
UID, unless --keep-uid is given.

` + noGame,
		Example: `  pakbox map edit track.recipe A.Map.Gbx --dry-run
  pakbox map edit track.recipe A.Map.Gbx -o B.Map.Gbx
  pakbox map edit -r dirt.recipe maps -C changed`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.EqualFold(filepath.Ext(args[0]), ".gbx") {
				return fault.Usagef("%s: a recipe is text, and this is a GBX file", args[0]).Hint("the recipe comes first: pakbox map edit RECIPE %s", quote.Word(args[0]))
			}
			root, err := os.OpenRoot(filepath.Dir(args[0]))
			if err != nil {
				return err
			}
			defer root.Close()
			params.Recipe, params.Folder = question.Content{Name: args[0]}, regular.FS(root, maxEmbedded)
			return kit.Change(a, cmd, many, args[1:], save, nadeo.EditMap, params)
		},
	}
	many.Flags(cmd)
	save.Flags(cmd)
	kit.Flags(cmd, nadeo.EditMap, &params)
	cmd.Flags().Lookup("dry-run").Usage = listChanges
	return cmd
}

// maxEmbedded limits the size of a file that a recipe names.
const maxEmbedded = 256 << 20

// listChanges is the help of --dry-run for changes of blocks and items.
const listChanges = "list what would come, go and change, and change nothing"
