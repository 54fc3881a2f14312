package kit

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
)

// PathMark marks arguments such as "-/docs/readme.txt", a path inside the archive on
// standard input, so that they are not taken for flags. No argument can contain it.
const PathMark = "\x00"

// MarkPaths marks the arguments that are paths in standard input.
func MarkPaths(args []string) []string {
	marked := make([]string, len(args))
	for i, arg := range args {
		if strings.HasPrefix(arg, "-/") {
			arg = PathMark + arg
		}
		marked[i] = arg
	}
	return marked
}

// UnmarkPaths removes the marks.
func UnmarkPaths(args []string) []string {
	for i, arg := range args {
		args[i] = strings.TrimPrefix(arg, PathMark)
	}
	return args
}

// Unlimited means any number of arguments.
const Unlimited = -1

// ArgCount checks the number of arguments of a command.
func ArgCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		what := ""
		switch n := len(args); {
		case n < least:
			what = "too few arguments"
		case most != Unlimited && n > most:
			what = "too many arguments"
		default:
			return nil
		}
		return fault.Usagef("%s: %s", FullName(cmd), what).Hint("usage: %s", UsageLine(cmd))
	}
}

// argsOf checks the number of arguments against the usage line of a command: [A] may be
// missing, A... may be repeated. The words end at the first flag.
func argsOf(use string) cobra.PositionalArgs {
	least, most := 0, 0
	for _, word := range strings.Fields(use)[1:] {
		if strings.HasPrefix(word, "-") {
			break
		}
		if !strings.HasPrefix(word, "[") {
			least++
		}
		if strings.Contains(word, "...") {
			most = Unlimited
		} else if most != Unlimited {
			most++
		}
	}
	return ArgCount(least, most)
}

// SplitFiles separates the files at the beginning from other arguments. The first
// argument is always a file.
func SplitFiles(args []string, isFile func(arg string) bool) (files, rest []string) {
	n := 1
	for n < len(args) && isFile(args[n]) {
		n++
	}
	return args[:n], args[n:]
}
