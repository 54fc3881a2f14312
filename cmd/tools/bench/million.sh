# How an index grows: PAKBOX, the number of maps, and a folder to make them in. A tenth,
# three tenths and all of the maps are indexed ROUNDS times in turns, each time by a
# process of its own, after all files were read once. A line has the number of files, the
# processor time, the wall time, the memory, the processor time of each file, and that
# time as a multiple of the first line's: 1.1 is the aim. Times are the least of all rounds.
set -eu
pakbox=$1 most=$2 dir=$3
here=$(cd "$(dirname "$0")" && pwd)
corpus=${PAKBOX_CORPUS:-$here/../../../../shared/corpus}
rounds=${ROUNDS:-3}
[ $((most % 10000)) = 0 ] || { echo "the number of maps is a multiple of 10,000" >&2; exit 2; }
case $dir in /*) ;; *) dir=$PWD/$dir ;; esac
[ -e "$dir/made" ] || { rm -rf "$dir" && mkdir -p "$dir" && "$here/../run" bench -make maps "$(cd "$corpus" && pwd)/gbx/03043000" "$most" "$dir/maps" && touch "$dir/made"; }
cd "$dir"
measure() { # NUMBER NAME COMMAND…
	number=$1 name=$2
	shift 2
	/usr/bin/time -a -o "took.$number.$name" -f '%U %S %e %M' "$@" > out 2>&1 || { cat out >&2; exit 1; }
}
line() { # NUMBER NAME
	awk -v n="$1" -v what="$2" -v base="${base:-0}" '
		least == "" || $1 + $2 < least { least = $1 + $2 } wall == "" || $3 < wall { wall = $3 } $4 > memory { memory = $4 }
		END { each = least * 1000 / n
			printf "%-10s %8d files %8.2f s processor %8.2f s %5d MB %8.4f ms a file%s\n", what, n, least, wall, memory / 1024, each, base ? sprintf(" %6.2f", each / base) : "" }' "took.$1.$2"
}
find maps -type f -exec cat {} + > /dev/null
parts="$((most / 10)) $((most * 3 / 10)) $most"
rm -f took.*
for round in $(seq "$rounds"); do
	for number in $parts; do
		rm -f grown.sqlite*
		ls maps | head -n $((number / 1000)) | sed 's|^|maps/|' > list
		measure "$number" index "$pakbox" --quiet index --files-from list -o grown.sqlite
	done
done
for number in $parts; do
	[ -n "${base:-}" ] || base=$(awk -v n="$number" 'least == "" || $1 + $2 < least { least = $1 + $2 } END { print least * 1000 / n }' "took.$number.index")
	line "$number" index
done
base=
ask() { # NAME COMMAND…
	name=$1
	shift
	for round in $(seq "$rounds"); do measure "$most" "$name" "$@"; done
	line "$most" "$name"
}
ask again "$pakbox" --quiet index --files-from list -o grown.sqlite
ask find-part "$pakbox" --quiet find grown.sqlite 'name~road'
ask find-uid "$pakbox" --quiet find grown.sqlite uid=pakbox_grown_00000000007777
ask stats "$pakbox" --quiet stats grown.sqlite
ask dupes "$pakbox" --quiet dupes grown.sqlite
ls -l grown.sqlite | awk '{ printf "%.2f GB\n", $5 / 1e9 }'
cd / && rm -rf "$dir"
