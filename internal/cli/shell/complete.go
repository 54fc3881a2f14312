package shell

import (
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/source"
)

// CompletePath completes names inside archives, after a file and a slash. The shell
// completes everything else.
func (a *App) CompletePath(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	dir := path.Dir(typed)
	if strings.HasSuffix(typed, "/") {
		dir = strings.TrimRight(typed, "/")
	}
	if info, err := os.Stat(dir); (err != nil || info.IsDir()) && !source.ThroughFile(dir) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	s, err := a.WithoutAsking().Open(cmd.Context(), dir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer s.Close()
	names, err := s.ReadDir(".")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, n := range names {
		full := dir + "/" + n.Name()
		if n.IsDir() {
			full += "/"
		}
		if strings.HasPrefix(full, typed) {
			found = append(found, full)
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
