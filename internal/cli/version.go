package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of pakbox",
		Long:    "Version prints the version of pakbox, the commit it was built from, and with what.",
		Example: "  pakbox version\n  pakbox version --json",
		Args:    argCount(0, 0),
		RunE:    func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
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
	if a.json {
		o := new(object).add("schema", "pakbox.version/1").add("version", version)
		return a.print(o.add("revision", nonEmpty(revision)).add("revision_time", nonEmpty(built)).add("modified", modified).
			add("go", runtime.Version()).add("os", runtime.GOOS).add("arch", runtime.GOARCH))
	}
	fmt.Fprintf(a.out, "pakbox %s", version)
	if revision != "" {
		fmt.Fprintf(a.out, " (%.12s)", revision)
	}
	fmt.Fprintf(a.out, ", %s, %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
