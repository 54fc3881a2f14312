package desc

import "pakbox/simutrans/node"

// New returns an empty descriptor of a type in the given Standard version.
// It returns an Opaque for a type that has none.
func New(t node.Type, version int) Descriptor {
	k, ok := kinds[t]
	if !ok {
		return &Opaque{}
	}
	d := k.make()
	d.head().Version = Version{Standard: version}
	return d
}
