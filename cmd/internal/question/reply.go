package question

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"pakbox/fact"
)

// Reply is an answer in the form that is sent: one JSON object with schema, path and
// format before the fields of the answer. Path and format are missing if the question is
// not about a file.
type Reply struct {
	Path, Format string
	Answer       any

	question *Question
}

// Parts returns the replies that a command prints: one for each part of the answer.
func (r *Reply) Parts() []*Reply {
	parted, ok := r.Answer.(Parted)
	if !ok {
		return []*Reply{r}
	}
	var parts []*Reply
	for _, part := range parted.Parts() {
		one := *r
		one.Answer = part
		parts = append(parts, &one)
	}
	return parts
}

// MarshalJSON writes the reply.
func (r *Reply) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"schema":` + strconv.Quote(r.question.SchemaName()))
	if !r.question.NoFile {
		b.WriteString(`,"path":`)
		b.Write(fact.JSON(r.Path))
		b.WriteString(`,"format":`)
		b.Write(fact.JSON(fact.Known(r.Format, r.Format != "")))
	}
	if f, ok := r.Answer.(Fielder); ok {
		if err := f.AppendFields(&b); err != nil {
			return nil, err
		}
	} else if err := appendFields(&b, r.Answer); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// appendFields writes the fields of a struct after the content of the buffer.
func appendFields(b *bytes.Buffer, answer any) error {
	if v := reflect.ValueOf(answer); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	at := b.Len()
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		return err
	}
	object := b.Bytes()[at:]
	end := bytes.LastIndexByte(object, '}')
	if end <= 1 { // an object without fields
		b.Truncate(at)
		return nil
	}
	object[0] = ','
	b.Truncate(at + end)
	return nil
}
