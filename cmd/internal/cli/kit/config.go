package kit

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/spell"
)

// The settings of the configuration file. Flags and environment variables take
// precedence.
const (
	SettingKeys       = "keys"
	SettingPassphrase = "passphrase-file"
	SettingColor      = "color"
	SettingVPKVersion = "vpk-version"
)

var settingNames = []string{SettingKeys, SettingPassphrase, SettingColor, SettingVPKVersion}

// Setting is a value that can be set once for all runs.
type Setting struct {
	Name   string `json:"name" doc:"name of the setting"`
	Value  string `json:"value" doc:"value in effect"`
	Origin string `json:"origin" doc:"a flag, a variable, a line of a file, or default"`
}

// config is the content of the configuration file.
type config struct {
	file   string // "" if the place of the file is unknown
	exists bool
	values map[string]Setting
}

// ConfigFile returns the path of the configuration file, even if the file does not exist.
func (a *App) ConfigFile() string { return a.config.file }

// ReadConfig reads the configuration file, if it exists, and uses the values that neither
// a flag nor a variable sets. colorGiven means that a flag sets the use of colours.
func (a *App) ReadConfig(colorGiven bool) error {
	if err := a.config.read(a.Env.Getenv); err != nil {
		return err
	}
	a.settings = []Setting{
		a.pick(SettingKeys, a.KeysFile, "PAKBOX_KEYS", ""),
		a.pick(SettingPassphrase, a.PassphraseFile, "", ""),
		a.pickColor(colorGiven),
		a.pick(SettingVPKVersion, "", "", ""),
	}
	if s := a.Setting(SettingKeys); a.KeysFile == "" && a.Env.Getenv("PAKBOX_KEYS") == "" {
		a.KeysFile, a.keysFrom = s.Value, s.Origin
	}
	if s := a.Setting(SettingPassphrase); a.Env.Getenv("PAKBOX_PASSPHRASE") == "" {
		a.PassphraseFile = s.Value
	}
	return a.colour.Set(a.Setting(SettingColor).Value)
}

// Settings returns all settings, with the source of each.
func (a *App) Settings() []Setting { return a.settings }

// Setting returns one setting.
func (a *App) Setting(name string) Setting {
	if i := slices.IndexFunc(a.settings, func(s Setting) bool { return s.Name == name }); i >= 0 {
		return a.settings[i]
	}
	return Setting{Name: name}
}

func (a *App) pick(name, flag, variable, standard string) Setting {
	if flag != "" {
		return Setting{name, flag, "--" + name}
	}
	if variable != "" {
		if value := a.Env.Getenv(variable); value != "" {
			return Setting{name, value, variable}
		}
	}
	if s, ok := a.config.values[name]; ok {
		return s
	}
	return Setting{name, standard, "default"}
}

func (a *App) pickColor(given bool) Setting {
	flag := ""
	if given {
		flag = a.colour.String()
	}
	s := a.pick(SettingColor, flag, "", string(colourAuto))
	if s.Value == string(colourAuto) && a.Env.Getenv("NO_COLOR") != "" {
		return Setting{s.Name, string(colourNever), "NO_COLOR"}
	}
	return s
}

// read reads the file that PAKBOX_CONFIG names, or the file in the user's configuration
// folder.
func (c *config) read(getenv func(string) string) error {
	c.file = getenv("PAKBOX_CONFIG")
	named := c.file != ""
	if !named {
		dir, err := os.UserConfigDir()
		if err != nil {
			return nil
		}
		c.file = filepath.Join(dir, "pakbox", "config")
	}
	f, err := os.Open(c.file)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	c.exists, c.values = true, map[string]Setting{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if err := c.line(strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")), n); err != nil {
			return err
		}
	}
	return lines.Err()
}

// line parses one line: NAME = VALUE, or a comment.
func (c *config) line(text string, n int) error {
	if text == "" || strings.HasPrefix(text, "#") {
		return nil
	}
	at := fmt.Sprintf("%s:%d", c.file, n)
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok || value == "":
		return fault.Usagef("%s: the line is not of the form NAME = VALUE", at) // without the line, which may be a key
	case !slices.Contains(settingNames, name):
		u := fault.Usagef("%s: unknown setting %q", at, name)
		if near := spell.Near(name, settingNames, 1); len(near) > 0 {
			return u.Hint("did you mean %s?", near[0])
		}
		return u.Hint("settings are %s", strings.Join(settingNames, ", "))
	case name == SettingKeys || name == SettingPassphrase:
		value = c.path(value)
	}
	if name == SettingColor {
		if err := new(colour).Set(value); err != nil {
			return fault.Usagef("%s: color is auto, always or never", at)
		}
	}
	c.values[name] = Setting{name, value, at}
	return nil
}

// path resolves a path in the file: relative to the home folder, or to the folder of the
// file.
func (c *config) path(value string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(filepath.Dir(c.file), value)
}
