#!/usr/bin/env bash
# Installs what the build and the tests need and this machine lacks: Debian 12 (or a relative) with Swift on it. May be run again at any time.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build-tests
venv=$folder/venv
mkdir -p "$folder"
log=$folder/install.log

as_root() {
  if [ "$(id -u)" -eq 0 ]; then env "$@"; else sudo env "$@"; fi
}

# Runs quietly; what it said is shown only when it fails.
quietly() {
  "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "Tests/install.sh: this failed: $*" >&2; exit 1; }
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() {
  # libcurl4 became libcurl4t64 in later releases; either brings libcurl.so.4.
  local curl=libcurl4 missing=() package
  is_installed libcurl4t64 && curl=libcurl4t64
  for package in libjansson-dev pkg-config "$curl" ca-certificates openssl procps iproute2 jq python3 python3-venv strace chromium glewlwyd dbconfig-no-thanks; do
    is_installed "$package" || missing+=("$package")
  done
  # Some machines bring their own node, which Debian's would fight with.
  command -v node >/dev/null || missing+=(nodejs)
  # The editors that the examples are for.
  command -v emacs >/dev/null || missing+=(emacs-nox)
  command -v nvim >/dev/null || missing+=(neovim)
  vim --version 2>/dev/null | grep -q '+channel' || missing+=(vim)
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing: ${missing[*]}" >&2
  quietly as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq
  if [[ " ${missing[*]} " == *" glewlwyd "* ]]; then
    # Without an answer to this question the package's own set-up fails and leaves dpkg half configured.
    echo 'glewlwyd glewlwyd/config_type select No configuration' | as_root debconf-set-selections
  fi
  quietly as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# Minimal images leave documentation out, which is where Debian keeps glewlwyd's database schema.
unpack_schema() {
  local sql=usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz
  if [ -f "/$sql" ] || [ -s "$folder/${sql##*/}" ]; then return 0; fi
  (cd "$folder" && apt-get download -qq glewlwyd >/dev/null && dpkg-deb --fsys-tarfile glewlwyd_*.deb | tar -xO "./$sql" >"${sql##*/}")
  rm -f "$folder"/glewlwyd_*.deb
}

install_python() {
  local requirements=Tests/Servers/requirements.txt
  cmp -s "$requirements" "$venv/requirements.txt" && return 0
  echo "preparing Python's packages" >&2
  # The system's Python where there is one: one of a version manager may vanish under the environment.
  local python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  quietly "$python" -m venv --clear "$venv"
  quietly "$venv/bin/pip" install -q --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$venv/requirements.txt"
}

if command -v apt-get >/dev/null; then
  install_packages
  unpack_schema
fi
install_python
