#!/bin/bash
# The alerts and the dashboard, tried with a real Prometheus: the rules are tested with made-up
# figures, then Prometheus reads the metrics of a console and evaluates every rule and every
# query of the dashboard. It needs prometheus, promtool, curl, jq and bin/officeconsole.
set -euo pipefail
rules=$PWD/deploy/prometheus/officeconsole.rules.yml dashboard=$PWD/deploy/grafana/officeconsole.json
promtool check rules "$rules"
promtool test rules deploy/prometheus/officeconsole.rules.test.yml

dir=$(mktemp -d) metrics_port=${METRICS_PORT:-9461} prometheus_port=${PROMETHEUS_PORT:-9462}
chmod 755 "$dir"
started=()
end() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$dir"
}
trap end EXIT
fail() { echo "FAILED: $*"; tail -n 5 "$dir"/*.log; exit 1; }
until_true() { # a command, for half a minute
  for _ in $(seq 300); do "$@" && return; sleep 0.1; done
  return 1
}

bin/officeconsole serve --listen 127.0.0.1:0 --data-dir "$dir/data" --metrics-listen "127.0.0.1:$metrics_port" >"$dir/console.log" 2>&1 &
started+=($!)
cat >"$dir/prometheus.yml" <<YAML
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$rules]
scrape_configs: [{job_name: officeconsole, static_configs: [{targets: ["127.0.0.1:$metrics_port"]}]}]
YAML
prometheus --config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/prometheus" --web.listen-address="127.0.0.1:$prometheus_port" 2>"$dir/prometheus.log" &
started+=($!)

query() { curl -sf "http://127.0.0.1:$prometheus_port/api/v1/query" --data-urlencode "query=$1"; }
is_up() { [ "$(query 'up{job="officeconsole"}' 2>/dev/null | jq -r '.data.result[0].value[1]')" = 1 ]; }
until_true is_up || fail "Prometheus does not read the console's metrics"
are_evaluated() { [ "$(curl -sf "http://127.0.0.1:$prometheus_port/api/v1/rules" | jq '[.data.groups[].rules[] | select(.health != "ok")] | length')" = 0 ]; }
until_true are_evaluated || fail "a rule cannot be evaluated"
[ "$(curl -sf "http://127.0.0.1:$prometheus_port/api/v1/alerts" | jq '[.data.alerts[] | select(.state == "firing")] | length')" = 0 ] || fail "an alert fires for a console that has just started"

n=0
while read -r expression; do
  expression=${expression//\$instance/.*}
  query "${expression//\$__rate_interval/1m}" >"$dir/answer" || fail "the dashboard's query $expression is refused"
  n=$((n + 1))
done < <(jq -r '.panels[].targets[].expr' "$dashboard")
echo "Prometheus evaluated all rules and the $n queries of the dashboard."
