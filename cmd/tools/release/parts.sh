#!/bin/sh
# What each part adds to the program, in MB: the program is built once as it is, and once
# for each part without the line that leads to it. The linker then leaves the part out.
# docs/evidence/release.md keeps the table. A line below is a part, a file, the text that is taken out
# of it (the text behind => is put in its place), and a file that is left out as a whole.
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export CGO_ENABLED=0

size() { # of the program, built with the given flags
	go build -trimpath -ldflags='-s -w' -o "$work/pakbox" "$@" ./cmd/pakbox
	wc -c <"$work/pakbox"
}

whole=$(size)
echo "| part | MB |"
echo "|---|---|"
echo "| the whole program | $(echo "scale=2; $whole / 1000000" | bc) |"
while IFS='|' read -r name file text other; do
	out=${text%%=>*} in=
	case $text in *'=>'*) in=${text#*=>} ;; esac
	OUT=$out IN=$in awk '{ while ((i = index($0, ENVIRON["OUT"])) > 0) { $0 = substr($0, 1, i - 1) ENVIRON["IN"] substr($0, i + length(ENVIRON["OUT"])); n++ }; print } END { exit n != 1 }' "$file" >"$work/changed.go" ||
		{ echo "parts.sh: $file does not have once: $out" >&2; exit 1; }
	[ -z "$other" ] || grep -m 1 '^package ' "$other" >"$work/empty.go"
	printf '{"Replace": {"%s/%s": "%s/changed.go"%s}}' "$PWD" "$file" "$work" "${other:+, \"$PWD/$other\": \"$work/empty.go\"}" >"$work/overlay.json"
	echo "| $name | $(echo "scale=2; ($whole - $(size -overlay "$work/overlay.json")) / 1000000" | bc) |"
done <<'PARTS'
`ask`, which Python and Node talk to|cmd/internal/cli/serve/reach.go|{Name: "ask", Make: x.askCommand}, 
`mcp`, with the SDK of its protocol|cmd/internal/cli/serve/reach.go|, {Name: "mcp", Make: x.mcpCommand}|cmd/internal/cli/serve/mcp.go
`serve --api`, with its OpenAPI document|cmd/internal/cli/serve/serve.go|return a.serveAPI(ctx, paths, host, o)=>return nil
`class --export`|cmd/internal/cli/nadeo/class.go|return a.export(form, args)=>return nil
`simutrans lsp`|cmd/internal/cli/simutrans/simutrans.go|, a.lspCommand()
`item` and `nadeoimporter`, without `item lint` in maps|cmd/internal/cli/nadeo/nadeo.go|{Name: "item", Make: a.itemCommand}, {Name: "nadeoimporter", Make: a.nadeoImporterCommand}, 
`clip`|cmd/internal/cli/nadeo/nadeo.go|{Name: "clip", Make: a.clipCommand}, 
PARTS
