package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

// keysCommand makes the command for the keys file that --keys or PAKBOX_KEYS names. It
// shows names of keys and never their values.
func keysCommand(a *kit.App) *cobra.Command {
	return a.Family(&cobra.Command{
		Use:     "keys",
		GroupID: kit.GroupGame,
		Short:   "List, add and check the keys of encrypted archives",
		Long: `Keys works on the keys file that --keys FILE or PAKBOX_KEYS names. Values are
never printed, and never taken from the command line, where others could see
them. 'pakbox help keys' describes the file.`,
		Example: `  pakbox keys ls
  pakbox keys add --from-packlist Packs/packlist.dat
  pakbox keys check Packs/*.pak`,
	}, keysCommands...)
}

var keysCommands = []kit.Command{{Name: "ls", Make: keysLsCommand}, {Name: "add", Make: keysAddCommand}, {Name: "check", Make: keysCheckCommand}}

// keysPath returns the path of the keys file in use.
func keysPath(a *kit.App) (string, error) {
	if a.KeysFile != "" {
		return a.KeysFile, nil
	}
	if name := a.Env.Getenv("PAKBOX_KEYS"); name != "" {
		return name, nil
	}
	return "", fault.Usagef("no keys file found").Hint("name one with --keys FILE or PAKBOX_KEYS=FILE; 'pakbox --keys FILE keys add NAME' makes it")
}

func keysLsCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:   "ls",
		Short: "List the names in the keys file",
		Long:  "Ls lists what the keys file has keys for, and of which kind they are. It never\nshows a key.",
		Example: `  pakbox keys ls
  pakbox keys ls --keys my.keys --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := keysPath(a)
			if err != nil {
				return err
			}
			known, err := a.LoadKeys()
			if err != nil {
				return err
			}
			keys := []listedKey{}
			for name, value := range known {
				kind, err := a.Formats.KeyKind(name, value)
				if err != nil {
					kind = "invalid"
				}
				keys = append(keys, listedKey{name, kind})
			}
			slices.SortFunc(keys, func(x, y listedKey) int { return strings.Compare(x.Name, y.Name) })
			if a.JSON {
				return keysLsReport.Print(a, path, "", listedKeys{keys})
			}
			t := &kit.Table{}
			for _, k := range keys {
				t.Add(kit.Printable(k.Name), k.Kind)
			}
			t.Print(a.Out)
			return nil
		},
	}
}

func keysCheckCommand(a *kit.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Say whether the key for an archive fits",
		Long: `Check opens archives with the user's keys, and reads encrypted files in them
until one shows whether the key fits. The answer is one of:

  fits         the key opens what is encrypted
  not-needed   nothing is encrypted
  missing      the key is unknown
  wrong        there is one, and it does not fit
  unknown      nothing in the archive shows whether it fits

The exit code is 3 if a key is missing or wrong.`,
		Example: `  pakbox keys check Packs/Stadium.pak
  pakbox keys check --keys my.keys --json Packs/*.pak`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range a.Paths(cmd.Context(), "keys.check", args) {
				if err := checkKey(cmd.Context(), a, file); err != nil {
					a.Fail("keys.check", file, err)
				}
			}
			return nil
		},
	}
}

func checkKey(ctx context.Context, a *kit.App, file string) error {
	verdict, format, why := "", "", error(nil)
	s, err := a.WithoutAsking().Open(ctx, file)
	switch {
	case err == nil:
		defer s.Close()
		if s.Format() == source.FolderFormat {
			return fault.InFile(fault.New(fault.NotFormat, "is a folder"), file)
		}
		format = s.Format()
		verdict, why = tryKey(ctx, a, s, file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	case isKeyFault(err):
		verdict, why = keyMissing, err
		if errors.Is(err, fault.WrongKey) {
			verdict = keyWrong
		}
	default:
		return err
	}
	if a.JSON {
		said := checkedKey{Key: verdict}
		if why != nil {
			said.Error = a.ErrorObject(why)
		}
		keysCheckReport.Print(a, file, format, said)
	} else {
		fmt.Fprintf(a.Out, "%s: %s\n", kit.Printable(file), verdict)
	}
	if why != nil && (verdict == keyMissing || verdict == keyWrong) {
		return kit.Reported(why)
	}
	return nil
}

// The verdicts of keys check.
const (
	keyFits      = "fits"
	keyNotNeeded = "not-needed"
	keyMissing   = "missing"
	keyWrong     = "wrong"
	keyUnknown   = "unknown"
)

func isKeyFault(err error) bool {
	return errors.Is(err, fault.KeyRequired) || errors.Is(err, fault.PassphraseRequired) || errors.Is(err, fault.WrongKey)
}

// tryKey reads encrypted entries until one proves whether the key fits. An entry that
// fails for another reason proves nothing.
func tryKey(ctx context.Context, a *kit.App, s *source.Source, file string) (verdict string, why error) {
	verdict = keyNotNeeded
	for i, e := range s.Entries() {
		if !e.Encrypted {
			continue
		}
		err := readEntry(ctx, s, i)
		switch {
		case err == nil:
			return keyFits, nil
		case errors.Is(err, fault.WrongKey):
			return keyWrong, fault.InFile(fault.InEntry(err, e.Name), s.Path)
		case isKeyFault(err):
			verdict, why = keyMissing, fault.InFile(fault.InEntry(err, e.Name), s.Path)
		case verdict == keyNotNeeded:
			verdict, why = keyUnknown, err
		}
	}
	if verdict != keyMissing && locked(ctx, a, file) {
		return keyFits, nil // otherwise its table of files could not have been read
	}
	return verdict, why
}

// locked reports whether an archive cannot be opened without a key.
func locked(ctx context.Context, a *kit.App, file string) bool {
	in, closer, err := a.Input(ctx, file)
	if err != nil {
		return false
	}
	defer closer.Close()
	in.Sibling = nil // ignores files beside it, where a game may keep keys
	_, err = a.Formats.Open(ctx, in, archive.Options{})
	return isKeyFault(err)
}

func readEntry(ctx context.Context, a archive.Archive, i int) error {
	f, err := a.OpenEntry(i)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = bulk.Copy(ctx, io.Discard, f)
	return err
}

var keysLsReport = kit.NewReport[listedKeys]("keys.ls", "", "the keys in the keys file")

type listedKeys struct {
	Keys []listedKey `json:"keys" doc:"the keys by name"`
}

type listedKey struct {
	Name string `json:"name" doc:"name of the key"`
	Kind string `json:"kind" doc:"what the key opens"`
}

var keysCheckReport = kit.NewReport[checkedKey]("keys.check", "", "whether the key for an archive fits")

type checkedKey struct {
	Key   string          `json:"key" doc:"fits, not-needed, missing, wrong or unknown"`
	Error *question.Error `json:"error,omitempty" doc:"reason why the key does not fit"`
}
