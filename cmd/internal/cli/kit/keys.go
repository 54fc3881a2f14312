package kit

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/quote"
)

// LoadKeys reads the keys file, once.
func (a *App) LoadKeys() (archive.Keys, error) {
	a.secret.Lock()
	defer a.secret.Unlock()
	name, from := a.KeysFile, cmp.Or(a.keysFrom, "--keys")
	if name == "" {
		name, from = a.Env.Getenv("PAKBOX_KEYS"), "PAKBOX_KEYS"
	}
	if name == "" || a.keysRead != nil {
		return a.keysRead, nil
	}
	data, err := readUpTo(name, MaxKeysFile)
	if err != nil {
		err = fault.WithHint(err, "this is the keys file that %s names", from)
		if errors.Is(err, fs.ErrNotExist) {
			err = fault.WithHint(err, "to make it: pakbox --keys %s keys add NAME", quote.Word(name))
		}
		return nil, err
	}
	keys, err := a.Formats.ReadKeys(data)
	if err != nil {
		return nil, fault.InFile(err, name)
	}
	a.keysRead = keys
	return keys, nil
}

// MaxKeysFile is larger than any keys file, and rejects a wrong file early.
const MaxKeysFile = 16 << 20

// maxFile limits the files that are read into memory.
const maxFile = 1<<31 - 1

// ReadFile reads a file that the user names. It may be a pipe, but not larger than pakbox
// keeps in memory.
func ReadFile(name string) ([]byte, error) { return readUpTo(name, maxFile) }

// readUpTo reads a file that may be a pipe, such as <(gpg -d keys.gpg), and has at most limit
// bytes.
func readUpTo(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data []byte
	info, err := f.Stat()
	if err == nil && info.Size() <= limit {
		data, err = io.ReadAll(io.LimitReader(f, limit+1))
	}
	if err == nil && (info.Size() > limit || int64(len(data)) > limit) {
		err = fault.InFile(fault.New(fault.Limit, "has more than %d bytes", limit), name)
	}
	return data, err
}

// findPassphrase gets a passphrase: from the given file or variable, otherwise from the
// user at the terminal. A new passphrase is asked for twice.
func (a *App) findPassphrase(r source.Request) (string, error) {
	a.secret.Lock() // one prompt at a time
	defer a.secret.Unlock()
	if p, given, err := a.givenPassphrase(); given || err != nil {
		return p, err
	}
	file := source.Outermost(r.Path)
	if p, ok := a.secrets[file]; ok {
		return p, nil
	}
	if !r.MayAsk {
		return "", fault.New(fault.PassphraseRequired, "a passphrase is needed")
	}
	prompt := "Passphrase for " + Printable(file) + ": "
	if r.IsNew {
		prompt = "New passphrase for " + Printable(file) + ": "
	}
	p, err := a.Ask(prompt)
	if err != nil {
		return "", err
	}
	if p == "" {
		return "", fault.New(fault.PassphraseRequired, "the passphrase is empty")
	}
	if r.IsNew {
		again, err := a.Ask("The same again: ")
		if err != nil {
			return "", err
		}
		if again != p {
			return "", fault.New(fault.WrongKey, "the two passphrases are not the same")
		}
	}
	if a.secrets == nil {
		a.secrets = map[string]string{}
	}
	a.secrets[file] = p
	return p, nil
}

// givenPassphrase returns the passphrase that was given without a prompt.
func (a *App) givenPassphrase() (passphrase string, given bool, err error) {
	if a.PassphraseFile == "" {
		p := a.Env.Getenv("PAKBOX_PASSPHRASE")
		return p, p != "", nil
	}
	var src io.Reader = a.Env.Stdin
	if a.PassphraseFile != "-" {
		f, err := os.Open(a.PassphraseFile)
		if err != nil {
			return "", false, err
		}
		defer f.Close()
		src = f
	} else if p, ok := a.secrets["-"]; ok {
		return p, true, nil
	}
	text, err := firstLine(io.LimitReader(src, MaxPassphrase))
	if err != nil {
		return "", false, err
	}
	line, _, _ := strings.Cut(string(csvline.Text(text)), "\n") // without the byte order mark that some editors write
	p := strings.TrimRight(line, "\r")
	if p == "" {
		return "", false, fault.New(fault.PassphraseRequired, "the first line of the passphrase file is empty")
	}
	if a.PassphraseFile == "-" {
		a.secrets = map[string]string{"-": p}
	}
	return p, true, nil
}

// firstLine reads the first line of a text, and of a text in UTF-16 all: its line breaks are
// other bytes. A pipe may stay open behind its first line.
func firstLine(r io.Reader) ([]byte, error) {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(2); bytes.Equal(mark, []byte("\xff\xfe")) || bytes.Equal(mark, []byte("\xfe\xff")) {
		return io.ReadAll(b)
	}
	line, err := b.ReadBytes('\n')
	if err == io.EOF {
		err = nil
	}
	return line, err
}

// MaxPassphrase is longer than anyone types, and rejects a wrong file early.
const MaxPassphrase = 64 << 10

// Ask reads a line from the terminal without showing it.
func (a *App) Ask(prompt string) (string, error) {
	defer a.Meter.hold()()
	tty, screen, closeTTY := a.openTerminal()
	if tty == nil {
		return "", fault.New(fault.PassphraseRequired, "a passphrase is needed")
	}
	defer closeTTY()
	fd := int(tty.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	io.WriteString(screen, prompt)
	defer io.WriteString(screen, "\n")

	type answer struct {
		line []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := term.ReadPassword(fd)
		answers <- answer{line, err}
	}()
	select {
	case got := <-answers:
		if got.err == io.EOF {
			return "", context.Canceled
		}
		return string(got.line), got.err
	case <-a.Ctx.Done():
		term.Restore(fd, state) // the reader is still waiting, with echo off
		return "", a.Ctx.Err()
	}
}

// openTerminal opens the user's terminal, even if standard input is something else. It
// also returns where to write prompts: to the terminal itself if possible, because
// standard error may be a file.
func (a *App) openTerminal() (tty *os.File, screen io.Writer, closeTTY func()) {
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		return tty, tty, func() { tty.Close() }
	}
	// On Windows a console opened for reading cannot be written.
	if f, ok := a.Env.Stdin.(*os.File); ok && isTerminal(f) {
		return f, a.Err, func() {}
	}
	return nil, nil, nil
}
