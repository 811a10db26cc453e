#!/usr/bin/env bash
# Installs the program with its manual page and its completions for bash, zsh and fish.
#
#   examples/install.sh            into ~/.local
#   examples/install.sh /usr/local into another folder
#   examples/install.sh --uninstall [/usr/local]
#                                  removes all of that, and undoes `oauth-stdio setup`
#   OAUTH_STDIO=FILE               installs this program instead of the build's
#
# Builds first, which needs what README names. Prints each installed or removed file. Logins and the configuration stay.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
uninstalls=
[ "${1:-}" != --uninstall ] || { uninstalls=1 && shift; }
prefix=${1:-$HOME/.local}
program=$prefix/bin/oauth-stdio
files=(
  "$program" "$prefix/share/man/man1/oauth-stdio.1" "$prefix/share/bash-completion/completions/oauth-stdio"
  "$prefix/share/zsh/site-functions/_oauth-stdio" "$prefix/share/fish/vendor_completions.d/oauth-stdio.fish"
)
if [ -n "$uninstalls" ]; then
  [ -x "$program" ] || { echo "install.sh: there is no $program: name the folder into which it was installed" >&2; exit 1; }
  # A helper that is gone would make each of Git's and docker's questions fail.
  if command -v git >/dev/null; then "$program" setup git --remove; fi
  "$program" setup docker --remove
  rm -vf "${files[@]}"
  data=${XDG_DATA_HOME:-$HOME/.local/share}/oauth-stdio
  config=${XDG_CONFIG_HOME:-$HOME/.config}/oauth-stdio
  [ ! -d "$config" ] || echo "install.sh: the configuration stays in $config" >&2
  if compgen -G "$data/*.grant" >/dev/null; then
    echo "install.sh: your logins stay in $data. To end them at the providers as well, install again and run: oauth-stdio logout --all" >&2
  fi
  exit
fi
binary=${OAUTH_STDIO:-$root/.build/release/oauth-stdio}
if [ -z "${OAUTH_STDIO:-}" ] && ! command -v swift >/dev/null; then
  echo "install.sh: install Swift 6.1 or later first: https://www.swift.org/install" >&2
  exit 1
fi
if [ -z "${OAUTH_STDIO:-}" ]; then
  log=$(mktemp)
  "$root/Sources/packaging/progress.sh" "$log" "$root/Sources/packaging/release.sh" --product oauth-stdio ||
    { cat "$log" >&2; echo "install.sh: the build failed" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
fi

# put MODE TARGET: installs standard input as the file TARGET in one step, because the program may be running.
put() {
  mkdir -p "$(dirname "$2")"
  cat >"$2.new"
  chmod "$1" "$2.new"
  mv -f "$2.new" "$2"
  echo "$2"
}

put 755 "$program" <"$binary"
"$program" --man | put 644 "${files[1]}"
"$program" --completion bash | put 644 "${files[2]}"
"$program" --completion zsh | put 644 "${files[3]}"
"$program" --completion fish | put 644 "${files[4]}"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "install.sh: $prefix/bin is not in PATH: add this line to your shell's profile: export PATH=\"$prefix/bin:\$PATH\"" >&2 ;;
esac
# zsh reads completions from the folders in fpath, and only some systems name this one there. ~/.zshrc may name it, too.
functions=$prefix/share/zsh/site-functions
if command -v zsh >/dev/null && ! zsh -c 'print -rl -- $fpath' </dev/null 2>/dev/null | grep -qxF "$functions" &&
  ! grep -qsF -e "$functions" -e "${functions/#"$HOME"/\~}" -e "${functions/#"$HOME"/\$HOME}" "${ZDOTDIR:-$HOME}/.zshrc"; then
  echo "install.sh: $functions is not in zsh's fpath: add this line to ~/.zshrc, before compinit: fpath=(\"$functions\" \$fpath)" >&2
fi
echo "Next: oauth-stdio login PROVIDER, such as github" >&2
