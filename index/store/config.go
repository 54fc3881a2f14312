package store

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pakbox/fault"
)

// config has the settings from the environment and from the files of AWS.
type config struct {
	keys             keys
	region, endpoint string
}

// configure reads the environment first, then the credentials and config files.
func configure(getenv func(string) string) (c config, err error) {
	c.keys = keys{getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY"), getenv("AWS_SESSION_TOKEN")}
	c.region = cmp.Or(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"))
	c.endpoint = cmp.Or(getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL"))
	profile := cmp.Or(getenv("AWS_PROFILE"), "default")
	credentials, err := section(file(getenv, "AWS_SHARED_CREDENTIALS_FILE", "credentials"), profile)
	if err != nil {
		return c, err
	}
	name := "profile " + profile
	if profile == "default" {
		name = profile
	}
	settings, err := section(file(getenv, "AWS_CONFIG_FILE", "config"), name)
	if err != nil {
		return c, err
	}
	if c.keys.id == "" {
		for _, from := range []map[string]string{credentials, settings} {
			if id := from["aws_access_key_id"]; id != "" {
				c.keys = keys{id, from["aws_secret_access_key"], from["aws_session_token"]}
				break
			}
		}
	}
	if c.keys.id != "" && c.keys.secret == "" {
		return c, fault.Usagef("there is a key for the store, and no secret with it").Hint("set AWS_SECRET_ACCESS_KEY too")
	}
	c.region = cmp.Or(c.region, settings["region"], "us-east-1")
	c.endpoint = cmp.Or(c.endpoint, settings["endpoint_url"])
	return c, nil
}

// file is the path of one of AWS's files; "" without a home folder.
func file(getenv func(string) string, variable, name string) string {
	if path := getenv(variable); path != "" {
		return path
	}
	home := cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".aws", name)
}

// section reads one section of a settings file. A missing section is empty.
func section(path, name string) (map[string]string, error) {
	f, err := os.Open(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	values, in := map[string]string{}, false
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			in = strings.Join(strings.Fields(strings.Trim(line, "[]")), " ") == name
			continue
		}
		if key, value, ok := strings.Cut(line, "="); ok && in && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, ";") {
			values[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return values, lines.Err()
}
