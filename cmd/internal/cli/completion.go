package cli

import (
	"pakbox/cmd/internal/cli/kit"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/fault"
)

func completionCommand(a *kit.App) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes pakbox's commands in a shell",
		Long: `Completion prints a script for bash, zsh, fish or powershell. Once the shell has
read it, the Tab key completes commands, flags, files, and names inside archives.`,
		Example: `  source <(pakbox completion bash)
  pakbox completion zsh > "${fpath[1]}/_pakbox"
  pakbox completion fish > ~/.config/fish/completions/pakbox.fish
  pakbox completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			var script strings.Builder
			var err error
			switch root := cmd.Root(); args[0] {
			case "bash":
				script.WriteString(bashFallback)
				err = root.GenBashCompletionV2(&script, true)
				script.WriteString(bashNames)
			case "zsh":
				err = root.GenZshCompletion(&script)
			case "fish":
				err = root.GenFishCompletion(&script, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&script)
			default:
				return fault.Usagef("unknown completion for %q", args[0]).Hint("shells: %s", strings.Join(shells, ", "))
			}
			if err != nil {
				return err
			}
			if a.JSON {
				return completionReport.PrintPlain(a, completed{args[0], script.String()})
			}
			_, err = a.Out.WriteString(script.String())
			return err
		},
	}
}

// bashFallback replaces the one function of the package bash-completion that the script
// calls, in case the package is not installed.
const bashFallback = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cword=$COMP_CWORD
        words=("${COMP_WORDS[@]}")
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD-1]}
    }
fi

`

// bashNames lets bash quote names with spaces and special characters, including the
// common beginning of several names. Suggestions with descriptions are pakbox's own
// words, which need no quotes.
const bashNames = `
__pakbox_body=$(declare -f __pakbox_handle_standard_completion_case)
eval "__pakbox_described${__pakbox_body#__pakbox_handle_standard_completion_case}"
unset __pakbox_body

__pakbox_handle_standard_completion_case() {
    if [[ "${completions[*]}" == *$'\t'* || "${completions[*]}" != */* ]]; then
        __pakbox_described
        return
    fi
    local plain name
    plain=${cur#[\"\']}
    plain=${plain//\\/}
    for name in "${completions[@]}"; do
        [[ $name == "$plain"* ]] && COMPREPLY+=("$name")
    done
    compopt -o filenames 2>/dev/null
}
`

var completionReport = kit.NewPlainReport[completed]("completion", "", "the completion script of a shell")

type completed struct {
	Shell  string `json:"shell" doc:"name of the shell"`
	Script string `json:"script" doc:"text of the script"`
}
