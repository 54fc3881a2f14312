package blocks

import (
	"slices"
	"strings"
	"sync"
)

// Item is an item that a game provides.
type Item struct {
	Name        string
	Environment string // the collection with this item
	Role        Role
}

// itemsPart is the end of the names of those parts of the catalogue that list items.
const itemsPart = " items"

// items holds the items by environment and name.
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

// FindItem returns an item by the name of its collection and its own name, nil if it is
// unknown.
func FindItem(collection, name string) *Item {
	table := tableOf(collection)
	if it := items()[table][name]; it != nil {
		return it
	}
	return items()[families[table]][name]
}

// ItemNames lists the items that maps of a collection can use, sorted by name.
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

// ItemEnvironment returns an environment that has this item, "" for none.
func ItemEnvironment(name string) string {
	found := ""
	for environment, list := range items() {
		if list[name] != nil && (found == "" || environment < found) {
			found = environment
		}
	}
	return found
}

// Names lists the blocks that maps of a collection can use, sorted by name.
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

// EnvironmentsWith lists the environments that have a block with this name.
func EnvironmentsWith(name string) (list []string) {
	for _, environment := range Environments() {
		if in(environment)[name] != nil {
			list = append(list, environment)
		}
	}
	return list
}
