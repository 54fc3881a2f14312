package pak

import (
	"bufio"
	"crypto/md5"
	"io"
	"strings"
)

// HashName returns the hash that replaces a path in a pack: the length of the lower-case
// path, then its MD5, each byte as two upper-case digits, the low one first.
func HashName(path string) string {
	path = strings.ToLower(strings.ReplaceAll(path, "/", `\`))
	sum := md5.Sum([]byte(path))
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, 34)
	for _, b := range append([]byte{byte(len(path))}, sum[:]...) {
		out = append(out, digits[b&15], digits[b>>4])
	}
	return string(out)
}

// Names maps hashes to names. Each hash is computed from its name, so a list with wrong
// or invented names does no harm.
type Names map[string]string

// Add adds path, and every part of it that follows a folder: a pack hashes the path
// relative to the folder of the entry.
func (n Names) Add(path string) {
	path = strings.ReplaceAll(path, "/", `\`)
	for {
		if path != "" {
			n[HashName(path)] = path
		}
		_, rest, found := strings.Cut(path, `\`)
		if !found {
			return
		}
		path = rest
	}
}

// Resolve returns the path that has the given hash.
func (n Names) Resolve(hash string) (string, bool) {
	path, ok := n[strings.ToUpper(hash)]
	return path, ok
}

// ReadNames reads a list of paths, one on each line. A line may begin with the hash and a
// space, as in published lists; this hash is ignored. Lines that begin with # are
// comments.
func ReadNames(r io.Reader) (Names, error) {
	names := Names{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if hash, path, ok := strings.Cut(line, " "); ok && len(hash) == 34 {
			line = strings.TrimSpace(path)
		}
		names.Add(line)
	}
	return names, lines.Err()
}
