package fact

import (
	"reflect"
	"strings"
)

// Fields returns the facts that a struct declares. The tag json is the name and doc the
// sentence. The tag kind is the kind, if the type of the field does not imply it.
func Fields[T any]() (facts []*Fact) {
	for _, f := range jsonFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		facts = append(facts, &Fact{Name: name, Kind: kindOf(f), Doc: f.Tag.Get("doc")})
	}
	return facts
}

// Values returns the values of a struct in the order of its Fields.
func Values(of any) (values []any) {
	v := reflect.Indirect(reflect.ValueOf(of))
	for _, f := range jsonFields(v.Type()) {
		field := v.FieldByIndex(f.Index)
		switch {
		case field.Kind() == reflect.Pointer && field.IsNil():
			values = append(values, nil)
			continue
		case field.Kind() == reflect.Pointer:
			field = field.Elem()
		}
		if field.Kind() == reflect.String {
			values = append(values, field.String()) // also for named string types
			continue
		}
		values = append(values, field.Interface())
	}
	return values
}

func jsonFields(t reflect.Type) (fields []reflect.StructField) {
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("json"); name != "" && name != "-" {
			fields = append(fields, t.Field(i))
		}
	}
	return fields
}

func kindOf(f reflect.StructField) Kind {
	if kind := f.Tag.Get("kind"); kind != "" {
		return Kind(kind)
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Bool:
		return Flag
	case reflect.Float32, reflect.Float64:
		return Number
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return Count
	}
	return Object
}
