#!/bin/bash
# A cluster on this machine for trying: three databases under Patroni with etcd, each in a
# network namespace of its own as if it were a machine, HAProxy, PgBouncer and two consoles.
#   try.sh start            start everything, with the demo company
#   try.sh status           who leads, and who follows how closely
#   try.sh kill-leader      kill all processes of the leader's machine at once
#   try.sh kill-database    kill only the PostgreSQL of the leader
#   try.sh cut-leader       cut the leader's machine off from the network
#   try.sh heal             connect and start again whatever was cut off or killed
#   try.sh environment      the variables with which commands reach the cluster
#   try.sh stop             end everything and remove its data
# It needs root, for the namespaces, and Debian's postgresql-15, patroni, etcd-server,
# haproxy and pgbouncer. DIR is where it keeps its data, on a disk or in memory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
console=${CONSOLE:-$here/../../bin/officeconsole}
dir=${DIR:-/var/tmp/officeconsole-ha}
network=10.77.0
hosts=(1 2 3)
ports=(8441 8442)
address() { echo "$network.1$1"; }
fail() { echo "try.sh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "network namespaces need root"

# fill replaces the words in capital letters of a file in this directory.
fill() { # file, result, further sed expressions
  local file=$1 to=$2; shift 2
  sed -e "s/DB1/$(address 1)/g; s/DB2/$(address 2)/g; s/DB3/$(address 3)/g; s/LISTEN/127.0.0.1/g" \
    -e "s/SUPERUSER_PASSWORD/$(secret superuser)/; s/REPLICATION_PASSWORD/$(secret replication)/; s#CLIENTS#$network.0/24#" "$@" "$here/$file" >"$to"
}

# secret prints a password, which is made at the first start.
secret() {
  [ -s "$dir/secrets/$1" ] || { mkdir -p "$dir/secrets"; chmod 700 "$dir/secrets"; head -c 18 /dev/urandom | base64 | tr '+/' 'ab' >"$dir/secrets/$1"; }
  cat "$dir/secrets/$1"
}

# run starts a program in the background, for which name is the file of its log.
run() { # name, command
  local name=$1; shift
  setsid "$@" >>"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
}
is_running() { [ -s "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2>/dev/null; }
# end stops a program, at last by force: Patroni waits for the copy of a new standby.
end() {
  is_running "$1" || return 0
  kill "$(cat "$dir/$1.pid")"
  for ((i = 0; i < 100; i++)); do is_running "$1" || return 0; sleep 0.1; done
  kill -9 "$(cat "$dir/$1.pid")"
}
as_postgres=(setpriv --reuid postgres --regid postgres --init-groups env HOME=/var/lib/postgresql)

make_network() {
  [ ! -e /sys/class/net/oc-ha ] || return 0
  ip link add oc-ha type bridge
  ip address add "$network.1/24" dev oc-ha
  ip link set oc-ha up
  for n in "${hosts[@]}"; do
    ip netns add "oc-db$n"
    ip link add "oc-veth$n" type veth peer name eth0 netns "oc-db$n"
    ip link set "oc-veth$n" master oc-ha up
    ip -n "oc-db$n" address add "$(address "$n")/24" dev eth0
    ip -n "oc-db$n" link set eth0 up
    ip -n "oc-db$n" link set lo up
    # The copy of a new standby would wait two hours for a leader that was cut off.
    ip netns exec "oc-db$n" sysctl -qw net.ipv4.tcp_keepalive_time=10 net.ipv4.tcp_keepalive_intvl=2 net.ipv4.tcp_keepalive_probes=3
  done
}

# start_host starts what runs on the machine of a database, unless it runs.
start_host() {
  local n=$1 at name=db$1
  at=$(address "$n")
  install -d -o postgres -g postgres -m 700 "$dir/$name"
  if ! is_running "etcd$n"; then
    run "etcd$n" ip netns exec "oc-db$n" "${as_postgres[@]}" etcd --name "$name" --data-dir "$dir/$name/etcd" \
      --listen-client-urls "http://$at:2379" --advertise-client-urls "http://$at:2379" \
      --listen-peer-urls "http://$at:2380" --initial-advertise-peer-urls "http://$at:2380" \
      --initial-cluster "db1=http://$(address 1):2380,db2=http://$(address 2):2380,db3=http://$(address 3):2380" \
      --enable-v2 --heartbeat-interval 200 --election-timeout 2000 --log-level warn
  fi
  if ! is_running "patroni$n"; then
    fill patroni.yml "$dir/$name.yml" -e "s/NAME/$name/; s/ADDRESS/$at/g; s#DIR#$dir/$name#g"
    chown postgres "$dir/$name.yml"; chmod 600 "$dir/$name.yml"
    run "patroni$n" ip netns exec "oc-db$n" "${as_postgres[@]}" patroni "$dir/$name.yml"
  fi
}

# leader prints the number of the database that leads, or nothing.
leader() {
  for n in "${hosts[@]}"; do
    if curl -fs -m 2 -o /dev/null "http://$(address "$n"):8008/primary"; then echo "$n"; return; fi
  done
}

await() { # what, command
  local what=$1; shift
  for ((i = 0; i < 600; i++)); do if "$@" >/dev/null 2>&1; then return; fi; sleep 0.2; done
  fail "waited in vain for $what; see the logs in $dir"
}
has_leader() { [ -n "$(leader)" ]; }
# follow reports whether all three run on one timeline: Patroni also calls a standby
# running that cannot follow the new leader.
follow() {
  local cluster
  cluster=$(curl -fs -m 2 "http://$(address 1):8008/cluster") &&
    [ "$(grep -o '"state": "[a-z]*"' <<<"$cluster" | grep -cE 'running|streaming')" = 3 ] &&
    [ "$(grep -o '"timeline": [0-9]*' <<<"$cluster" | sort -u | wc -l)" = 1 ]
}
has_synchronous() { curl -fs -m 2 "http://$(address 1):8008/cluster" | grep -q sync_standby; }

environment() {
  local user
  user="console:$(secret console)"
  echo "export OFFICECONSOLE_DATABASE_URL=postgres://$user@127.0.0.1:6432/console"
  echo "export OFFICECONSOLE_DIRECT_DATABASE_URL=postgres://$user@127.0.0.1:5000/console"
  echo "export OFFICECONSOLE_DATA_DIR=$dir/console OFFICECONSOLE_BLOB_URL=$dir/blobs"
}

create_database() {
  local sql="do \$\$ begin if not exists (select from pg_roles where rolname = 'console') then create role console login password '$(secret console)'; end if; end \$\$;
    select 'create database console owner console' where not exists (select from pg_database where datname = 'console') \gexec"
  ip netns exec "oc-db$(leader)" "${as_postgres[@]}" psql -qX -v ON_ERROR_STOP=1 -h "$dir/db$(leader)" <<<"$sql"
}

start() {
  [ -x "$console" ] || fail "$console is not there: run make build"
  mkdir -p "$dir"
  chmod 755 "$dir"
  make_network
  for n in "${hosts[@]}"; do start_host "$n"; done
  await "a leader" has_leader
  create_database
  await "a standby" has_synchronous
  fill haproxy.cfg "$dir/haproxy.cfg"
  is_running haproxy || run haproxy haproxy -db -f "$dir/haproxy.cfg"
  install -o postgres -m 600 /dev/stdin "$dir/users.txt" <<<"\"console\" \"$(secret console)\""
  fill pgbouncer.ini "$dir/pgbouncer.ini" -e "s#DIR#$dir#"
  is_running pgbouncer || run pgbouncer "${as_postgres[@]}" pgbouncer "$dir/pgbouncer.ini"
  await PgBouncer bash -c ": </dev/tcp/127.0.0.1/6432"
  eval "$(environment)"
  await "the schema" "$console" migrate
  "$console" company list | grep -q hanbit.example || "$console" demo --employees "${EMPLOYEES:-300}" --days 14
  for port in "${ports[@]}"; do
    is_running "console$port" || run "console$port" "$console" serve --listen "127.0.0.1:$port" --metrics-listen "127.0.0.1:1$port"
    await "a console" curl -fs "http://127.0.0.1:$port/readyz"
  done
  await "all databases" follow
  status
}

status() {
  local n
  n=$(leader)
  [ -n "$n" ] || fail "no database leads"
  echo "The leader is db$n. Consoles: $(printf 'http://127.0.0.1:%s ' "${ports[@]}")"
  patronictl -c "$dir/db$n.yml" list
}

heal() {
  for n in "${hosts[@]}"; do
    ip link set "oc-veth$n" up
    start_host "$n"
  done
  await "a leader" has_leader
  await "all databases" follow
  await "a synchronous standby" has_synchronous
}

stop() {
  for port in "${ports[@]}"; do end "console$port"; done
  for name in pgbouncer haproxy; do end "$name"; done
  for n in "${hosts[@]}"; do end "patroni$n"; done
  for n in "${hosts[@]}"; do end "etcd$n"; done
  for n in "${hosts[@]}"; do
    pids=$(ip netns pids "oc-db$n" 2>/dev/null || true)
    [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
    ip link delete "oc-veth$n" 2>/dev/null || true # at once: that of the namespace takes a while
    ip netns delete "oc-db$n" 2>/dev/null || true
  done
  ip link delete oc-ha 2>/dev/null || true
  rm -rf "$dir"
}

case ${1:-} in
start | status | heal | environment | stop) "$1" ;;
kill-leader) n=$(leader); ip netns pids "oc-db$n" | xargs kill -9; echo "killed the machine of db$n" ;;
kill-database) n=$(leader); kill -9 "$(head -1 "$dir/db$n/data/postmaster.pid")"; echo "killed the database of db$n" ;;
cut-leader) n=$(leader); ip link set "oc-veth$n" down; echo "cut off db$n" ;;
*) sed -n 's/^# \{0,1\}//p' "$0" | sed -n 2,15p; exit 2 ;;
esac
