package vpk42

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
)

// MangledName is the StoredName of name in an archive with mangled names: depth, half a
// SHA-256 of the lower-case path, and the extension. No reader uses it, because FileName
// has the plain name. It is written because 42pak writes it.
func MangledName(name string) string {
	sum := sha256.Sum256([]byte(lowerInvariant(name)))
	mangled := hex.EncodeToString(sum[:16]) + extension(name)
	if depth := strings.Count(name, "/"); depth > 0 {
		return "d" + strconv.Itoa(depth) + "_" + mangled
	}
	return mangled
}

// lowerInvariant is .NET's ToLowerInvariant: it maps single characters, and leaves the
// Turkish dotted capital I, whose lower case depends on the language.
func lowerInvariant(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return unicode.ToLower(r)
	}, s)
}

// extension is .NET's Path.GetExtension: the last dot of the base name and what follows
// it; "" if nothing follows.
func extension(name string) string {
	last := name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.LastIndexByte(last, '.'); i >= 0 && i < len(last)-1 {
		return last[i:]
	}
	return ""
}
