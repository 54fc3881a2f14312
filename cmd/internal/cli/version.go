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
		return versionReport.PrintPlain(a, versionFields{
			version, question.NonEmpty(revision), question.NonEmpty(built), modified, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		})
	}
	fmt.Fprintf(a.Out, "pakbox %s", version)
	if revision != "" {
		fmt.Fprintf(a.Out, " (%.12s)", revision)
	}
	fmt.Fprintf(a.Out, ", %s, %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

var versionReport = kit.NewPlainReport[versionFields]("version", "", "the version of pakbox, and how it was built")

type versionFields struct {
	Version  string  `json:"version" doc:"version of pakbox"`
	Revision *string `json:"revision" doc:"commit it was built from"`
	Time     *string `json:"revision_time" doc:"time of the commit"`
	Modified bool    `json:"modified" doc:"whether the source had changes beside the commit"`
	Go       string  `json:"go" doc:"version of Go"`
	OS       string  `json:"os" doc:"operating system it was built for"`
	Arch     string  `json:"arch" doc:"processor it was built for"`
}
