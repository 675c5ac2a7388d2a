#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The workbench: its modules by the strict type checker, then each view and journey in Chromium, against `varve serve`.
# Screenshots stay in target/workbench, those of docs/workbench.md in target/workbench/docs; with --pictures the latter
# replace the ones in docs/pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. .ci/browser.sh

# The parser's own types stand beside the parser in the web jar.
marked=$(find "$HOME/.m2" -path '*org/webjars/npm/marked*' -name 'marked-*.jar' | sort | tail -1)
mkdir -p "$work/types/lib"
unzip -p "$marked" '*/lib/marked.d.ts' > "$work/types/lib/marked.d.ts"
page=$PWD/server/src/main/resources/dev/varve/server/workbench/page
cat > "$work/tsconfig.json" << CONFIG
{ "compilerOptions": { "strict": true, "checkJs": true, "allowJs": true, "noEmit": true, "noUncheckedIndexedAccess": true,
    "noUnusedLocals": true, "noUnusedParameters": true, "exactOptionalPropertyTypes": true, "module": "esnext", "target": "esnext",
    "lib": ["esnext", "dom", "dom.iterable"], "moduleResolution": "bundler", "types": [], "rootDirs": ["$page", "$work/types"] },
  "include": ["$page/**/*.js"] }
CONFIG
.ci/http-client/node_modules/.bin/tsc -p "$work/tsconfig.json"
echo "workbench: the types hold"

# A proxy that the machine is set up with is not for this machine's own ports.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
node .ci/http-client/workbench.mjs "$browser" "${VARVE:-./varve}" "$work/stores" target/workbench
rm -rf target/workbench/docs
node .ci/http-client/workbench-pictures.mjs "$browser" "${VARVE:-./varve}" "$work/made-up" target/workbench/docs
for picture in docs/pictures/*.png; do
  [ -f "target/workbench/docs/$(basename "$picture")" ] || {
    echo "$picture: the run makes no such picture" >&2
    exit 1
  }
done
if [ "${1:-}" = --pictures ]; then
  cp target/workbench/docs/*.png docs/pictures/
fi
