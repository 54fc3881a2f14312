package archive

// Want says which parts of a document are looked at, so that the others need
// not be made. A nil Want wants nothing.
type Want struct {
	all     bool
	members map[string]*Want
	each    *Want // every member of an object, every element of a list
}

// Everything wants all there is.
var Everything = &Want{all: true}

// All reports whether all below is wanted.
func (w *Want) All() bool { return w != nil && w.all }

// Member returns what is wanted of a member of an object.
func (w *Want) Member(name string) *Want {
	if w == nil || w.all {
		return w
	}
	m := w.members[name]
	switch {
	case m == nil:
		return w.each
	case w.each != nil:
		return Everything // what two ways of asking want is not worth telling apart
	}
	return m
}

// Each returns what is wanted of every element of a list.
func (w *Want) Each() *Want {
	if w == nil || w.all {
		return w
	}
	return w.each
}

// AddAll wants all from now on.
func (w *Want) AddAll() { w.all = true }

// AddMember wants a member, and returns what is wanted of it.
func (w *Want) AddMember(name string) *Want {
	if w.all {
		return w
	}
	if w.members[name] == nil {
		if w.members == nil {
			w.members = map[string]*Want{}
		}
		w.members[name] = new(Want)
	}
	return w.members[name]
}

// AddEach wants all elements of a list or members of an object, and returns
// what is wanted of them.
func (w *Want) AddEach() *Want {
	if w.all {
		return w
	}
	if w.each == nil {
		w.each = new(Want)
	}
	return w.each
}
