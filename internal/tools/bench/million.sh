# How an index grows: PAKBOX, the number of maps, and a folder to make them in. Each
# line has the number of files, the processor time, the wall time and the memory of a
# command. Times are of one run: compare the processor time of each file.
set -eu
pakbox=$1 most=$2 dir=$3
here=$(dirname "$0")
corpus=${PAKBOX_CORPUS:-$here/../../../../shared/corpus}
[ -e "$dir/made" ] || { rm -rf "$dir" && mkdir -p "$dir" && "$here/../run" bench -make maps "$corpus/gbx/03043000" "$most" "$PWD/$dir/maps" && touch "$dir/made"; }
cd "$dir"
measure() { # NUMBER NAME COMMAND…
	number=$1 name=$2
	shift 2
	/usr/bin/time -o took -f '%U %S %e %M' "$@" > out 2>&1
	awk -v n="$number" -v what="$name" '{ printf "%-24s %8d files  %8.2f s processor  %8.2f s  %4d MB  %.4f ms a file\n", what, n, $1 + $2, $3, $4 / 1024, ($1 + $2) * 1000 / n }' took
}
for share in 10 3 1; do # a tenth, a third (rounded down to 3/10 of the folders), all
	folders=$((most / 1000 / share))
	[ $share = 3 ] && folders=$((most * 3 / 10000))
	rm -f grown.sqlite*
	ls maps | head -n $folders | sed 's|^|maps/|' > list
	measure $((folders * 1000)) index "$pakbox" --quiet index --files-from list -o grown.sqlite
done
measure "$most" 'index again' "$pakbox" --quiet index --files-from list -o grown.sqlite
measure "$most" 'find name~road' "$pakbox" --quiet find grown.sqlite 'name~road'
measure "$most" 'find uid' "$pakbox" --quiet find grown.sqlite uid=pakbox_grown_00000000777777
measure "$most" stats "$pakbox" --quiet stats grown.sqlite
measure "$most" dupes "$pakbox" --quiet dupes grown.sqlite
ls -l grown.sqlite | awk '{ printf "%.2f GB\n", $5 / 1e9 }'
cd .. && rm -rf "$dir"
