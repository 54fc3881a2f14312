package answer

import (
	"slices"

	"github.com/itchyny/gojq"

	"pakbox/archive"
)

// wantedBy returns the parts of a document that a jq expression reads. If that cannot be
// determined, it is everything.
func wantedBy(q *gojq.Query) *archive.Want {
	root := new(archive.Want)
	useAll(wantQuery(q, []*archive.Want{root})) // the results are printed completely
	return root
}

// The functions here follow an expression. in is its input, which may be one of several
// parts of the document; the result is the parts that it may output. A part that is read
// as a whole is marked as used. A value that the expression makes is not a part.

func useAll(parts []*archive.Want) {
	for _, p := range parts {
		p.AddAll()
	}
}

func wantQuery(q *gojq.Query, in []*archive.Want) []*archive.Want {
	switch {
	case q == nil:
		return in
	case len(q.FuncDefs) > 0 || len(q.Imports) > 0 || len(q.Patterns) > 0:
		useAll(in)
		return nil
	case q.Term != nil:
		return wantTerm(q.Term, in)
	}
	switch q.Op {
	case gojq.OpPipe:
		return wantQuery(q.Right, wantQuery(q.Left, in))
	case gojq.OpComma, gojq.OpAlt:
		return slices.Concat(wantQuery(q.Left, in), wantQuery(q.Right, in))
	case gojq.OpAdd, gojq.OpSub, gojq.OpMul, gojq.OpDiv, gojq.OpMod,
		gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe, gojq.OpAnd, gojq.OpOr:
		useAll(wantQuery(q.Left, in))
		useAll(wantQuery(q.Right, in))
		return nil
	}
	useAll(in) // an assignment outputs the whole input
	return nil
}

func wantTerm(t *gojq.Term, in []*archive.Want) []*archive.Want {
	out := wantBare(t, in)
	for _, s := range t.SuffixList {
		switch {
		case s.Index != nil:
			out = wantIndex(s.Index, out, in)
		case s.Iter:
			out = eachOf(out)
		}
	}
	return out
}

// wantBare follows a term without its suffixes.
func wantBare(t *gojq.Term, in []*archive.Want) []*archive.Want {
	switch t.Type {
	case gojq.TermTypeIdentity:
		return in
	case gojq.TermTypeIndex:
		return wantIndex(t.Index, in, in)
	case gojq.TermTypeQuery:
		return wantQuery(t.Query, in)
	case gojq.TermTypeFunc:
		return wantFunc(t.Func, in)
	case gojq.TermTypeIf:
		return wantIf(t.If, in)
	case gojq.TermTypeArray:
		if t.Array.Query != nil {
			useAll(wantQuery(t.Array.Query, in))
		}
		return nil
	case gojq.TermTypeObject:
		for _, kv := range t.Object.KeyVals {
			wantKeyVal(kv, in)
		}
		return nil
	case gojq.TermTypeUnary:
		useAll(wantTerm(t.Unary.Term, in))
		return nil
	case gojq.TermTypeString:
		for _, q := range t.Str.Queries {
			useAll(wantQuery(q, in))
		}
		return nil
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		return nil
	}
	useAll(in)
	return in
}

func wantFunc(f *gojq.Func, in []*archive.Want) []*archive.Want {
	switch {
	case f.Name == "empty" && len(f.Args) == 0:
		return nil
	case f.Name == "select" && len(f.Args) == 1:
		useAll(wantQuery(f.Args[0], in))
		return in
	case f.Name == "map" && len(f.Args) == 1:
		useAll(wantQuery(f.Args[0], eachOf(in)))
		return nil
	}
	useAll(in)
	return nil
}

func wantIf(i *gojq.If, in []*archive.Want) []*archive.Want {
	useAll(wantQuery(i.Cond, in))
	out := slices.Clone(wantQuery(i.Then, in))
	for _, e := range i.Elif {
		useAll(wantQuery(e.Cond, in))
		out = append(out, wantQuery(e.Then, in)...)
	}
	return append(out, wantQuery(i.Else, in)...)
}

// wantKeyVal follows a member of an object construction: {name: .path}, or {name} for
// {name: .name}.
func wantKeyVal(kv *gojq.ObjectKeyVal, in []*archive.Want) {
	plain := kv.Key != "" && kv.Key[0] != '$' && kv.KeyQuery == nil
	switch {
	case plain && kv.Val == nil:
		useAll(membersNamed(in, kv.Key))
	case plain:
		useAll(wantQuery(kv.Val, in))
	default:
		useAll(in)
	}
}

// wantIndex follows an index into parts. The expression in brackets reads in, the input
// of the whole term.
func wantIndex(i *gojq.Index, parts, in []*archive.Want) []*archive.Want {
	switch {
	case i.Name != "":
		return membersNamed(parts, i.Name)
	case i.Str != nil && len(i.Str.Queries) == 0:
		return membersNamed(parts, i.Str.Str)
	}
	if !i.IsSlice && i.Start != nil && i.Start.Term != nil && len(i.Start.Term.SuffixList) == 0 {
		switch s := i.Start.Term; {
		case s.Type == gojq.TermTypeNumber:
			return eachOf(parts)
		case s.Type == gojq.TermTypeString && len(s.Str.Queries) == 0:
			return membersNamed(parts, s.Str.Str)
		}
	}
	useAll(parts)
	useAll(in)
	return parts
}

func membersNamed(parts []*archive.Want, name string) []*archive.Want {
	out := make([]*archive.Want, len(parts))
	for i, p := range parts {
		out[i] = p.AddMember(name)
	}
	return out
}

func eachOf(parts []*archive.Want) []*archive.Want {
	out := make([]*archive.Want, len(parts))
	for i, p := range parts {
		out[i] = p.AddEach()
	}
	return out
}
