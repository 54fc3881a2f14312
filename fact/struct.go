package fact

import (
	"reflect"
	"strings"
	"sync"
)

// Declared returns the facts that the fields of a struct declare by their
// tags, for answers and rows that are structs:
//
//	Size int64 `json:"size" kind:"bytes" doc:"size of the content"`
//
// The field's name in JSON is the name of the fact. Without a tag the kind
// follows from the field's type. Fields without a name in JSON are no facts.
func Declared(t reflect.Type) *Subject {
	if s, ok := declared.Load(t); ok {
		return s.(*Subject)
	}
	s := &Subject{Name: strings.ToLower(t.Name())}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		kind := Kind(f.Tag.Get("kind"))
		if kind == "" {
			kind = kindOf(f.Type)
		}
		s.Facts = append(s.Facts, &Fact{Name: name, Label: f.Tag.Get("label"), Kind: kind, Doc: f.Tag.Get("doc")})
	}
	actual, _ := declared.LoadOrStore(t, s)
	return actual.(*Subject)
}

var declared sync.Map // of *Subject by type

// kindOf is the kind of values of a type.
func kindOf(t reflect.Type) Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return Text
	case reflect.Bool:
		return Flag
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Count
	case reflect.Float32, reflect.Float64:
		return Number
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return List
		}
	}
	return Object
}

// RecordOf reads the facts of a struct, given as such or as a pointer.
func RecordOf(v any) Record {
	s := reflect.Indirect(reflect.ValueOf(v))
	facts := Declared(s.Type()).Facts
	record := make(Record, 0, len(facts))
	for i := range s.NumField() {
		tag := s.Type().Field(i).Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if name == "" || name == "-" {
			continue
		}
		field := s.Field(i)
		if strings.Contains(options, "omitempty") && field.IsZero() {
			facts = facts[1:]
			continue
		}
		record = append(record, Value{Fact: facts[0], Value: plain(field)})
		facts = facts[1:]
	}
	return record
}

// plain is the value of a field with the type that its kind promises.
func plain(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		if e := v.Elem(); e.Kind() != reflect.Struct {
			v = e
		}
	}
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return int64(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	}
	return v.Interface()
}
