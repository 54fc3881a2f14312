package ask

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode"

	"pakbox/fact"
	"pakbox/index"
	"pakbox/index/engine"
	"pakbox/internal/condition"
	"pakbox/internal/lib/hint"
	"pakbox/internal/lib/racetime"
)

// asked is one condition on files: a word with a value, or a text that is
// searched for.
type asked struct {
	word *Word // nil for a search
	condition.Condition
}

// parseCondition reads word=value, word<value and so on. A text without a word
// and an operator is searched for.
func parseCondition(s string) (asked, error) {
	c, err := condition.Parse(s)
	if err != nil || c.Op == "" {
		return asked{nil, condition.Condition{Value: s}}, nil
	}
	w, err := wordNamed(c.Field)
	if err != nil {
		return asked{}, err
	}
	if w.Name == fact.Author.Name { // with a time, the author medal
		if _, isTime := racetime.Parse(c.Value); isTime && (c.Op[0] == '<' || c.Op[0] == '>' || strings.Contains(c.Value, ":")) {
			w, _ = wordNamed("author_time")
		}
	}
	return asked{w, c}, nil
}

// foldFunction is [condition.Fold] in SQL.
const foldFunction = "pakbox_fold"

func init() {
	engine.Function(foldFunction, true, func(v driver.Value) driver.Value {
		if s, ok := v.(string); ok {
			return condition.Fold(s)
		}
		return nil
	})
}

// folded is a text in SQL without colour codes, case and accents. Most texts
// have small and capital letters only, and need no call of our function.
func folded(text string) string {
	return "iif(" + text + " glob '*[^ -~]*' or instr(" + text + ", '$'), " + foldFunction + "(" + text + "), lower(" + text + "))"
}

// clause is a condition in SQL.
type clause struct {
	word *Word
	test string
	args []any
	// list gives the same files from an index of SQLite; "" if there is none.
	list     string
	listArgs []any
}

// clause is the condition in SQL. It holds if the test of one of the word's
// columns does.
func (c asked) clause() (clause, error) {
	made := clause{word: c.word}
	var tests, lists []string
	var wrong error
	if c.Op == "!=" && c.Value == "" { // any text at all
		c.Op = ">"
	}
	listed := c.Op != "!="
	for _, column := range c.word.columns {
		test, args, err := c.test(column)
		if err != nil {
			wrong = err // another column may take the value
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
				listed = column.several() // others have nearly as many values as files
				plain = fmt.Sprintf(namesLike, column.table, column.column(), strings.ReplaceAll(plain, column.column(), "v"))
			}
			lists = append(lists, "select file from "+column.table+" where "+plain)
		}
	}
	if len(tests) == 0 {
		return made, wrong
	}
	made.test = strings.Join(tests, " or ")
	if c.Op == "!=" { // none of them is
		made.test = "not ifnull(" + made.test + ", 0)"
	}
	if listed {
		made.list, made.listArgs = strings.Join(lists, " union all "), made.args
	}
	return made, nil
}

// part reports whether a part of a text is asked for.
func (c asked) part() bool { return c.Op == "~" || strings.Contains(c.Value, "*") }

// namesLike chooses the rows of a table whose column has one of the values that
// pass a test. It goes from value to value through the column's index: names of
// blocks are few, and rows are many.
const namesLike = `%[2]s collate nocase in (with recursive
	each(v) as (select * from (select %[2]s from %[1]s order by %[2]s collate nocase limit 1)
		union all select (select %[2]s from %[1]s where %[2]s > v collate nocase order by %[2]s collate nocase limit 1) from each where v is not null)
	select v from each where %[3]s)`

// test is the test of one column in SQL, with its values. The test of != is that
// of =, which is turned around later.
func (c asked) test(column wordColumn) (sql string, args []any, err error) {
	name := column.column()
	if isText(column.Kind) {
		sql, arg := c.textTest(column)
		return sql, []any{arg}, nil
	}
	if c.Op == "~" {
		return "", nil, hint.Usagef("%s is no text: ~ does not go with it", c.word.Name)
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

// inSQL is a number in the unit of a column.
func inSQL(n float64, c wordColumn) any {
	if whole := int64(n); float64(whole) == n {
		return whole * c.Unit()
	}
	return n * float64(c.Unit())
}

// textTest is the test of a column of text. Columns that SQLite finds by an index
// are compared without case; others without colours and accents too.
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
	case c.Op == "~" && !column.Indexed: // without case already
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

// match is the condition for the full-text index, "" if the index does not have
// all files for which the condition holds.
func (c asked) match() string {
	by := c.search()
	if c.Op != "=" || c.part() || by == "" || !hasLetters(c.Value) {
		return ""
	}
	return by + " : " + phrase(condition.Fold(c.Value))
}

// search is the column of the full-text indexes that has the texts of all columns
// of the word; "" if there is none.
func (c asked) search() string {
	by := c.word.columns[0].Search
	for _, column := range c.word.columns {
		if column.Search != by {
			return ""
		}
	}
	return string(by)
}

// grams is a condition on a part of a text for the index by three letters: the
// text has all three letters in a row that the part has. It is "" if that index
// does not have all files for which the condition holds.
func (c asked) grams() string {
	by := c.search()
	if by == "" || c.Op != "~" && c.Op != "=" {
		return ""
	}
	parts := []string{condition.Fold(c.Value)}
	if c.Op == "=" { // * has no meaning in ~
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

// phrase is a text as the full-text index takes it.
func phrase(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// hasLetters reports whether the full-text index has anything of a text.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}
