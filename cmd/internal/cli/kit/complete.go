package kit

import (
	"os"
	"path"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/source"
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
		if strings.ContainsFunc(n.Name(), runsInShells) {
			continue
		}
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

// runsInShells reports whether a character in a name may do something else than name a
// file. Bash does not quote these in the names of files that are not on disk, so that
// pressing Tab would run a command from inside an archive.
func runsInShells(r rune) bool { return r == '`' || r == '$' || unicode.IsControl(r) }
