package index

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"pakbox/fact"
	"reflect"
	"strings"
)

// fill sets the columns of a row, given as a pointer, that are named like
// facts. Facts are what info --json prints, so a row and info cannot differ.
func fill(row any, facts fact.Record) {
	v := reflect.ValueOf(row).Elem()
	for _, f := range facts {
		if i, ok := fieldsOf(v.Type())[f.Name]; ok {
			set(v.Field(i), f.Value)
		}
	}
}

// fillFrom sets the columns of a row, given as a pointer, that are named like
// fields in JSON of what info --json prints. Those of a struct in it have its
// name before theirs.
func fillFrom(row, info any) {
	fillPrefixed(reflect.ValueOf(row).Elem(), "", reflect.ValueOf(info).Elem())
}

func fillPrefixed(row reflect.Value, prefix string, info reflect.Value) {
	for i := range info.NumField() {
		name, _, _ := strings.Cut(info.Type().Field(i).Tag.Get("json"), ",")
		name = prefix + name
		if info.Field(i).Kind() == reflect.Struct {
			fillPrefixed(row, name+"_", info.Field(i))
		} else if k, ok := fieldsOf(row.Type())[name]; ok {
			set(row.Field(k), info.Field(i).Interface())
		}
	}
}

// fieldsOf gives the fields of a row type by the names of their columns.
func fieldsOf(row reflect.Type) map[string]int { return fieldIndex()[row] }

// valueOf returns the value of one fact; nil if it is not said.
func valueOf(facts fact.Record, name string) any {
	for _, f := range facts {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// set gives a column the value of a fact. What is nothing leaves it null.
func set(column reflect.Value, value any) {
	if n, ok := value.(json.Number); ok { // an amount of money
		value, _ = n.Float64()
	}
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	if column.Kind() == reflect.Pointer {
		if v.Kind() == reflect.String && v.Len() == 0 {
			return // it is not said
		}
		column.Set(reflect.New(column.Type().Elem()))
		column = column.Elem()
	}
	switch column.Kind() {
	case reflect.String:
		column.SetString(fmt.Sprint(v.Interface()))
	case reflect.Int64:
		column.SetInt(v.Convert(column.Type()).Int())
	case reflect.Float64:
		column.SetFloat(v.Convert(column.Type()).Float())
	case reflect.Bool:
		column.SetBool(v.Bool())
	case reflect.Array:
		hex.Decode(column.Slice(0, column.Len()).Bytes(), []byte(v.String())) // of our own making
	case reflect.Slice:
		column.Set(v.Convert(column.Type()))
	}
}

// text is a column that is null where a file says nothing.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// number is a column that is null where a number is negative, which stands for
// none.
func number(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

// fieldNamed is the column of a row, given as a pointer.
func fieldNamed(row any, name string) reflect.Value {
	v := reflect.ValueOf(row).Elem()
	return v.Field(fieldsOf(v.Type())[name])
}
