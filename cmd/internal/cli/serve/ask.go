package serve

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/talk"
)

func askCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:     "ask",
		GroupID: kit.GroupProgram,
		Short:   "Answer other programs: questions and answers as lines of JSON",
		Long: `Ask reads questions from standard input and writes answers to standard output,
one JSON object a line, until the input ends. A program in another language
starts it once for any number of files; the packages for Python and Node do so.

  {"id": 1, "ask": "info", "path": "A.Map.Gbx"}
  {"id": 2, "ask": "ls", "path": "game.vpk", "with": {"pattern": "*.png"}}
  {"id": 3, "run": ["set", "A.Map.Gbx", "name=B"]}
  {"cancel": 2}

A later question may be answered first, so each answer has the id of its
question:

  {"id": 1, "answer": {...}}        what the command prints with --json
  {"id": 1, "error": {...}}         kind, message, file, entry, offset, hints
  {"id": 1, "file": {...}}          a file, such as a picture: name, type, data;
                                    data is base64
  {"id": 3, "done": {...}}          a command that was run: code, stdout, stderr;
                                    stdout is base64

Cancel stops a question or a command.

'pakbox schema' lists the questions, with parameters and answers.`,
		Example: `  echo '{"id": 1, "ask": "info", "path": "game.vpk"}' | pakbox ask`,
		RunE: func(*cobra.Command, []string) error {
			o := *a.Opener
			o.Stdin = strings.NewReader("") // standard input carries the questions
			l := &talk.Lines{Opener: &o, Run: func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
				return runCommand(ctx, a, args, stdout, stderr)
			}}
			return l.Serve(a.Ctx, a.Env.Stdin, a.Env.Stdout)
		},
	}
}

// runCommand runs a command in this process.
func runCommand(ctx context.Context, a *kit.App, args []string, stdout, stderr io.Writer) int {
	return a.Rerun(ctx, kit.Env{Args: args, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: stderr,
		Getenv: a.Env.Getenv, Formats: a.Formats, Writing: a.Env.Writing, Finishing: a.Env.Finishing})
}
