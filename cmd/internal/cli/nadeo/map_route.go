package nadeo

import (
	"fmt"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/cli/kit"
)

func mapRouteCommand(a *kit.App) *cobra.Command {
	params := nadeo.RouteOfMap.NewParams()
	many := kit.Many{Folders: true}
	cmd := &cobra.Command{
		Use:   "route MAP...",
		Short: "Show the road of a map in the language of tracks",
		Long: `Route follows the road from the start through the checkpoints to the finish, and
prints it in the language of tracks: "start, straight 4, curve right 2, checkpoint, finish".
The step "road" of a recipe lays such a road (docs/tracks.md). The ends of roads are known for
the Stadium of all games. Where a platform, a jump or an item follows, the route ends.`,
		Example: `  pakbox map route A.Map.Gbx
  pakbox map route --json A.Map.Gbx`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return ask(a, cmd, many, args, "", nadeo.RouteOfMap, params, func(a *kit.App, name string, r *nadeo.MapRoute) error {
			fmt.Fprintf(a.Out, "%s: %s\n", kit.Printable(name), kit.Printable(r.Road))
			if r.EndsAt != nil {
				fmt.Fprintf(a.Out, "the road ends at %d %d %d (%s), before the finish\n", r.EndsAt.At[0], r.EndsAt.At[1], r.EndsAt.At[2], kit.Printable(r.EndsAt.Block))
			}
			for _, m := range r.Missing {
				fmt.Fprintf(a.Out, "missing: place block=%s at=%d,%d,%d facing=%s\n", kit.Printable(m.Block), m.At[0], m.At[1], m.At[2], m.Facing)
			}
			return nil
		})
	}
	many.Flags(cmd)
	kit.Flags(cmd, nadeo.RouteOfMap, &params)
	return cmd
}
