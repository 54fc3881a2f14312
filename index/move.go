package index

import (
	"path"
	"reflect"
)

// Move makes the rows of a file those of the same content at another path.
func (r *Rows) Move(from, to string, mtimeNS *int64) {
	keys := map[int64]int64{}
	for i := range r.Files {
		f := &r.Files[i]
		f.Path = to + f.Path[len(from):]
		keys[f.File] = Key(f.Path)
		if f.Parent == nil {
			f.Name, f.MtimeNS = path.Base(to), mtimeNS
		}
	}
	for _, t := range Tables() {
		rows := t.Of(r)
		for i := range rows.Len() {
			for k, c := range t.Columns {
				if c.Ref {
					rekey(rows.Index(i).Field(k), keys)
				}
			}
		}
	}
	for i := range r.Files {
		if f := &r.Files[i]; f.Parent == nil {
			r.renamed(f)
		}
	}
}

func rekey(column reflect.Value, keys map[int64]int64) {
	if column.Kind() == reflect.Pointer {
		if column.IsNil() {
			return
		}
		to := keys[column.Elem().Int()]
		column.Set(reflect.ValueOf(&to)) // files of one parent may point to the same key
		return
	}
	column.SetInt(keys[column.Int()])
}

// renamed makes what people search a file for that of its name.
func (r *Rows) renamed(f *File) {
	for i := range r.Texts {
		if r.Texts[i].File == f.File {
			r.Texts[i] = r.texts(f, &Rows{})
		}
	}
}
