# soak.sh TIME SEED attacks pakbox for a time, such as 10m or 1h, and prints a report
# in Markdown: half of the time is for fuzzing, a third for damage, the rest for faults.
report=$(mktemp)
seconds=$(($(echo "$1" | sed 's/h/*3600+/; s/m/*60+/; s/s/+/')0))
targets=$(grep -rh --include='*_test.go' '^func Fuzz' . | wc -l)
code=0
fuzz=$(sh cmd/tools/soak/fuzz.sh $((seconds / 2 / targets + 1))) || code=1
soak() {
	go -C cmd/tools test ./soak -v -timeout 0 -run "^$1\$" -time "$2s" -seed "$seed" -findings "$PWD/soak-findings" -report "$report" >&2 || code=1
}
seed=$2
soak TestDamage $((seconds / 3))
soak TestFaults $((seconds / 6))
printf '# Soak\n\n`make soak TIME=%s SEED=%s` on %s (%s, %s cores).\n\n## Fuzz targets\n\n%s\n' "$1" "$2" "$(date -u +%F)" "$(go version | cut -d' ' -f3-)" "$(nproc)" "$fuzz"
cat "$report"
rm "$report"
exit $code
