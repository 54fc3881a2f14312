package files

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
)

// completeValues completes the names of values in a file, and shows each value. follows
// is appended to a name, such as =. If no name fits, the shell completes files.
func completeValues(a *kit.App, follows string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 || !source.Exists(args[0]) {
			return a.CompletePath(cmd, args, typed)
		}
		var found []string
		for _, v := range valueNames(cmd.Context(), a, args[0], typed) {
			found = append(found, v[0]+follows+"\t"+v[1])
		}
		if len(found) == 0 {
			return a.CompletePath(cmd, args, typed)
		}
		return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

const (
	maxDumped = 64 << 10 // bytes of a dump in which names are searched
	maxNames  = 100      // suggestions at most
	maxShown  = 40       // characters of a value shown beside its name
)

// valueNames lists names of single values that begin with prefix, with the values.
func valueNames(ctx context.Context, a *kit.App, file, prefix string) (names [][2]string) {
	s, v, err := answer.OpenValues(ctx, a.WithoutAsking(), file)
	if err != nil {
		return nil
	}
	defer s.Close()
	d, ok := s.Archive.(archive.Dumper)
	if !ok {
		return nil
	}
	var text head
	d.DumpText(&text, false) // the error is ignored: writing stops when the buffer is full
	seen := map[string]bool{}
	dumpedName := regexp.MustCompile(`(?m)^ +([A-Za-z]\w*) +\S`)
	for _, found := range dumpedName.FindAllStringSubmatch(text.String(), -1) {
		name := found[1]
		if seen[name] || !strings.HasPrefix(name, prefix) || len(names) == maxNames {
			continue
		}
		seen[name] = true
		values, err := v.Get(name)
		if err != nil || len(values) == 0 || strings.ContainsAny(values[0].Text, "\n\t") {
			continue
		}
		shown := []rune(kit.Printable(values[0].Text))
		names = append(names, [2]string{name, string(shown[:min(len(shown), maxShown)])})
	}
	return names
}

// head is a writer that fails once it has maxDumped bytes.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	n, _ := h.Buffer.Write(p[:min(len(p), maxDumped-h.Len())])
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}
