package ask

import (
	"database/sql/driver"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
	sqlite "modernc.org/sqlite"

	"pakbox/gbx"
	"pakbox/internal/lib/hint"
	"pakbox/trackmania"
)

// condition is one thing that files are asked for: a word with a value, or
// words that are searched for.
type condition struct {
	word     *Word // nil for a search
	operator string
	text     string
}

var operators = []string{"!=", "<=", ">=", "=", "<", ">", "~"}

// parseCondition reads word=value, word<value and so on. What has no operator
// is searched for.
func parseCondition(s string) (condition, error) {
	at := strings.IndexAny(s, "!<>=~")
	if at <= 0 {
		return condition{text: s}, nil
	}
	for _, op := range operators {
		value, ok := strings.CutPrefix(s[at:], op)
		if !ok {
			continue
		}
		w, err := wordNamed(s[:at])
		if err != nil {
			return condition{}, err
		}
		if w.Name == "author" {
			if _, isTime := gbx.ParseTime(value); isTime && (op[0] == '<' || op[0] == '>' || strings.Contains(value, ":")) {
				w, _ = wordNamed("author_time")
			}
		}
		return condition{w, op, value}, nil
	}
	return condition{text: s}, nil
}

// fold is a text without colour codes, case and accents.
func fold(s string) string {
	s = trackmania.Plain(s)
	ascii := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < 0x80
	}
	if !ascii {
		if t, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s); err == nil {
			s = t
		}
	}
	return strings.ToLower(s)
}

// foldFunction is fold in SQL.
const foldFunction = "pakbox_fold"

func init() {
	sqlite.MustRegisterDeterministicScalarFunction(foldFunction, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		if s, ok := args[0].(string); ok {
			return fold(s), nil
		}
		return nil, nil
	})
}

// question gathers what a question is made of.
type question struct {
	where []string
	args  []any
	match []string        // of the full-text index
	used  map[string]bool // tables of one row for a file
	few   bool            // an index finds the files, of which there will be few
	ways  []way           // lists of files, in one of which all that are asked for are
}

// add adds a condition.
func (q *question) add(c condition) error {
	if c.word == nil {
		q.few = true
		q.match = append(q.match, phrase(c.text)+" *")
		return nil
	}
	test, values, err := c.test()
	if err != nil {
		return err
	}
	if c.word.search != "" && c.operator == "=" && !strings.Contains(c.text, "*") && hasLetters(c.text) {
		q.few = true
		q.match = append(q.match, c.word.search+" : "+phrase(fold(c.text)))
	}
	q.few = q.few || c.word.indexed && c.operator != "!="
	if w, ok := c.way(); ok {
		q.ways = append(q.ways, w)
	}
	var any []string
	for _, column := range c.word.columns {
		table, several := tableOf(column)
		own := strings.ReplaceAll(test, "$", expression(column))
		switch {
		case c.word.indexed && c.operator != "!=" && len(c.word.columns) > 1:
			if name := single[table]; name != "" {
				own = strings.ReplaceAll(own, table+".", name+".")
				table = name
			}
			own = "f.file in (select file from " + table + " where " + own + ")"
		case several:
			own = "exists (select 1 from " + table + " where " + table + ".file = f.file and " + own + ")"
		default:
			q.use(column)
		}
		any = append(any, own)
		q.args = append(q.args, values...)
	}
	test = strings.Join(any, " or ")
	if c.operator == "!=" { // none of them is
		test = "not ifnull(" + test + ", 0)"
	}
	q.where = append(q.where, "("+test+")")
	return nil
}

// use notes the tables that a column needs.
func (q *question) use(column string) {
	if column == "kind" {
		for _, t := range []string{"m", "r", "i", "p"} {
			q.used[t] = true
		}
		return
	}
	if t, several := tableOf(column); !several {
		q.used[t] = true
	}
}

// test is what a column, written as $, must fulfil, with its values. That it is
// not a value is asked as its opposite, which is turned around later.
func (c condition) test() (sql string, values []any, err error) {
	if c.word.Kind == Text {
		return c.textTest()
	}
	low, high, err := c.word.Kind.parse(c.text)
	if err != nil {
		return "", nil, err
	}
	switch c.operator {
	case "=", "!=":
		if low != high {
			return "$ >= ? and $ < ?", []any{low, high}, nil
		}
		return "$ = ?", []any{low}, nil
	case ">", "<=":
		if low != high {
			low = high - 1
		}
		return "$ " + c.operator + " ?", []any{low}, nil
	case "<", ">=":
		return "$ " + c.operator + " ?", []any{low}, nil
	}
	return "", nil, hint.Usagef("%s is no text: ~ does not go with it", c.word.Name)
}

func (c condition) textTest() (string, []any, error) {
	column, value := "$", c.text
	if c.word.search != "" {
		column, value = foldFunction+"($)", fold(value)
	}
	switch c.operator {
	case "~":
		return column + ` like ? escape '\'`, []any{"%" + escapeLike(value) + "%"}, nil
	case "=", "!=":
		if strings.Contains(value, "*") {
			return column + ` like ? escape '\'`, []any{strings.ReplaceAll(escapeLike(value), "*", "%")}, nil
		}
		if c.word.search != "" || c.word.indexed {
			return column + " = ?", []any{value}, nil
		}
		return column + " = ? collate nocase", []any{value}, nil
	}
	return "", nil, hint.Usagef("%s is text: %s does not go with it", c.word.Name, c.operator)
}

func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}

// phrase is a text as the full-text index takes it.
func phrase(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// hasLetters reports whether the full-text index has anything of a text.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// parse reads a value. A day, month or year is from low to before high;
// otherwise they are the same.
func (k Kind) parse(s string) (low, high int64, err error) {
	ok := false
	switch k {
	case Number:
		low, err = strconv.ParseInt(s, 10, 64)
		ok = err == nil
	case Time:
		var t gbx.Time
		t, ok = gbx.ParseTime(s)
		low, ok = int64(t), ok && t != gbx.NoTime
	case Size:
		low, ok = parseSize(s)
	case Flag:
		low, ok = map[string]int64{"yes": 1, "true": 1, "1": 1, "no": 0, "false": 0, "0": 0}[strings.ToLower(s)]
		if !ok {
			return 0, 0, hint.Usagef("%q is neither yes nor no", s).Hint("%s", examples[k])
		}
	case Date:
		if low, high, ok = parseDate(s); ok {
			return low, high, nil
		}
	}
	if !ok {
		return 0, 0, hint.Usagef("%q is no %s", s, k).Hint("%s", examples[k])
	}
	return low, low, nil
}

var examples = map[Kind]string{
	Number: "such as 12", Time: "such as 0:36.217, 1:02 or 45.5", Size: "such as 300000, 300KB or 1.5MiB", Date: "such as 2009, 2009-05 or 2009-05-31", Flag: "such as yes",
}

var units = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"b", 1}, {"", 1},
}

func parseSize(s string) (int64, bool) {
	for _, u := range units {
		if n, ok := strings.CutSuffix(strings.ToLower(s), u.suffix); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			return int64(v * u.bytes), err == nil && v >= 0 && v*u.bytes < 1<<62
		}
	}
	return 0, false
}

func parseDate(s string) (low, high int64, ok bool) {
	for _, d := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-01-02", 0, 0, 1}} {
		if t, err := time.ParseInLocation(d.layout, s, time.Local); err == nil {
			return t.UnixNano(), t.AddDate(d.years, d.months, d.days).UnixNano(), true
		}
	}
	return 0, 0, false
}
