package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// pathMark keeps "-/docs/readme.txt", a path inside the archive on standard
// input, from being taken for a flag. No argument can hold it.
const pathMark = "\x00"

func markPaths(args []string) []string {
	marked := make([]string, len(args))
	for i, arg := range args {
		if strings.HasPrefix(arg, "-/") {
			arg = pathMark + arg
		}
		marked[i] = arg
	}
	return marked
}

func unmarkPaths(args []string) []string {
	for i, arg := range args {
		args[i] = strings.TrimPrefix(arg, pathMark)
	}
	return args
}

// unlimited stands for any number of arguments.
const unlimited = -1

// argCount checks how many arguments a command gets.
func argCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		what := ""
		switch n := len(args); {
		case n < least:
			what = "too few arguments"
		case most != unlimited && n > most:
			what = "too many arguments"
		default:
			return nil
		}
		return usagef("%s: %s", fullName(cmd), what).hint("usage: %s", usageLine(cmd))
	}
}
