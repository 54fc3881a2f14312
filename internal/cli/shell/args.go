package shell

import (
	"strings"

	"github.com/spf13/cobra"

	"pakbox/internal/lib/hint"
)

// PathMark keeps "-/docs/readme.txt", a path inside the archive on standard
// input, from being taken for a flag. No argument can hold it.
const PathMark = "\x00"

// MarkPaths marks the arguments that lead into standard input.
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

// UnmarkPaths takes the marks off again.
func UnmarkPaths(args []string) []string {
	for i, arg := range args {
		args[i] = strings.TrimPrefix(arg, PathMark)
	}
	return args
}

// Unlimited stands for any number of arguments.
const Unlimited = -1

// ArgCount checks how many arguments a command gets.
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
		return hint.Usagef("%s: %s", FullName(cmd), what).Hint("usage: %s", UsageLine(cmd))
	}
}

// argsOf checks that a command gets the arguments that the words of its usage line
// stand for: [A] may be missing, A... may come several times. Flags end the words.
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

// SplitFiles takes the files that stand in front of other arguments. The first
// argument always is one.
func SplitFiles(args []string, isFile func(arg string) bool) (files, rest []string) {
	n := 1
	for n < len(args) && isFile(args[n]) {
		n++
	}
	return args[:n], args[n:]
}
