package files

import (
	"fmt"
	"pakbox/cmd/internal/cli/kit"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pakbox/archive"
	"pakbox/fault"
)

// addParams adds a flag for every setting of every format that pakbox can write. A
// setting that several formats share is one flag, whose help explains it for each format.
func addParams(a *kit.App, cmd *cobra.Command) {
	type meaning struct {
		usage   string
		formats []string // formats with this meaning, each with its default
	}
	type setting struct {
		archive.Param
		meanings []meaning
	}
	var settings []*setting
	byName := map[string]*setting{}
	for _, f := range a.Formats {
		for _, p := range formatParams(f) {
			s := byName[p.Name]
			if s == nil {
				s = &setting{Param: p}
				byName[p.Name] = s
				settings = append(settings, s)
			}
			with := f.Name()
			if p.Default != "" && !p.Bool {
				with += " " + p.Default
			}
			i := slices.IndexFunc(s.meanings, func(m meaning) bool { return m.usage == p.Usage })
			if i < 0 {
				i = len(s.meanings)
				s.meanings = append(s.meanings, meaning{usage: p.Usage})
			}
			s.meanings[i].formats = append(s.meanings[i].formats, with)
		}
	}
	for _, s := range settings {
		var parts []string
		for _, m := range s.meanings {
			parts = append(parts, fmt.Sprintf("%s (%s)", m.usage, strings.Join(m.formats, ", ")))
		}
		usage := strings.Join(parts, "; ")
		if s.Bool {
			cmd.Flags().Bool(s.Name, false, usage)
		} else {
			cmd.Flags().String(s.Name, "", usage)
		}
	}
}

// formatParams returns the settings of a format that can write archives, or convert its
// own files.
func formatParams(f archive.Format) []archive.Param {
	switch f := f.(type) {
	case archive.Creator:
		return f.Params()
	case archive.DocumentFormat:
		return f.RecodeParams()
	}
	return nil
}

// params collects the settings on the command line, and rejects those that the format
// does not have.
func params(a *kit.App, cmd *cobra.Command, format archive.Format) (map[string]string, error) {
	own := map[string]bool{}
	var names []string
	for _, p := range formatParams(format) {
		own[p.Name] = true
		names = append(names, "--"+p.Name)
	}
	params := map[string]string{}
	var err error
	settings := map[string]bool{}
	for _, f := range a.Formats {
		for _, p := range formatParams(f) {
			settings[p.Name] = true
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		switch s := a.Setting(f.Name); {
		case !f.Changed && own[f.Name] && s.Value != "":
			params[f.Name] = s.Value
		case !f.Changed || !settings[f.Name]:
		case own[f.Name]:
			params[f.Name] = f.Value.String()
		case err == nil && len(names) == 0:
			err = fault.Usagef("--%s is not a setting of %s, which has none", f.Name, format.Name())
		case err == nil:
			err = fault.Usagef("--%s is not a setting of %s", f.Name, format.Name()).Hint("%s has %s", format.Name(), strings.Join(names, ", "))
		}
	})
	return params, err
}
