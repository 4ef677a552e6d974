#!/bin/bash
# Two consoles behind a PgBouncer that lends connections for one transaction each: sign-in,
# pages, the API, changes, events, a stream, files, jobs and commands, at the same time.
# It needs pgbouncer, curl, bin/officeconsole, and an empty database with a password:
#   tools/pooler.sh postgres://console:secret@127.0.0.1:5432/console
set -euo pipefail
direct=${1:?the URL of an empty database}
[[ $direct =~ ^postgres(ql)?://([^:]+):([^@]+)@([^:/]+):([0-9]+)/([^?]+) ]] || { echo "the URL needs a user, a password, a host and a port"; exit 2; }
user=${BASH_REMATCH[2]} password=${BASH_REMATCH[3]} host=${BASH_REMATCH[4]} port=${BASH_REMATCH[5]} database=${BASH_REMATCH[6]}
console=$PWD/bin/officeconsole dir=$(mktemp -d) pooler_port=${POOLER_PORT:-6543} ports=(${CONSOLE_PORTS:-8441 8442})
chmod 755 "$dir"
started=()
end() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$dir"
}
trap end EXIT
fail() { echo "FAILED: $*"; tail -n 5 "$dir"/*.log; exit 1; }

cat >"$dir/pgbouncer.ini" <<INI
[databases]
$database = host=$host port=$port dbname=$database user=$user password=$password
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $pooler_port
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 500
INI
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups) # PgBouncer refuses to run as root
"${as[@]}" pgbouncer "$dir/pgbouncer.ini" 2>"$dir/pgbouncer.log" &
started+=($!)
pooled=postgres://$user:$password@127.0.0.1:$pooler_port/$database
until (: <"/dev/tcp/127.0.0.1/$pooler_port") 2>/dev/null; do sleep 0.1; done

export OFFICECONSOLE_DATABASE_URL=$pooled OFFICECONSOLE_DATA_DIR=$dir/data OFFICECONSOLE_BLOB_URL=$dir/blobs
if "$console" migrate 2>"$dir/refused.log"; then fail "the pooler alone was accepted"; fi
grep -q -- --direct-database-url "$dir/refused.log" || fail "the refusal does not say what to do"
export OFFICECONSOLE_DIRECT_DATABASE_URL=$direct
"$console" migrate
"$console" demo --employees 300 --days 14 >/dev/null
token=$("$console" token create --company hanbit.example --scope events,read | grep -o 'oc[a-z]*_[A-Za-z0-9_-]*' | head -1)
for port in "${ports[@]}"; do
  "$console" serve --listen "127.0.0.1:$port" >"$dir/serve-$port.out" 2>"$dir/serve-$port.log" &
  started+=($!)
  until curl -fso /dev/null "http://127.0.0.1:$port/readyz"; do sleep 0.2; kill -0 $! 2>/dev/null || fail "did not serve"; done
done
one=http://127.0.0.1:${ports[0]} two=http://127.0.0.1:${ports[1]}

curl -sN --max-time 600 -H "Authorization: Bearer $token" "$two/api/v1/companies/1/stream" >"$dir/stream" &
started+=($!)
until grep -q connected "$dir/stream" 2>/dev/null; do sleep 0.1; done
curl -fsS -c "$dir/jar" -o /dev/null --data-urlencode email=admin@hanbit.example --data-urlencode 'password=Console!2026' "$one/login"
access=$(curl -fsS -H 'Content-Type: application/json' -d '{"email":"admin@hanbit.example","password":"Console!2026"}' "$one/api/v1/oauth/login" | grep -o '"access_token":"[^"]*"' | cut -d'"' -f4)
[ -n "$access" ] || fail "no access token"

# load sends requests of one kind, and writes every status that is no success.
load() { # name, times, curl arguments
  local name=$1 times=$2; shift 2
  for ((i = 0; i < times; i++)); do
    curl -s -o /dev/null -w "%{http_code} $name\n" "$@"
  done >>"$dir/statuses"
}
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
loads=()
for site in "$one" "$two"; do
  for page in /policies/communication/management /logs/workingattitude/day /logs/workingattitude/month /profile '/search?q=%EA%B9%80%EC%84%9C' /manage/security/access /manage/use/webhook; do
    load "$page" 20 -L -b "$dir/jar" "$site$page" & loads+=($!)
  done
  load export 5 -b "$dir/jar" "$site/logs/workingattitude/day/export?format=csv" & loads+=($!)
  for ((n = 0; n < 20; n++)); do
    load clock 1 -X POST -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
      -d "{\"events\":[{\"event_id\":\"$site-$n\",\"user_id\":$((n + 10)),\"kind\":\"in\",\"occurred_at\":\"$now\",\"sent_at\":\"$now\",\"platform\":\"mobile\",\"address\":\"203.0.113.9\"}]}" "$site/api/v1/companies/1/events/clock"
    load policy 1 -X POST -H "Authorization: Bearer $access" -H 'Content-Type: application/json' \
      -d "{\"name\":\"정책 $site $n\",\"effective_from\":\"now\"}" "$site/api/v1/companies/1/users/1/policies/communication"
  done & loads+=($!)
done
wait "${loads[@]}"
sort "$dir/statuses" | uniq -c
if grep -v '^2' "$dir/statuses" >/dev/null; then fail "a request failed"; fi
events=$(grep -c '^event: policy.changed' "$dir/stream") # what both consoles saved, as one of them sent it
[ "$events" = 40 ] || fail "the stream has $events of 40 changes"
"$console" verify
if grep -hE '"level":"ERROR"|prepared statement|listening for changes was interrupted' "$dir"/serve-*.log; then fail "a console logged an error"; fi
echo "Everything holds."
