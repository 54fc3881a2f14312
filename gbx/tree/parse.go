package tree

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

func assign(p any, d *node) error {
	switch p := p.(type) {
	case *string:
		return assignString(p, d)
	case *gbx.ID:
		return assignID(p, d)
	case *float32:
		return assignFloat(p, d)
	case *gbx.Bool:
		if d.kind == jsonBool {
			*p = gbx.False
			if d.text == "true" {
				*p = gbx.True
			}
			return nil
		}
	case *gbx.Time:
		if d.kind == jsonNull {
			*p = gbx.NoTime
			return nil
		}
	case *[]byte:
		b, err := d.bytes()
		*p = b
		return err
	case *gbx.Hash128:
		return assignHex(p[:], d)
	case *gbx.Hash256:
		return assignHex(p[:], d)
	case *classid.ID:
		id, err := parseID(d)
		*p = id
		return err
	}
	return assignNumber(reflect.ValueOf(p).Elem(), d)
}

func assignString(p *string, d *node) error {
	switch d.kind {
	case jsonString:
		*p = d.text
		return nil
	case jsonObject:
		b, err := d.bytes()
		*p = string(b)
		return err
	}
	return fmt.Errorf("%s is not a text", d)
}

// bytes returns the bytes of {"base64": …}.
func (d *node) bytes() ([]byte, error) {
	text := d.member("base64")
	if text == nil || text.kind != jsonString {
		return nil, fmt.Errorf("%s is not {\"base64\": …}", d)
	}
	return base64.StdEncoding.DecodeString(text.text)
}

func assignHex(p []byte, d *node) error {
	b, err := hex.DecodeString(d.text)
	if err != nil || d.kind != jsonString || len(b) != len(p) {
		return fmt.Errorf("%s is not %d hex digits", d, 2*len(p))
	}
	copy(p, b)
	return nil
}

func parseID(d *node) (classid.ID, error) {
	n, err := strconv.ParseUint(d.text, 16, 32)
	if err != nil || d.kind != jsonString || len(d.text) != 8 {
		return 0, fmt.Errorf("%s is not an ID of eight hex digits", d)
	}
	return classid.ID(n), nil
}

func assignID(p *gbx.ID, d *node) error {
	switch d.kind {
	case jsonNull:
		*p = gbx.NoID
		return nil
	case jsonString:
		*p = gbx.NewID(d.text)
		return nil
	case jsonNumber:
		n, err := strconv.ParseUint(d.text, 10, 30)
		*p = gbx.NumberID(uint32(n))
		return err
	case jsonObject:
		if d.member("base64") != nil {
			b, err := d.bytes()
			*p = gbx.NewID(string(b))
			return err
		}
		word := d.member("word")
		if word == nil {
			break
		}
		w, err := parseID(word)
		if err != nil {
			return err
		}
		text := d.member("text")
		if text == nil {
			*p = gbx.WordID(uint32(w), nil)
			return nil
		}
		var s string
		err = assignString(&s, text)
		*p = gbx.WordID(uint32(w), &s)
		return err
	}
	return fmt.Errorf("%s is no ID", d)
}

func assignFloat(p *float32, d *node) error {
	if bits := d.member("bits"); bits != nil {
		n, err := parseID(bits)
		*p = math.Float32frombits(uint32(n))
		return err
	}
	f, err := strconv.ParseFloat(d.text, 32)
	if err != nil || d.kind != jsonNumber {
		return fmt.Errorf("%s is not a number for a float", d)
	}
	*p = float32(f)
	return nil
}

// assignNumber sets an integer of any size. A value of an enum may be given by name.
func assignNumber(v reflect.Value, d *node) error {
	if _, named := v.Interface().(stringer); named && d.kind == jsonString && v.Kind() == reflect.Uint32 {
		n, ok := enumValue(v.Type(), d.text)
		if !ok {
			return fmt.Errorf("%s has no value %q", v.Type().Name(), d.text)
		}
		v.SetUint(uint64(n))
		return nil
	}
	bits := v.Type().Bits()
	if d.kind == jsonNumber {
		if v.CanInt() {
			if n, err := strconv.ParseInt(d.text, 10, bits); err == nil {
				v.SetInt(n)
				return nil
			}
		} else if n, err := strconv.ParseUint(d.text, 10, bits); err == nil {
			v.SetUint(n)
			return nil
		}
	}
	return fmt.Errorf("%s is not a whole number of %d bits", d, bits)
}

// assignText sets the value at p from JSON, or from a text without quotes.
func assignText(p any, text string) error {
	d, err := parseJSON([]byte(text))
	switch p := p.(type) {
	case *string:
		*p = text
		return nil
	case *gbx.ID:
		if err != nil || d.kind == jsonBool {
			d = &node{kind: jsonString, text: text}
		}
		if d.kind == jsonString && p.IsGlobal() { // keep the kind of the ID
			*p = gbx.NewGlobalID(d.text)
			return nil
		}
	case *gbx.Time:
		if why := gbx.TimeDoubt(text); why != "" {
			return errors.New(why)
		}
		t, ok := gbx.ParseTime(text)
		if !ok && err == nil {
			break // a negative number
		}
		if !ok {
			return fmt.Errorf("%q is not a time: write it like 0:36.217, in milliseconds, or as none", text)
		}
		*p = t
		return nil
	case *gbx.Hash128, *gbx.Hash256, *classid.ID:
		if err != nil || d.kind != jsonString { // hex digits may look like a number
			d = &node{kind: jsonString, text: text}
		}
	case *gbx.Opaque:
		return errors.New("has an unknown layout and cannot be set")
	default:
		if err != nil {
			d = &node{kind: jsonString, text: text}
		}
	}
	return assign(p, d)
}
