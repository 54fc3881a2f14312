package ask

import (
	"context"
	"fmt"
	"strings"

	"pakbox/fault"
)

// allowedPragmas are the pragmas that a question may use: they describe tables. Other
// pragmas change SQLite's memory, or reveal the path of the file.
var allowedPragmas = map[string]bool{
	"table_info": true, "table_xinfo": true, "table_list": true, "index_list": true, "index_info": true, "index_xinfo": true,
	"foreign_key_list": true, "function_list": true, "collation_list": true, "compile_options": true,
	"user_version": true, "application_id": true, "page_count": true, "page_size": true, "freelist_count": true, "encoding": true,
}

// checkPragmas refuses a question with any other pragma, as a statement or as a table
// named pragma_NAME.
func checkPragmas(query string) error {
	var before [3]string // the last three words, latest first
	for word := range words(query) {
		name := ""
		switch {
		case strings.HasPrefix(word, "pragma_"):
			name = strings.TrimPrefix(word, "pragma_")
		case before[0] == "pragma":
			name = word
		}
		// pragma main.NAME
		if before[0] == "." && before[2] == "pragma" {
			name = word
		}
		isSchema := before[0] == "pragma" && (word == "main" || word == "temp")
		if name != "" && !isSchema && !allowedPragmas[name] {
			return fault.Usagef("the pragma %s is not allowed here", name)
		}
		before = [3]string{word, before[0], before[1]}
	}
	return nil
}

// words iterates over the words of a question in lower case, including quoted names, and
// over the signs between them. Comments are left out.
func words(query string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for s := query; s != ""; {
			word, rest := nextWord(s)
			s = rest
			if word != "" && !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

func nextWord(s string) (word, rest string) {
	upTo := func(from int, end string) (string, string) {
		inside, rest, _ := strings.Cut(s[from:], end)
		return inside, rest
	}
	switch {
	case strings.HasPrefix(s, "--"):
		_, rest = upTo(2, "\n")
		return "", rest
	case strings.HasPrefix(s, "/*"):
		_, rest = upTo(2, "*/")
		return "", rest
	case s[0] == '\'' || s[0] == '"' || s[0] == '`': // SQLite accepts a quoted text as a name
		return upTo(1, s[:1])
	case s[0] == '[':
		return upTo(1, "]")
	}
	n := strings.IndexFunc(s, func(r rune) bool {
		return !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80)
	})
	switch {
	case n < 0:
		return s, ""
	case n == 0:
		return strings.TrimSpace(s[:1]), s[1:]
	}
	return s[:n], s[n:]
}

// LimitMemory limits the memory that SQLite may use in this process.
func (x *Index) LimitMemory(ctx context.Context, bytes int64) error {
	_, err := x.db.ExecContext(ctx, fmt.Sprintf("pragma hard_heap_limit = %d", bytes))
	return err
}
