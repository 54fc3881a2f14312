package main

// maker makes a row when it is wanted: inputs take time to make.
type maker struct {
	name string
	make func(name string) (row, error)
}

// makers lists all rows.
func (b *bench) makers() []maker {
	all := b.commandRows()
	all = append(all, b.gbxRows()...)
	all = append(all, b.trackmaniaRows()...)
	all = append(all, b.vpkRows()...)
	all = append(all, b.archiveRows()...)
	all = append(all, b.indexRows()...)
	all = append(all, b.mountRows()...)
	return append(all, b.simutransRows()...)
}

// cli is a row's command of pakbox itself.
func (b *bench) cli(args ...string) command {
	name := "pakbox"
	for _, a := range args {
		if len(name) > 30 || len(a) > 0 && a[0] == '/' {
			break
		}
		name += " " + a
	}
	return command{name: name, args: append([]string{b.pakbox, "--quiet"}, args...), env: []string{"PAKBOX_KEYS=" + b.keys()}}
}

// with is a command that begins with an output removed.
func (c command) with(clean func() error) command {
	c.clean = clean
	return c
}

// starting is the floor of every command: the program starts, and ends.
func (b *bench) starting() command {
	return command{name: "pakbox version", args: []string{b.pakbox, "version"}, floor: true}
}

// reading is the floor of everything that reads files: reading them.
func reading(set files) command { return floor("cat: read the bytes", "cat", set.paths...) }
