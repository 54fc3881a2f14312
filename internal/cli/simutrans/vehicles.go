package simutrans

import (
	"github.com/spf13/cobra"

	"pakbox/internal/answer"
	"pakbox/internal/cli/shell"
	"pakbox/simutrans"
)

func (a *app) vehiclesCommand() *cobra.Command {
	many := shell.Many{Folders: true}
	var columns shell.Columns
	cmd := &cobra.Command{
		Use:   "vehicles PATH...",
		Short: "List the vehicles of a Simutrans pakset, to compare them",
		Long: `Vehicles lists the vehicles in object files, and in folders of such: speed in
km/h, power in kW, weight in tons, money in credits, and the months between
which they can be bought. The columns are those of --json.`,
		Example: `  pakbox simutrans vehicles pak --where waytype=track --where 'power>1000' --sort intro
  pakbox simutrans vehicles pak --csv > vehicles.csv
  pakbox simutrans vehicles pak --fields name,topspeed,price --sort -topspeed`,
		Args: shell.ArgCount(1, shell.Unlimited),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := columns.Wanted(); err != nil {
				return err
			}
			t := a.Each(many, shell.SchemaName(cmd), "reading", args, func(run *shell.App, name string) error {
				return (&app{run}).addVehicles(name, &columns)
			})
			return a.PrintRows(&columns, t, simutrans.VehicleFields...)
		},
	}
	many.Flags(cmd)
	columns.Flags(cmd)
	return cmd
}

// addVehicles adds the vehicles of a file to the rows.
func (a *app) addVehicles(name string, columns *shell.Columns) error {
	s, objects, err := a.openObjects(a.Ctx, name)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, o := range objects {
		v, err := simutrans.Vehicle(o.Node)
		if err != nil {
			return err
		}
		if v != nil {
			err = a.AddRow(columns, append(answer.Envelope("simutrans.vehicles", name, "simutrans"), v...))
			if err != nil {
				return err
			}
		}
	}
	return nil
}
