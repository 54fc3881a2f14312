package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/regular"
	"pakbox/nadeo/pak"
)

func keysAddCommand(a *kit.App) *cobra.Command {
	var from struct{ value, packlist, program, product string }
	var force bool
	cmd := &cobra.Command{
		Use:   "add [NAME...]",
		Short: "Add keys to the keys file",
		Long: `Add puts keys into the keys file, which it makes if need be, readable by you
alone. They come from one of:

  the prompt, or --value-file FILE   the key called NAME: 32 hex digits, final: or
                                     title: and 32 hex digits, or four numbers
  --from-packlist FILE               a game's packlist.dat: all of its packs, or
                                     those called NAME
  --from-executable FILE             the LZ4 dictionary that packs of version 18
                                     need, found in your own game or server
                                     program; it is written beside the keys file

A key that is there already is replaced only with --force.`,
		Example: `  pakbox keys add Stadium
  pakbox keys add Stadium --value-file key.txt
  pakbox keys add --from-packlist Packs/packlist.dat
  pakbox keys add --from-executable ManiaPlanet.exe`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			sources := 0
			for _, s := range []string{from.value, from.packlist, from.program} {
				if s != "" {
					sources++
				}
			}
			path, err := keysPath(a)
			switch {
			case err != nil:
				return err
			case sources > 1:
				return fault.Usagef("keys add: --value-file, --from-packlist and --from-executable exclude each other")
			case from.program != "" && len(args) > 0:
				return fault.Usagef("keys add: --from-executable takes no NAME")
			case from.packlist == "" && from.program == "" && len(args) != 1:
				return fault.Usagef("keys add: one NAME is needed").Hint("usage: %s", kit.UsageLine(cmd))
			}
			k, err := openKeyring(path, force)
			if err != nil {
				return err
			}
			switch {
			case from.packlist != "":
				err = k.addPacklist(from.packlist, from.product, args)
			case from.program != "":
				err = k.addDictionary(from.program)
			default:
				err = addValue(a, k, args[0], from.value)
			}
			if err != nil {
				return err
			}
			return saveKeyring(a, k)
		},
	}
	cmd.Flags().StringVar(&from.value, "value-file", "", "read the key from the first line of `FILE` (- is standard input)")
	cmd.Flags().StringVar(&from.packlist, "from-packlist", "", "take keys from a packlist.dat")
	cmd.Flags().StringVar(&from.product, "product", "", "the game of the packlist, if pakbox cannot find out: `NAME`, such as virtualskipper5")
	cmd.Flags().StringVar(&from.program, "from-executable", "", "find the LZ4 dictionary in a game or server `PROGRAM`")
	cmd.Flags().BoolVar(&force, "force", false, "replace keys that are there already")
	return cmd
}

// keyring is a keys file while keys are added. Other lines stay unchanged, with their
// comments.
type keyring struct {
	path    string
	version source.Version
	force   bool
	lines   []string

	added, replaced, unchanged []string
}

func openKeyring(path string, force bool) (*keyring, error) {
	k := &keyring{path: path, force: force, added: []string{}, replaced: []string{}, unchanged: []string{}}
	data, version, err := source.ReadVersion(path, kit.MaxKeysFile)
	if k.version = version; errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := keysFile.ReadKeys(data); err != nil {
		return nil, fault.InFile(err, path)
	}
	if text := strings.TrimRight(string(data), "\r\n"); text != "" {
		k.lines = strings.Split(text, "\n")
	}
	return k, nil
}

// keysFile is a registry without formats, so that only keys files are read.
var keysFile archive.Registry

// keyLine makes the line that sets a key in a keys file.
func keyLine(name, value string) string {
	if strings.ContainsAny(name, " \t#") {
		name = `"` + name + `"`
	}
	return name + " " + value
}

// set adds or replaces a key.
func (k *keyring) set(name, value string) error {
	line := keyLine(name, value)
	read, err := keysFile.ReadKeys([]byte(line))
	if got, _ := read.Key(name); err != nil || got != value {
		return fault.New(fault.Key, "%s: a keys file cannot hold this name or value: it has quotes, or a #", name)
	}
	for i, old := range k.lines {
		keys, _ := keysFile.ReadKeys([]byte(old))
		had, ok := keys.Key(name)
		switch {
		case !ok:
			continue
		case had == value:
			k.unchanged = append(k.unchanged, name)
			return nil
		case !k.force:
			return &fs.PathError{Op: "add", Path: "the key of " + name, Err: fs.ErrExist}
		}
		k.lines[i] = line
		k.replaced = append(k.replaced, name)
		return nil
	}
	k.lines = append(k.lines, line)
	k.added = append(k.added, name)
	return nil
}

func (k *keyring) addPacklist(file, product string, names []string) error {
	data, err := regular.Read(file, kit.MaxKeysFile)
	if err != nil {
		return err
	}
	p := pak.TrackMania
	if strings.EqualFold(product, "virtualskipper5") {
		p = pak.VirtualSkipper5
	} else {
		p.Name = strings.ToLower(product)
	}
	list, err := pak.ReadPacklist(data, p)
	if err != nil {
		return fault.InFile(err, file)
	}
	for _, name := range names {
		base, ok := list.BaseKey(name)
		if !ok {
			return &fs.PathError{Op: "find", Path: name + " in " + file, Err: fs.ErrNotExist}
		}
		if err := k.set(name, base); err != nil {
			return err
		}
	}
	if len(names) > 0 {
		return nil
	}
	for _, pack := range list.Packs {
		if err := k.set(pack.Name, pack.BaseKey); err != nil {
			return err
		}
	}
	return nil
}

// maxProgram limits how many bytes of a program are searched for the dictionary.
const maxProgram = 1 << 30

// addDictionary searches a program for the dictionary.
func (k *keyring) addDictionary(program string) error {
	data, err := regular.Read(program, maxProgram)
	if errors.Is(err, regular.ErrTooLarge) {
		return fault.InFile(fault.New(fault.Limit, "a program of more than %s", fact.SizeText(maxProgram)), program)
	}
	if err != nil {
		return err
	}
	dictionary, err := pak.FindDictionary(data)
	if err != nil {
		return fault.InFile(err, program)
	}
	return k.keepDictionary(dictionary)
}

// keepDictionary writes the dictionary beside the keys file, which refers to it.
func (k *keyring) keepDictionary(dictionary []byte) error {
	out, err := filepath.Abs(filepath.Join(filepath.Dir(k.path), pak.DictionaryKey+".bin"))
	if err != nil {
		return err
	}
	if old, err := regular.Read(out, int64(len(dictionary))); err != nil || !bytes.Equal(old, dictionary) {
		if err := writePrivate(out, dictionary, k.force); err != nil {
			return err
		}
	}
	return k.set(pak.DictionaryKey, out)
}

// addValue takes a key from a file, or asks the user at the terminal.
func addValue(a *kit.App, k *keyring, name, file string) error {
	var value string
	var err error
	if file != "" {
		value, err = firstLine(a, file)
	} else if value, err = a.Ask("Key for " + kit.Printable(name) + ": "); errors.Is(err, fault.PassphraseRequired) {
		return fault.Usagef("the key of %s is needed", name).Hint("give it with --value-file FILE, or run pakbox on a terminal to be asked")
	}
	if err != nil {
		return err
	}
	value = strings.TrimSpace(value)
	if _, err := a.Formats.KeyKind(name, value); err != nil {
		return err
	}
	return k.set(name, value)
}

func firstLine(a *kit.App, file string) (string, error) {
	var src io.Reader = a.Env.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		src = f
	}
	line, err := bufio.NewReader(io.LimitReader(src, kit.MaxPassphrase)).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return line, err
}

// saveKeyring writes the keys file and prints what is new in it.
func saveKeyring(a *kit.App, k *keyring) error {
	if len(k.added)+len(k.replaced) > 0 {
		text := strings.Join(k.lines, "\n") + "\n"
		if err := k.version.Replace(private([]byte(text))); err != nil {
			return err
		}
	}
	if a.JSON {
		return keysAddReport.Print(a, k.path, "", keysAdded{k.added, k.replaced, k.unchanged})
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"added", k.added}, {"replaced", k.replaced}, {"unchanged", k.unchanged}} {
		for _, name := range list.names {
			fmt.Fprintf(a.Out, "%-9s  %s\n", list.what, kit.Printable(name))
		}
	}
	return nil
}

// writePrivate writes a file that only its owner can read, completely or not at all.
func writePrivate(name string, data []byte, force bool) error {
	return source.StageFile(name, force, private(data))
}

// private returns a function that writes a file that only its owner can read.
func private(data []byte) func(f *os.File) error {
	return func(f *os.File) error {
		if err := f.Chmod(0o600); err != nil {
			return err
		}
		_, err := f.Write(data)
		return err
	}
}

var keysAddReport = kit.NewReport[keysAdded]("keys.add", "", "the keys that were added to the keys file")

type keysAdded struct {
	Added     []string `json:"added" doc:"names of new keys"`
	Replaced  []string `json:"replaced" doc:"names of keys with another value than before"`
	Unchanged []string `json:"unchanged" doc:"names of keys that were there already"`
}
