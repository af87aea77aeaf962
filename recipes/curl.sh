#!/bin/sh
# A photo becomes a video, with sh and curl alone.
#
#   REELAY_URL=https://reelay.example REELAY_TOKEN=... sh curl.sh photo.jpg "slow zoom, golden light" video.mp4
set -eu
photo=${1:?usage: curl.sh PHOTO PROMPT [VIDEO]} prompt=${2:?usage: curl.sh PHOTO PROMPT [VIDEO]} video=${3:-video.mp4}
: "${REELAY_URL:?set it to the address of Reelay, such as http://127.0.0.1:8787}"
: "${REELAY_TOKEN:?set it to what \"npx reelay partner add\" printed}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2 && exit 1; }

# The token comes from a file: everybody on this machine may read command lines.
printf 'header = "Authorization: Bearer %s"\n' "$REELAY_TOKEN" >"$work/token"
reelay() { curl --silent --show-error --config "$work/token" "$@"; }

# text NAME FILE: the first text of that name. Quotes inside a text are escaped, so no text is taken for a name.
text() { grep -oE "\"$1\":\"([^\"\\\\]|\\\\.)*\"" "$2" | head -n 1 | sed 's/^"[^"]*":"//; s/"$//; s/\\"/"/g'; }

# Prints each event as a line.
show() {
  while IFS= read -r line; do
    phase=${line#data: *\"phase\":\"} progress=${line#*\"progress\":}
    [ "$phase" = "$line" ] || echo "  ${phase%%\"*} ${progress%%,*}%" | sed 's/ null%//'
  done
}

# One key for one order: however often it is sent, it is made once and charged once.
[ -r "$photo" ] || fail "$photo cannot be read."
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
for pause in 1 2 4 8 16 0; do
  status=$(reelay "$REELAY_URL/v1/jobs" --output "$work/answer" --dump-header "$work/head" --write-out '%{http_code}' \
    --header "Idempotency-Key: $key" --form operation=video --form "image=@$photo" --form-string "prompt=$prompt") ||
    status=none
  [ "$status" != 202 ] || break
  [ "$status" = none ] || grep -q '"retryable":true' "$work/answer" || break
  sleep "$pause"
done
[ "$status" != none ] || fail "No answer from $REELAY_URL."
[ "$status" = 202 ] || fail "$(text detail "$work/answer")"
job=$REELAY_URL$(tr -d '\r' <"$work/head" | sed -n 's/^[Ll]ocation: //p')
echo "Accepted: $job"

# The stream ends with the job. Where the line breaks before, it is opened again.
while :; do
  reelay --no-buffer "$job/events" | show
  reelay --fail --retry 5 --retry-connrefused "$job" --output "$work/job" || fail "$job cannot be read."
  case $(text status "$work/job") in
  completed) break ;;
  failed) fail "$(text detail "$work/job")" ;;
  cancelled) fail "The job was cancelled." ;;
  esac
  sleep 3
done

# The link needs no token: until it expires it can be given to anybody.
curl --silent --show-error --fail --retry 5 --retry-connrefused --output "$video" "$(text link "$work/job")"
echo "Saved: $video"
