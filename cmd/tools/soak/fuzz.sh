# fuzz.sh SECONDS runs every fuzz target of every module of the project for so many
# seconds. Go tries 100 shorter forms of an input that reaches new code; without that
# bound it would try for all the time there is. Inputs that reach new code are kept in
# Go's cache. A target that fails or does not stop is told, the others still run, and
# the script fails at its end.
set -e
total=0 targets=0 findings=0
for file in $(grep -rl --include='*_test.go' '^func Fuzz' . | sort); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		targets=$((targets + 1))
		out=$(cd "$(dirname "$file")" && timeout $(($1 + 300)) go test -run '^$' -fuzz "^$target\$" -fuzztime "$1s" -fuzzminimizetime 100x . 2>&1) ||
			# Go calls it a failure if the time is up between two inputs.
			case $out in *"    context deadline exceeded
FAIL"*) ;; *)
				echo "$out" >&2
				echo "FINDING: $file $target" >&2
				findings=$((findings + 1))
				;;
			esac
		runs=$(echo "$out" | sed -n 's/.*execs: \([0-9]*\).*/\1/p' | tail -1)
		echo "$file $target: ${runs:-0} executions" >&2
		total=$((total + ${runs:-0}))
	done
done
echo "$targets fuzz targets ran $total times in all, $1 seconds each; $findings of them failed."
[ $findings = 0 ]
