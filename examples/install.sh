#!/usr/bin/env bash
# Installs the program with its manual page and its completions for bash, zsh and fish.
#
#   examples/install.sh            into ~/.local
#   examples/install.sh /usr/local into another folder
#   OAUTH_STDIO=FILE               installs this program instead of the build's
#
# Builds first, which needs what README names. Prints each installed file.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
prefix=${1:-$HOME/.local}
binary=${OAUTH_STDIO:-$root/.build/release/oauth-stdio}
if [ -z "${OAUTH_STDIO:-}" ] && ! command -v swift >/dev/null; then
  echo "install.sh: install Swift 6.1 or later first: https://www.swift.org/install" >&2
  exit 1
fi
[ -n "${OAUTH_STDIO:-}" ] || "$root/Sources/packaging/release.sh" --product oauth-stdio

# put MODE TARGET: installs standard input as the file TARGET in one step, because the program may be running.
put() {
  mkdir -p "$(dirname "$2")"
  cat >"$2.new"
  chmod "$1" "$2.new"
  mv -f "$2.new" "$2"
  echo "$2"
}

put 755 "$prefix/bin/oauth-stdio" <"$binary"
program=$prefix/bin/oauth-stdio
"$program" --man | put 644 "$prefix/share/man/man1/oauth-stdio.1"
"$program" --completion bash | put 644 "$prefix/share/bash-completion/completions/oauth-stdio"
"$program" --completion zsh | put 644 "$prefix/share/zsh/site-functions/_oauth-stdio"
"$program" --completion fish | put 644 "$prefix/share/fish/vendor_completions.d/oauth-stdio.fish"
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
