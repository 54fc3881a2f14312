package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"pakbox/archive"
	"pakbox/fault"
)

// options say how to open the archive at name: with the user's keys, with a
// passphrase that is asked for only if it is needed, and with the progress of
// what is being watched.
func (a *app) options(name string) (archive.Options, error) {
	opts := archive.Options{Passphrase: func() (string, error) { return a.passphrase(name, false) }}
	if err := a.loadKeys(); err != nil {
		return opts, err
	}
	if a.keys != nil {
		opts.Keys = a.keys
	}
	if a.progress != nil {
		opts.Progress = a.progress
	}
	return opts, nil
}

// createOptions say how to write a new archive at name.
func (a *app) createOptions(name string, params map[string]string) (archive.CreateOptions, error) {
	opts, err := a.options(name)
	opts.Passphrase = func() (string, error) { return a.passphrase(name, true) }
	return archive.CreateOptions{Options: opts, Params: params}, err
}

// loadKeys reads the keys file, once.
func (a *app) loadKeys() error {
	name, from := a.keysFile, "--keys"
	if name == "" {
		name, from = a.env.Getenv("PAKBOX_KEYS"), "PAKBOX_KEYS"
	}
	if name == "" || a.keys != nil {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return withHint(err, "this is the keys file that %s names", from)
	}
	keys, err := a.env.Formats.ReadKeys(data)
	if err != nil {
		return fault.InFile(err, name)
	}
	a.keys = keys
	return nil
}

// passphrase gets the passphrase for the archive at name: from the file or the variable if
// one is given, else from the person at the terminal. A new one is asked for
// twice.
func (a *app) passphrase(name string, isNew bool) (string, error) {
	if p, given, err := a.givenPassphrase(); given || err != nil {
		return p, err
	}
	file := outermost(name)
	if p, ok := a.secrets[file]; ok {
		return p, nil
	}
	if a.noPrompt {
		return "", fault.New(fault.PassphraseRequired, "a passphrase is needed")
	}
	prompt := "Passphrase for " + printable(file) + ": "
	if isNew {
		prompt = "New passphrase for " + printable(file) + ": "
	}
	p, err := a.ask(prompt)
	if err != nil {
		return "", err
	}
	if p == "" {
		return "", fault.New(fault.PassphraseRequired, "the passphrase is empty")
	}
	if isNew {
		again, err := a.ask("The same again: ")
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

// outermost is the file that a path goes through, so that several paths into
// one archive ask for its passphrase once.
func outermost(name string) string {
	for file := slashed(name); file != "." && file != "/"; file = path.Dir(file) {
		if info, err := os.Stat(filepath.FromSlash(file)); err == nil && !info.IsDir() {
			return file
		}
	}
	return name
}

// givenPassphrase is the one that was given without a prompt.
func (a *app) givenPassphrase() (passphrase string, given bool, err error) {
	if a.passphraseFile == "" {
		p := a.env.Getenv("PAKBOX_PASSPHRASE")
		return p, p != "", nil
	}
	var src io.Reader = a.env.Stdin
	if a.passphraseFile != "-" {
		f, err := os.Open(a.passphraseFile)
		if err != nil {
			return "", false, err
		}
		defer f.Close()
		src = f
	} else if p, ok := a.secrets["-"]; ok {
		return p, true, nil
	}
	line, err := bufio.NewReader(io.LimitReader(src, maxPassphrase)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", false, err
	}
	p := strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "\ufeff") // which some editors put first
	if p == "" {
		return "", false, fault.New(fault.PassphraseRequired, "the first line of the passphrase file is empty")
	}
	if a.passphraseFile == "-" {
		a.secrets = map[string]string{"-": p}
	}
	return p, true, nil
}

// maxPassphrase is more than anyone types, and stops a wrong file early.
const maxPassphrase = 64 << 10

// ask reads a line from the terminal without showing it.
func (a *app) ask(prompt string) (string, error) {
	defer a.progress.hold()()
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
	case <-a.ctx.Done():
		term.Restore(fd, state) // the reader is still waiting, with echo off
		return "", a.ctx.Err()
	}
}

// openTerminal finds the terminal of the person who runs pakbox, also where
// standard input is something else, and where to write what that person shall
// read: to the terminal itself if it can be opened, since standard error may
// be a file.
func (a *app) openTerminal() (tty *os.File, screen io.Writer, closeTTY func()) {
	if tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		return tty, tty, func() { tty.Close() }
	}
	// On Windows a console that is read cannot be written.
	if f, ok := a.env.Stdin.(*os.File); ok && isTerminal(f) {
		return f, a.env.Stderr, func() {}
	}
	return nil, nil, nil
}
