package archive

// Want states which parts of a JSON document the caller needs, so that the others need not
// be made. A nil Want needs nothing.
type Want struct {
	all     bool
	members map[string]*Want
	each    *Want // needed of every member of an object or element of a list
}

// Everything needs the whole document.
var Everything = &Want{all: true}

// All reports whether everything below is needed.
func (w *Want) All() bool { return w != nil && w.all }

// Member returns what is needed of a member of an object.
func (w *Want) Member(name string) *Want {
	if w == nil || w.all {
		return w
	}
	m := w.members[name]
	switch {
	case m == nil:
		return w.each
	case w.each != nil:
		return Everything // both apply; merging them is not worth the code
	}
	return m
}

// Each returns what is needed of every element of a list.
func (w *Want) Each() *Want {
	if w == nil || w.all {
		return w
	}
	return w.each
}

// AddAll asks for everything.
func (w *Want) AddAll() { w.all = true }

// AddMember asks for a member, and returns its Want, to be filled in.
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

// AddEach asks for all elements of a list or members of an object, and returns their
// Want, to be filled in.
func (w *Want) AddEach() *Want {
	if w.all {
		return w
	}
	if w.each == nil {
		w.each = new(Want)
	}
	return w.each
}
