package cli

import (
	"os"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
)

func configCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:        "config",
		SuggestFor: []string{"settings", "options", "preferences"},
		Short:      "Show the settings, and where each comes from",
		Long: `Config shows the settings that hold for all commands, each with its origin: a
flag, a variable, a line of the configuration file, or pakbox's own default.

The file is pakbox/config in your configuration folder (on Linux ~/.config), or
the file that PAKBOX_CONFIG names. It is text, one setting a line. A path in it
begins at the folder of the file, or at ~/:

  # lines like this one are for people
  keys = my.keys
  passphrase-file = ~/secret/passphrase
  color = never
  vpk-version = 2`,
		Example: `  pakbox config
  PAKBOX_CONFIG=other.config pakbox config --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			file := a.ConfigFile()
			if a.JSON {
				return configReport.Print(a, file, "", configured{a.Settings()})
			}
			t := kit.Table{}
			for _, s := range a.Settings() {
				value := s.Value
				if value == "" {
					value = "-"
				}
				t.Add(s.Name, kit.Printable(value), a.Paint(kit.Neutral, kit.Printable(s.Origin)))
			}
			t.Print(a.Out)
			if file == "" {
				a.Note("no configuration file: the system names no folder for one, and PAKBOX_CONFIG is not set")
			} else if _, err := os.Stat(file); err != nil {
				a.Note("%s does not exist; 'pakbox help config' lists its settings", file)
			}
			return nil
		},
	}
}

var configReport = kit.NewReport[configured]("config", "", "the settings in effect, and where each comes from")

type configured struct {
	Settings []kit.Setting `json:"settings" doc:"the settings; path is the configuration file"`
}
