#!/usr/bin/env bash
# Installs the missing packages for the build and the tests, or with `build` for the build alone, on Debian 12 (or a derivative) with Swift.
# Can be run repeatedly.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.build-tests
mkdir -p "$folder"
log=$folder/install.log

as_root() {
  if [ "$(id -u)" -eq 0 ]; then env "$@"; else sudo env "$@"; fi
}

# Runs a command and shows its output only if it fails.
quietly() {
  "$@" >"$log" 2>&1 || { cat "$log" >&2; echo "Tests/install.sh: this failed: $*" >&2; exit 1; }
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs those of the packages that are missing.
with_apt() {
  local missing=() package
  for package; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing: ${missing[*]}" >&2
  quietly as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq
  quietly as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

for_build=(libjansson-dev pkg-config binutils ca-certificates git)

install_packages() {
  # Later releases renamed libcurl4 to libcurl4t64. Both contain libcurl.so.4.
  local curl=libcurl4 wanted
  # The programs of examples/hosts.md that the tests run.
  local hosts=(curl wget httpie aria2 git-lfs gh rclone restic mutt getmail6 ansible-core libwww-perl golang-golang-x-oauth2-dev golang-github-hashicorp-terraform-svchost-dev)
  is_installed libcurl4t64 && curl=libcurl4t64
  wanted=("${for_build[@]}" "$curl" openssl procps iproute2 jq python3 python3-venv strace chromium glewlwyd dbconfig-no-thanks gnome-keyring libsecret-1-0 libsecret-tools dbus pass gnupg postgresql libpq5 faketime zsh fish groff-base man-db msmtp skopeo docker-registry debootstrap apt-utils lintian ruby perl lua5.4 lua-dkjson openssh-client socat bubblewrap "${hosts[@]}")
  # Some machines have their own node, which conflicts with Debian's.
  command -v node >/dev/null || wanted+=(nodejs)
  command -v npm >/dev/null || wanted+=(npm)
  command -v tsc >/dev/null || wanted+=(node-typescript)
  command -v kubectl >/dev/null || wanted+=(kubernetes-client)
  command -v go >/dev/null || wanted+=(golang-go)
  # Where systemd runs, the package would open port 22. The tests there use it only if the machine has it.
  [ -d /run/systemd/system ] || [ -x /usr/sbin/sshd ] || wanted+=(openssh-server)
  # It checks the units of examples/systemd.
  command -v systemd-analyze >/dev/null || wanted+=(systemd)
  # The editors for the examples.
  command -v emacs >/dev/null || wanted+=(emacs-nox)
  command -v nvim >/dev/null || wanted+=(neovim)
  vim --version 2>/dev/null | grep -q '+channel' || wanted+=(vim)
  # Without an answer to this question, the package's set-up fails and leaves dpkg half configured.
  is_installed glewlwyd || echo 'glewlwyd glewlwyd/config_type select No configuration' | as_root debconf-set-selections
  with_apt "${wanted[@]}"
}

# Minimal images omit documentation, and Debian packages glewlwyd's database schema there.
unpack_schema() {
  local sql=usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz
  if [ -f "/$sql" ] || [ -s "$folder/${sql##*/}" ]; then return 0; fi
  (cd "$folder" && apt-get download -qq glewlwyd >/dev/null && dpkg-deb --fsys-tarfile glewlwyd_*.deb | tar -xO "./$sql" >"${sql##*/}")
  rm -f "$folder"/glewlwyd_*.deb
}

# tsc reads the declarations of Node's modules. Debian packages them in nodejs, and a machine's own node does not have them.
unpack_node_types() {
  if [ -d /usr/share/nodejs/@types/node ] || [ -d "$folder/@types/node" ]; then return 0; fi
  (
    . /etc/os-release
    cd "$folder"
    apt-get download -qq "nodejs/$VERSION_CODENAME" >/dev/null
    dpkg-deb --fsys-tarfile nodejs_*.deb | tar -x --strip-components=4 ./usr/share/nodejs/@types
  )
  rm -f "$folder"/nodejs_*.deb
}

# Installs what a file lists into a virtual environment, unless it has that already. The other arguments go to pip.
install_python() {
  local requirements=$1 venv=$2
  shift 2
  cmp -s "$requirements" "$venv/requirements.txt" && return 0
  echo "preparing Python's packages of $requirements" >&2
  # The system's Python if there is one, because a version manager may delete its Python later.
  local python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  quietly "$python" -m venv --clear "$venv"
  quietly "$venv/bin/pip" install -q --disable-pip-version-check "$@" -r "$requirements"
  cp "$requirements" "$venv/requirements.txt"
}

if [ "${1:-}" = build ]; then
  ! command -v apt-get >/dev/null || with_apt "${for_build[@]}"
  exit
fi
if command -v apt-get >/dev/null; then
  install_packages
  unpack_schema
  unpack_node_types
fi
install_python Tests/Servers/requirements.txt "$folder/venv"
# Hosts of MCP, for the two lines of the SDK, of which an environment has one.
install_python Tests/Servers/hosts/mcp1.txt "$folder/mcp1" --no-compile
install_python Tests/Servers/hosts/mcp2.txt "$folder/mcp2" --no-compile
install_python Tests/Servers/hosts/python.txt "$folder/hosts" --no-compile
