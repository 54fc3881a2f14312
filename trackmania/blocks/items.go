package blocks

import (
	"slices"
	"strings"
	"sync"
)

// Item is an item that a game brings along.
type Item struct {
	Name        string
	Environment string // the collection that has it
	Role        Role
}

// itemsPart ends the names of the parts of the catalogue that list items.
const itemsPart = " items"

// items are the items of each environment by name.
var items = sync.OnceValue(func() map[string]map[string]*Item {
	all := map[string]map[string]*Item{}
	for name, part := range sections() {
		environment, ok := strings.CutSuffix(name, itemsPart)
		if !ok {
			continue
		}
		all[environment] = map[string]*Item{}
		for line := range strings.Lines(part.text) {
			name, role, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			all[environment][name] = &Item{name, environment, roleOf(role)}
		}
	}
	return all
})

// FindItem returns an item of an environment, by the name of its collection; nil
// for one that is not known.
func FindItem(collection, name string) *Item {
	table := tableOf(collection)
	if it := items()[table][name]; it != nil {
		return it
	}
	return items()[families[table]][name]
}

// ItemNames lists the items that maps of a collection can use, by name.
func ItemNames(collection string) []string {
	var names []string
	table := tableOf(collection)
	for _, environment := range []string{table, families[table]} {
		for name := range items()[environment] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ItemEnvironment names an environment that has an item; "" for none.
func ItemEnvironment(name string) string {
	found := ""
	for environment, list := range items() {
		if list[name] != nil && (found == "" || environment < found) {
			found = environment
		}
	}
	return found
}

// Names lists the blocks that maps of a collection can use, by name.
func Names(collection string) []string {
	var names []string
	table := tableOf(collection)
	for _, environment := range []string{table, families[table]} {
		for name := range in(environment) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// EnvironmentsWith lists the environments that have a block of a name.
func EnvironmentsWith(name string) (list []string) {
	for _, environment := range Environments() {
		if in(environment)[name] != nil {
			list = append(list, environment)
		}
	}
	return list
}
