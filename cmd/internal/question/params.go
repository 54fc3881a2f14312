package question

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"pakbox/fault"
)

// Texts are parameters in the form of a web request: texts by name.
type Texts map[string][]string

// NoParams is the type for questions without parameters.
type NoParams struct{}

// Param is one parameter of a question.
type Param struct {
	Name    string // name in web requests, and of the command's flag
	Doc     string
	Type    reflect.Type
	Local   bool   // a path on the asker's computer: only commands may set it
	Arg     bool   // an argument of the command, not a flag
	Request bool   // only for requests: the command has no such flag, or one of its own
	Paths   bool   // paths of further files
	Value   string // word for the value in Doc, such as FILE
	Short   string // letter of the flag

	field []int
}

// Kind names the type of a parameter: text, number, flag, list, file or files.
func (p *Param) Kind() string {
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == contentType:
		return "file"
	case t == contentsType:
		return "files"
	case t.Kind() == reflect.Bool:
		return "flag"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.String:
		return "text"
	}
	return "number"
}

// Parameters lists the parameters of the question: the fields of its Params that have a
// JSON name. The tag doc has the description, and value its word for the value. The tag
// local marks paths that only commands may set, arg marks arguments of the command, and
// request marks parameters that only requests have. The tag paths marks paths of
// further files, in whose place an HTTP client sends the files.
func (q *Question) Parameters() (list []Param) {
	for _, f := range reflect.VisibleFields(q.Params) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		_, local := f.Tag.Lookup("local")
		_, arg := f.Tag.Lookup("arg")
		_, request := f.Tag.Lookup("request")
		_, paths := f.Tag.Lookup("paths")
		list = append(list, Param{Name: name, Doc: f.Tag.Get("doc"), Type: f.Type, Local: local, Arg: arg, Request: request, Paths: paths, Value: f.Tag.Get("value"), Short: f.Tag.Get("short"), field: f.Index})
	}
	return list
}

// Pointer returns a pointer to the parameter's field in params, which is a pointer to a
// struct.
func (p *Param) Pointer(params any) any {
	return reflect.ValueOf(params).Elem().FieldByIndex(p.field).Addr().Interface()
}

// read converts texts to parameters. It ignores unknown names, because requests also
// contain the path and the page's own marks.
func (q *Question) read(texts Texts) (reflect.Value, error) {
	v := reflect.New(q.Params).Elem()
	for _, p := range q.Parameters() {
		given := texts[p.Name]
		if len(given) == 0 || p.Local {
			continue
		}
		if err := set(v.FieldByIndex(p.field), given); err != nil {
			return v, fault.Usagef("%s: %q is not %s", p.Name, given[0], kindOf(p.Type))
		}
	}
	return v, nil
}

func set(v reflect.Value, texts []string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[0])
	case reflect.Bool:
		b, err := strconv.ParseBool(texts[0])
		v.SetBool(b)
		return err
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(texts[0], 0, 64)
		v.SetInt(n)
		return err
	case reflect.Float64:
		f, err := strconv.ParseFloat(texts[0], 64)
		v.SetFloat(f)
		return err
	case reflect.Slice:
		if v.Type() == contentsType {
			return errors.New("a file is not a text")
		}
		v.Set(reflect.ValueOf(texts).Convert(v.Type()))
	case reflect.Struct:
		return errors.New("a file is not a text")
	case reflect.Pointer:
		given := reflect.New(v.Type().Elem())
		v.Set(given)
		return set(given.Elem(), texts)
	}
	return nil
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "a file: an object with name and data"
	}
	return "a number"
}
