# SPDX-License-Identifier: Apache-2.0
#
# To be sourced at the project's root: leaves the path of Chromium in $browser, and the driver's modules in .ci/http-client. Installs both
# if they are missing.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  apt_log=$(mktemp)
  { apt-get update && apt-get install -y --no-install-recommends chromium; } > "$apt_log" 2>&1 || {
    tail "$apt_log" >&2
    echo "no Chromium here, and none could be installed" >&2
    exit 1
  }
  rm "$apt_log"
  browser=$(command -v chromium)
fi
(cd .ci/http-client && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent)
