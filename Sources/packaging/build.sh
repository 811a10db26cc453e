#!/usr/bin/env bash
# Builds the files of a release: a Debian package, a tarball, a Python wheel, npm packages (on x86_64), the source, an SBOM, a Homebrew formula,
# their checksums and, with a key to sign it, an apt repository.
#
#   Sources/packaging/build.sh         into .build-packages
#   Sources/packaging/build.sh FOLDER  into another folder
#   RELEASE_URL=https://…              the folder on the web from which the formula downloads
#   SIGNING_KEY=FILE                   the maintainer's secret key of OpenPGP; writes the folder apt, the repository to upload
#   OAUTH_STDIO=FILE                   packages release/oauth-stdio of this build, without checking it
#
# Needs what README names, and binutils, dpkg, git and Python; apt-utils and gpg for the repository. Prints each file.
# As release.sh does, it writes the same bytes in every folder.
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
here=$root/Sources/packaging
output=${1:-$root/.build-packages}
mkdir -p "$output"
output=$(cd "$output" && pwd -P)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

if [ -n "${OAUTH_STDIO:-}" ]; then
  binary=$OAUTH_STDIO
else
  "$here/release.sh" --product oauth-stdio >&2
  binary=$root/.build/release/oauth-stdio
  "$here/check.sh" "$binary" "$root"
fi

if [ -n "$(git -C "$root" status --porcelain)" ]; then
  echo "build.sh: the work tree differs from the last commit, which gives the date and the source" >&2
fi
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$("$binary" --version)
version=${version#oauth-stdio }
machine=$(uname -m)
name=oauth-stdio-$version-linux-$machine
maintainer=$(git -C "$root" log -1 --format='%an <%ae>')

# compress: like gzip, without a name and a time.
compress() { gzip -9n; }

# The tarball. Its folders are those of a prefix such as /usr/local.
tree=$stage/$name
OAUTH_STDIO=$binary PATH=$tree/bin:$PATH "$root/examples/install.sh" "$tree" >/dev/null
mkdir -p "$tree/share/doc/oauth-stdio"
install -m 644 "$root/README.md" "$root/LICENSE" "$here/copyright" "$tree/share/doc/oauth-stdio"
tar -C "$stage" --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -c "$name" |
  compress >"$output/$name.tar.gz"

# The Debian package, with the same files where Debian's shells and tools look for them.
package=$stage/package
mkdir -p "$package/DEBIAN"
cp -R "$tree" "$package/usr"
rm "$package/usr/share/doc/oauth-stdio/LICENSE"
mv "$package/usr/share/zsh/site-functions" "$package/usr/share/zsh/vendor-completions"
compress <"$tree/share/man/man1/oauth-stdio.1" >"$package/usr/share/man/man1/oauth-stdio.1.gz"
rm "$package/usr/share/man/man1/oauth-stdio.1"
compress >"$package/usr/share/doc/oauth-stdio/changelog.gz" <<END
oauth-stdio ($version) unstable; urgency=medium

  * Release $version.

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
# The sizes in KiB, because the size of a folder depends on the file system.
size=$(find "$package/usr" -type f -printf '%s\n' | awk '{ kilobytes += int(($1 + 1023) / 1024) } END { print kilobytes }')
cat >"$package/DEBIAN/control" <<END
Package: oauth-stdio
Version: $version
Section: utils
Priority: optional
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $size
Depends: libc6 (>= 2.35), libcurl4 | libcurl3-gnutls
Recommends: ca-certificates, libsecret-1-0
Suggests: libpq5, xdg-utils
Description: OAuth for any program that can start a process
 The program signs users in with OAuth, stores and refreshes their tokens,
 and calls APIs with them. It speaks JSON-RPC 2.0 on standard input and
 output, so that an editor's plug-in or a script need not handle a token.
 .
 Each method is a command of the shell as well.
END
install -m 755 "$here/prerm" "$package/DEBIAN"
(cd "$package" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$package" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
deb=oauth-stdio_${version}_$(dpkg --print-architecture).deb
# The number of threads changes what xz writes.
DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$package" "$output/$deb" >/dev/null

source=oauth-stdio-$version.tar.gz
git -C "$root" -c tar.umask=022 archive --format=tar --prefix="oauth-stdio-$version/" HEAD | compress >"$output/$source"

python3 "$here/sbom.py" "$binary" "$version" "$root/Package.resolved" "${binary%/release/oauth-stdio}/checkouts" >"$output/$name.spdx.json"

wheel=$(python3 "$here/wheel.py" "$binary" "$version" "$machine" "$output")

npm=()
[ "$machine" != x86_64 ] || mapfile -t npm < <(python3 "$here/npm.py" "$binary" "$version" "$output")

rm -rf "$output/apt"
[ -z "${SIGNING_KEY:-}" ] || "$here/apt.sh" "$SIGNING_KEY" "$output/apt" "$output/$deb"

# checksum FILE: the SHA-256 of a file of the output.
checksum() { sha256sum <"$output/$1" | cut -d ' ' -f 1; }

sed -e "s|@URL@|${RELEASE_URL:-https://example.org/oauth-stdio}|; s|@VERSION@|$version|" \
  -e "s|@TARBALL@|$name.tar.gz|; s|@TARBALL_SHA256@|$(checksum "$name.tar.gz")|" \
  -e "s|@SOURCE@|$source|; s|@SOURCE_SHA256@|$(checksum "$source")|" "$here/formula.rb" >"$output/oauth-stdio.rb"

cd "$output"
files=("$deb" "$name.tar.gz" "$wheel" "${npm[@]}" "$source" "$name.spdx.json" oauth-stdio.rb)
sha256sum "${files[@]}" >SHA256SUMS
printf "$output/%s\n" "${files[@]}" SHA256SUMS
[ ! -d apt ] || echo "$output/apt"
