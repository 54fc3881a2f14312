package main

import (
	"debug/buildinfo"
	"encoding/json"
	"runtime/debug"
)

// billOfMaterials lists the modules that are linked into a program, as CycloneDX 1.6
// in JSON. It comes from the program itself: Go records the modules in every build.
func billOfMaterials(program string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	type property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type component struct {
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	library := func(m *debug.Module) component {
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		if m.Sum != "" { // in the form of go.sum
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		return c
	}
	bill := struct {
		Format   string `json:"bomFormat"`
		Spec     string `json:"specVersion"`
		Version  int    `json:"version"`
		Metadata struct {
			Component component `json:"component"`
		} `json:"metadata"`
		Components []component `json:"components"`
	}{Format: "CycloneDX", Spec: "1.6", Version: 1}
	bill.Metadata.Component = component{Type: "application", Name: info.Main.Path, Version: info.Main.Version}
	bill.Components = []component{{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + info.GoVersion[len("go"):]}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		bill.Components = append(bill.Components, library(m))
	}
	text, err := json.MarshalIndent(bill, "", "  ")
	return append(text, '\n'), err
}
