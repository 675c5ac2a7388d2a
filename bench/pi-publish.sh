#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Publishes a session of 1 GiB, appends 10 KB and publishes it again, beside b3sum on one thread. Prints CPU time (user and
# system) and elapsed time of each, and how many bytes of the session were read to hash it. Java's start is in all of Varve's times.
#
# usage: pi-publish.sh [FOLDER]    needs 4 GiB there. VARVE: the command to measure
set -euo pipefail
varve=${VARVE:-$(cd "$(dirname "$0")/.." && pwd)/varve}
work=$(mktemp -d -p "${1:-/tmp}")
trap 'rm -rf "$work"' EXIT
export VARVE_STORE=$work/store
session=$work/session.jsonl
TIMEFORMAT='  %U s user, %S s system, %R s elapsed'

publish() { "$varve" pi publish "$session" --json "$@" | grep -o '"bytes_read":[0-9]*,"way":"[a-z]*"'; }

python3 - "$session" << 'PY'
import base64, json, random, sys
noise = random.Random(1)
with open(sys.argv[1], "w") as out:
    out.write('{"type":"session","version":3,"id":"bench","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/src"}\n')
    number = 0
    while out.tell() < 1 << 30:
        text = base64.b64encode(noise.randbytes(noise.choice([300, 3000, 90000]))).decode()
        out.write(json.dumps({"type": "message", "id": "%08x" % number, "parentId": None, "text": text}) + "\n")
        number += 1
PY
cat "$session" > /dev/null
echo "b3sum --num-threads 1"
time b3sum --num-threads 1 "$session" > "$work/sum"
echo "java starts: varve --version"
time "$varve" --version > /dev/null
echo "first publish: hash, store"
time publish
echo "again, nothing new"
time publish
head -c 10240 /dev/zero | tr '\0' 'x' >> "$session"
echo "again, behind 10 KB more"
time publish
echo "again, reading everything"
time publish --verify
[ "$("$varve" pi publish "$session" --json | grep -o '"src_hash":"[0-9a-f]*"' | cut -d'"' -f4)" = "$(b3sum --no-names "$session")" ]
