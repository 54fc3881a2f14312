package ask

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode"

	"pakbox/fact"
	"pakbox/fact/condition"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/engine"
	"pakbox/internal/lib/racetime"
)

// asked is one condition of a search: a word with a value, or a text to search for.
type asked struct {
	word *Word // nil for a text to search for
	condition.Condition
}

// parseCondition reads word=value, word<value and so on. Anything without an operator is
// a text to search for.
func parseCondition(s string) (asked, error) {
	c, err := condition.Parse(s)
	if err != nil || c.Op == "" {
		return asked{nil, condition.Condition{Value: s}}, nil
	}
	w, err := wordNamed(c.Field)
	if err != nil {
		return asked{}, err
	}
	if w.Name == fact.Author.Name { // author with a time means the author medal
		if _, isTime := racetime.Parse(c.Value); isTime && (c.Op[0] == '<' || c.Op[0] == '>' || strings.Contains(c.Value, ":")) {
			w, _ = wordNamed("author_time")
		}
	}
	return asked{w, c}, nil
}

// foldFunction is the name of [condition.Fold] in SQL.
const foldFunction = "pakbox_fold"

func init() {
	engine.Function(foldFunction, true, func(v driver.Value) driver.Value {
		if s, ok := v.(string); ok {
			return condition.Fold(s)
		}
		return nil
	})
}

// folded is an SQL expression for a text without colour codes, letter case and accents.
// Most texts are plain ASCII and need no call of foldFunction.
func folded(text string) string {
	return "iif(instr(" + text + ", '$') or " + text + " glob '*[^ -~]*', " + foldFunction + "(" + text + "), lower(" + text + "))"
}

// clause is a condition in SQL.
type clause struct {
	word *Word
	test string
	args []any
	// list is a query that gives the same files from an SQLite index; "" if there is
	// none.
	list     string
	listArgs []any
	// bounds are the tests in list, if they leave out values below or above another: those of
	// a second condition narrow the same list.
	bounds []bound
	// once is true if going through the list takes long, also if few files are in it.
	once bool
}

// clause converts the condition to SQL. It is true if the test of any of the word's
// columns is true.
func (c asked) clause() (clause, error) {
	made := clause{word: c.word}
	var tests, lists []string
	var wrong error
	if c.Op == "!=" && c.Value == "" { // != "" means any text that is not empty
		c.Op = ">"
	}
	listed := c.Op != "!="
	for _, column := range c.word.columns {
		test, args, err := c.test(column)
		if err != nil {
			wrong = err // the value may suit another column
			continue
		}
		made.args = append(made.args, args...)
		if column.several() {
			test = "exists (select 1 from " + column.table + " where " + column.table + ".file = files.file and " + test + ")"
		}
		tests = append(tests, test)
		if listed = listed && column.Indexed && (c.Op == "=" || column.table != "files"); listed {
			plain, _, _ := c.test(column)
			if c.part() && isText(column.Kind) {
				listed = column.several() // a column with one row for each file has too many different values
				plain = fmt.Sprintf(namesLike, column.table, column.column(), strings.ReplaceAll(plain, column.column(), "v"))
			}
			if strings.ContainsAny(c.Op, "<>") && column.Kind.Numeric() {
				made.bounds = append(made.bounds, bound{column, plain, args[0]})
			}
			lists = append(lists, "select file from "+column.table+" where "+plain)
		}
	}
	if len(tests) == 0 {
		return made, wrong
	}
	made.test = strings.Join(tests, " or ")
	if c.Op == "!=" { // != is true if no column matches
		made.test = "not ifnull(" + made.test + ", 0)"
	}
	if listed {
		made.list, made.listArgs = strings.Join(lists, " union all "), made.args
	}
	if len(made.bounds) != len(lists) || !listed {
		made.bounds = nil
	}
	return made, nil
}

// part reports whether the condition asks for a part of a text.
func (c asked) part() bool { return c.Op == "~" || strings.Contains(c.Value, "*") }

// namesLike selects the rows of a table whose column has a value that passes a test. It
// tests each different value once, by stepping through the column's index: there are many
// rows but few names of blocks.
const namesLike = `%[2]s collate nocase in (with recursive
	each(v) as (select * from (select %[2]s from %[1]s order by %[2]s collate nocase limit 1)
		union all select (select %[2]s from %[1]s where %[2]s > v collate nocase order by %[2]s collate nocase limit 1) from each where v is not null)
	select v from each where %[3]s)`

// test returns the test of one column in SQL, with its values. For != it returns the test
// of =, which the caller negates.
func (c asked) test(column wordColumn) (sql string, args []any, err error) {
	name := column.column()
	if isText(column.Kind) {
		sql, arg := c.textTest(column)
		return sql, []any{arg}, nil
	}
	if c.Op == "~" {
		return "", nil, fault.Usagef("%s is not a text: ~ does not go with it", c.word.Name)
	}
	low, high, err := condition.Range(column.Kind, c.Value)
	if err != nil {
		return "", nil, err
	}
	from, to := inSQL(low, column), inSQL(high, column)
	switch c.Op {
	case "=", "!=":
		if low != high {
			return name + " >= ? and " + name + " < ?", []any{from, to}, nil
		}
		return name + " = ?", []any{from}, nil
	case ">":
		if low != high {
			return name + " >= ?", []any{to}, nil
		}
	case "<=":
		if low != high {
			return name + " < ?", []any{to}, nil
		}
	}
	return name + " " + c.Op + " ?", []any{from}, nil
}

// inSQL returns a number in the unit of the column.
func inSQL(n float64, c wordColumn) any {
	if whole := int64(n); float64(whole) == n {
		return whole * c.Unit()
	}
	return n * float64(c.Unit())
}

// textTest returns the test of a text column. Columns with an SQLite index are compared
// without letter case; others also without colours and accents.
func (c asked) textTest(column wordColumn) (sql string, arg any) {
	name, value := column.column(), condition.Fold(c.Value)
	switch {
	case column.Type == index.Bytes:
		name = "lower(hex(" + name + "))"
	case column.Indexed:
		if value = c.Value; c.Op != "~" && !strings.Contains(value, "*") {
			return name + " " + strings.TrimPrefix(c.Op, "!") + " ? collate nocase", value
		}
	default:
		name = folded(name)
	}
	switch {
	case c.Op == "~" && !column.Indexed: // name and value are folded already
		return "instr(" + name + ", ?)", value
	case c.Op == "~":
		return name + ` like ? escape '\'`, "%" + escapeLike(value) + "%"
	case strings.Contains(value, "*") && (c.Op == "=" || c.Op == "!="):
		return name + ` like ? escape '\'`, strings.ReplaceAll(escapeLike(value), "*", "%")
	}
	return name + " " + strings.TrimPrefix(c.Op, "!") + " ?", value
}

func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}

// match is the condition as a query of the full-text index by words; "" if that index
// would miss some of the files.
func (c asked) match() string {
	by := c.search()
	if c.Op != "=" || c.part() || by == "" || !hasLetters(c.Value) {
		return ""
	}
	return by + " : " + phrase(condition.Fold(c.Value))
}

// search is the column of the full-text indexes that has the texts of all columns of the
// word; "" if none exists.
func (c asked) search() string {
	by := c.word.columns[0].Search
	for _, column := range c.word.columns {
		if column.Search != by {
			return ""
		}
	}
	return string(by)
}

// grams is a condition on a part of a text as a query of the full-text index by three
// letters: the text must contain every three consecutive letters of the part. It is "" if
// that index would miss some of the files.
func (c asked) grams() string {
	by := c.search()
	if by == "" || c.Op != "~" && c.Op != "=" {
		return ""
	}
	parts := []string{condition.Fold(c.Value)}
	if c.Op == "=" { // in a condition with ~ a * has no special meaning
		parts = strings.Split(parts[0], "*")
	}
	var list []string
	for _, part := range parts {
		part := []rune(strings.TrimSpace(part))
		for i := 0; i+3 <= len(part); i++ {
			list = append(list, by+" : "+phrase(string(part[i:i+3])))
		}
	}
	return strings.Join(list, " AND ")
}

// phrase quotes a text for a query of the full-text index.
func phrase(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// hasLetters reports whether the full-text index contains any part of the text.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
