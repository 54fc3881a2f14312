package kit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// configured is a run with variables, and with a configuration file of this content.
func configured(t *testing.T, content string, variables map[string]string) (a *App, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "my.config")
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	a, _, _ = testRun(t)
	a.colour = colourAuto
	a.Env.Getenv = func(name string) string {
		if name == "PAKBOX_CONFIG" {
			return file
		}
		return variables[name]
	}
	return a, file
}

// A flag overrides a variable, a variable the file, and the file the default;
// each setting has its origin.
func TestSettings(t *testing.T) {
	const content = "\ufeff# mine\n\n  keys = my.keys \npassphrase-file=~/pass word.txt\n# color = always\ncolor = never\nvpk-version = 1\n"
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // Windows
	for _, c := range []struct {
		name, content string
		variables     map[string]string
		flags         func(a *App)
		colorGiven    bool
		want          map[string][2]string // the value and its origin; FILE is the file, DIR its folder
	}{
		{name: "nothing", want: map[string][2]string{SettingKeys: {"", "default"}, SettingPassphrase: {"", "default"}, SettingColor: {"auto", "default"}, SettingVPKVersion: {"", "default"}}},
		{name: "file", content: content, variables: map[string]string{"NO_COLOR": "1"}, want: map[string][2]string{
			SettingKeys: {"DIR/my.keys", "FILE:3"}, SettingPassphrase: {filepath.Join(home, "pass word.txt"), "FILE:4"}, SettingColor: {"never", "FILE:6"}, SettingVPKVersion: {"1", "FILE:7"}}},
		{name: "variable", content: content, variables: map[string]string{"PAKBOX_KEYS": "v.keys"}, want: map[string][2]string{SettingKeys: {"v.keys", "PAKBOX_KEYS"}}},
		{name: "flag", content: content, variables: map[string]string{"PAKBOX_KEYS": "v.keys"}, colorGiven: true, flags: func(a *App) {
			a.KeysFile, a.PassphraseFile, a.colour = "f.keys", "f.txt", colourAlways
		}, want: map[string][2]string{SettingKeys: {"f.keys", "--keys"}, SettingPassphrase: {"f.txt", "--passphrase-file"}, SettingColor: {"always", "--color"}}},
		{name: "NO_COLOR", variables: map[string]string{"NO_COLOR": "1"}, want: map[string][2]string{SettingColor: {"never", "NO_COLOR"}}},
		{name: "NO_COLOR and auto", content: "color=auto", variables: map[string]string{"NO_COLOR": "1"}, want: map[string][2]string{SettingColor: {"never", "NO_COLOR"}}},
		{name: "last line", content: "color=never\ncolor=always", want: map[string][2]string{SettingColor: {"always", "FILE:2"}}},
		{name: "absolute", content: "keys=" + filepath.Join(home, "k"), want: map[string][2]string{SettingKeys: {filepath.Join(home, "k"), "FILE:1"}}},
	} {
		a, file := configured(t, c.content, c.variables)
		if c.flags != nil {
			c.flags(a)
		}
		if err := a.ReadConfig(c.colorGiven); err != nil || a.ConfigFile() != file || !a.config.exists || len(a.Settings()) != 4 {
			t.Errorf("%s: err = %v, a.ConfigFile() = %s, a.Settings() = %v; want no error, a.ConfigFile() = %s, a.config.exists = true, a.Settings() of length 4", c.name, err, a.ConfigFile(), a.Settings(), file)
		}
		for name, want := range c.want {
			value, origin := want[0], want[1]
			if rest, ok := strings.CutPrefix(value, "DIR/"); ok {
				value = filepath.Join(filepath.Dir(file), rest)
			}
			if rest, ok := strings.CutPrefix(origin, "FILE"); ok {
				origin = file + rest
			}
			if got := a.Setting(name); got != (Setting{name, value, origin}) {
				t.Errorf("%s: %+v, want %s from %s", c.name, got, value, origin)
			}
		}
		if a.colour.String() != a.Setting(SettingColor).Value || a.PassphraseFile != a.Setting(SettingPassphrase).Value {
			t.Errorf("%s: the run uses colours %s and passphrases of %q", c.name, a.colour, a.PassphraseFile)
		}
	}
	a, _ := configured(t, "", nil)
	if got := a.Setting("other"); got != (Setting{Name: "other"}) {
		t.Errorf(`got = %+v; want Setting{Name: "other"}`, got)
	}
}

// The settings of the file are used: keys are read from its path, and a variable with a
// passphrase overrides a file with one.
func TestSettingsAreUsed(t *testing.T) {
	a, file := configured(t, "keys=none.keys\npassphrase-file=p.txt", map[string]string{"PAKBOX_PASSPHRASE": "variable"})
	if err := a.ReadConfig(false); err != nil || a.PassphraseFile != "" || a.KeysFile != filepath.Join(filepath.Dir(file), "none.keys") {
		t.Errorf(`err = %v, a.PassphraseFile = %q, a.KeysFile = %q; want no error, a.PassphraseFile = "", a.KeysFile = filepath.Join(filepath.Dir(file), "none.keys")`, err, a.PassphraseFile, a.KeysFile)
	}
	if _, err := a.LoadKeys(); err == nil || question.Hints(err)[0] != "this is the keys file that "+file+":1 names" {
		t.Errorf(`err = %v, question.Hints(err) = %q; want an error, question.Hints(err)[0] = "this is the keys file that " + file + ":1 names"`, err, question.Hints(err))
	}
	a, _ = configured(t, "keys=none.keys", map[string]string{"PAKBOX_KEYS": "v.keys"})
	if err := a.ReadConfig(false); err != nil || a.KeysFile != "" { // the variable is asked when keys are needed
		t.Errorf(`err = %v, a.KeysFile = %q; want no error, a.KeysFile = ""`, err, a.KeysFile)
	}
	if _, err := a.LoadKeys(); err == nil || question.Hints(err)[0] != "this is the keys file that PAKBOX_KEYS names" {
		t.Errorf(`err = %v, question.Hints(err) = %q; want an error, question.Hints(err)[0] = "this is the keys file that PAKBOX_KEYS names"`, err, question.Hints(err))
	}
}

// A wrong line is reported with its number and a hint.
func TestWrongSettings(t *testing.T) {
	for content, want := range map[string][2]string{
		"\ncolour = never": {`:2: unknown setting "colour"`, "did you mean color?"},
		"zzz=1":            {`:1: unknown setting "zzz"`, "settings are keys, passphrase-file, color, vpk-version"},
		"color":            {`:1: the line is not of the form NAME = VALUE`, ""},
		"# a\nkeys =":      {`:2: the line is not of the form NAME = VALUE`, ""},
		"color=blue":       {":1: color is auto, always or never", ""},
	} {
		a, file := configured(t, content, nil)
		err := a.ReadConfig(false)
		if err == nil || err.Error() != file+want[0] || !question.IsUsage(err) {
			t.Errorf("%q: err = %v; want an error, err = file + want[0], question.IsUsage(err) = true", content, err)
			continue
		}
		var usage *fault.Error
		if errors.As(err, &usage); want[1] != "" && (len(fault.Hints(usage)) == 0 || fault.Hints(usage)[0] != want[1]) || want[1] == "" && len(fault.Hints(usage)) > 0 {
			t.Errorf(`%q: fault.Hints(usage) = %q; want (want[1] = "" or fault.Hints(usage) not empty, fault.Hints(usage)[0] = want[1]), (want[1] not empty or len(fault.Hints(usage)) at most 0)`, content, fault.Hints(usage))
		}
	}
}

// A file that a variable names has to be there; the usual one need not.
func TestMissingConfig(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, t.TempDir())
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := testRun(t)
	if err := a.ReadConfig(false); err != nil || a.config.exists || a.ConfigFile() != filepath.Join(dir, "pakbox", "config") {
		t.Errorf(`err = %v, a.ConfigFile() = %s; want no error, a.config.exists = false, a.ConfigFile() = filepath.Join(dir, "pakbox", "config")`, err, a.ConfigFile())
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "pakbox"), 0o777), os.WriteFile(a.ConfigFile(), []byte("color = always"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := a.ReadConfig(false); err != nil || !a.config.exists || a.colour != colourAlways {
		t.Errorf("err = %v, a.colour = %s; want no error, a.config.exists = true, a.colour = %s", err, a.colour, colourAlways)
	}
	a.Env.Getenv = func(name string) string {
		return map[string]string{"PAKBOX_CONFIG": filepath.Join(dir, "none")}[name]
	}
	if err := a.ReadConfig(false); question.ErrorKind(err) != "not_found" {
		t.Errorf(`err = %v; want question.ErrorKind(err) = "not_found"`, err)
	}
}
