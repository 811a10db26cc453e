#!/usr/bin/env bash
# Writes a signed apt repository of Debian packages into a folder, which a web server or `file://` then serves.
#
#   Sources/packaging/apt.sh KEY FOLDER DEB...
#
# KEY is a file with the maintainer's secret key of OpenPGP. Packages of several architectures make one repository. Needs apt-utils and gpg.
# With the folder at URL, a user types, and then apt-get update and apt-get install oauth-stdio:
#   curl -fsS URL/oauth-stdio-archive-keyring.gpg | sudo tee /usr/share/keyrings/oauth-stdio.gpg >/dev/null
#   echo 'deb [signed-by=/usr/share/keyrings/oauth-stdio.gpg] URL stable main' | sudo tee /etc/apt/sources.list.d/oauth-stdio.list
# SOURCE_DATE_EPOCH is the time of the signature: the same packages and the same Ed25519 or RSA key give the same bytes.
set -euo pipefail
umask 022
export LC_ALL=C TZ=UTC
key=$1 folder=$2
shift 2
home=$(mktemp -d)
trap 'gpgconf --homedir "$home" --kill all 2>/dev/null; rm -rf "$home"' EXIT
gpg=(gpg --homedir "$home" --batch --quiet --no-tty --faked-system-time "${SOURCE_DATE_EPOCH:-$(date +%s)}!")
"${gpg[@]}" --import "$key"
fingerprint=$("${gpg[@]}" --list-secret-keys --with-colons | awk -F: '$1 == "fpr" { print $10; exit }')
[ -n "$fingerprint" ] || { echo "apt.sh: $key has no secret key" >&2; exit 1; }

mkdir -p "$folder/pool"
cp "$@" "$folder/pool"
cd "$folder"
architectures=()
for deb in pool/*.deb; do architectures+=("$(dpkg-deb --field "$deb" Architecture)"); done
mapfile -t architectures < <(printf '%s\n' "${architectures[@]}" | sort -u)
release=dists/stable
for architecture in "${architectures[@]}"; do
  place=$release/main/binary-$architecture
  mkdir -p "$place"
  # It takes the files whose names end with the architecture.
  apt-ftparchive --arch "$architecture" packages pool >"$place/Packages"
  [ -s "$place/Packages" ] || { echo "apt.sh: no package is named …_$architecture.deb" >&2; exit 1; }
  gzip -9nc "$place/Packages" >"$place/Packages.gz"
done
rm -f "$release"/{Release,InRelease,Release.gpg}
apt-ftparchive -o APT::FTPArchive::Release::Origin=oauth-stdio -o APT::FTPArchive::Release::Suite=stable \
  -o APT::FTPArchive::Release::Codename=stable -o APT::FTPArchive::Release::Components=main \
  -o APT::FTPArchive::Release::Architectures="${architectures[*]}" release "$release" |
  sed "s/^Date: .*/Date: $(date -Ru -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")/" >"$home/Release"
mv "$home/Release" "$release/Release"
"${gpg[@]}" --local-user "$fingerprint" --clearsign --output "$release/InRelease" "$release/Release"
"${gpg[@]}" --local-user "$fingerprint" --armor --detach-sign --output "$release/Release.gpg" "$release/Release"
"${gpg[@]}" --export "$fingerprint" >oauth-stdio-archive-keyring.gpg
