# serve.sh FILE starts the explorer and asks it every question about a file. Soak
# reads a line with "panic:" as a finding.
address=$(mktemp)
pakbox serve --no-browser --no-token --listen 127.0.0.1:0 in >"$address" &
server=$!
until [ -s "$address" ]; do
	kill -0 $server 2>/dev/null || break
	sleep 0.01
done
for question in $QUESTIONS; do
	code=$(curl --silent --max-time 300 --output /dev/null --write-out '%{http_code}' --get --data-urlencode "path=$1" "$(cat "$address")api/$question")
	case $code in '' | 000 | 500) echo "panic: $question answered $code" >&2 ;; esac
done
rm "$address"
kill -INT $server
wait $server
