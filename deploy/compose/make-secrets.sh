#!/usr/bin/env bash
# Makes deploy/compose/secrets/ with random passwords, once; existing files stay.
set -euo pipefail
folder="$(dirname "${BASH_SOURCE[0]}")/secrets"
install -d -m 0700 "$folder"
cd "$folder"

random() {
    od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# Other accounts may read the files, because the containers run under other accounts; none may enter the
# folder.
keep() {
    [[ -e $1 ]] && return
    printf '%s\n' "$2" >"$1"
    chmod 0444 "$1"
}

keep database-password "$(random)"
keep database-url "postgres://cityguide:$(<database-password)@postgres:5432/cityguide"
keep internal-key "$(random)"
keep grafana-password "$(random)"

if [[ ! -e rabbitmq.conf ]]; then
    password=$(random)
    keep bus-url "amqp://cityguide:$password@rabbitmq:5672/%2f"
    keep rabbitmq.conf "default_user = cityguide
default_pass = $password"
fi

if [[ ! -e redis.conf ]]; then
    password=$(random)
    keep cache-url "redis://:$password@redis:6379/0"
    keep redis.conf "requirepass $password
save \"\"
appendonly no
maxmemory 256mb
maxmemory-policy noeviction"
fi
