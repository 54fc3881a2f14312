package cli

import (
	"fmt"
	"pakbox/cmd/internal/cli/kit"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/question"
)

func versionCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of pakbox",
		Long:    "Version prints the version of pakbox, the commit it was built from, and with what.",
		Example: "  pakbox version\n  pakbox version --json",
		RunE:    func(*cobra.Command, []string) error { return printVersion(a) },
	}
}

func printVersion(a *kit.App) error {
	version, revision, built := "(devel)", "", ""
	modified := false
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.time":
				built = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	if a.JSON {
		o := new(question.Object).Add("schema", "pakbox.version/1").Add("version", version)
		return a.Print(o.Add("revision", question.NonEmpty(revision)).Add("revision_time", question.NonEmpty(built)).Add("modified", modified).
			Add("go", runtime.Version()).Add("os", runtime.GOOS).Add("arch", runtime.GOARCH))
	}
	fmt.Fprintf(a.Out, "pakbox %s", version)
	if revision != "" {
		fmt.Fprintf(a.Out, " (%.12s)", revision)
	}
	fmt.Fprintf(a.Out, ", %s, %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
