#!/bin/sh
# Installs jigo: curl -fsSL https://github.com/jigo-go/jigo/releases/latest/download/install.sh | sh
#
# JIGO_VERSION   the release, such as 0.2.0 (default: the newest)
# JIGO_INSTALL   the folder of the program (default: ~/.local/bin)
# JIGO_RELEASES  the URL of the releases (default: https://github.com/jigo-go/jigo/releases)
#
# The script compares the archive with its checksum. If gh is installed,
# `gh attestation verify FILE --repo jigo-go/jigo` shows who built the archive.
set -eu

fail() { echo "install.sh: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# fetch URL FILE: downloads a file.
fetch() {
  if has curl; then curl --proto '=https,file' --tlsv1.2 -fsSL "$1" -o "$2" || fail "$1 can't be had"
  elif has wget; then wget -q "$1" -O "$2" || fail "$1 can't be had"
  else fail "there is neither curl nor wget"; fi
}

# All work is in a function, so that a partial download of this script does nothing.
install() {
  releases="${JIGO_RELEASES:-https://github.com/jigo-go/jigo/releases}"
  folder="${JIGO_INSTALL:-$HOME/.local/bin}"
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) fail "there is no binary for $(uname -s) on $(uname -m); with Rust: cargo install --locked jigo" ;;
  esac
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  if [ -n "${JIGO_VERSION:-}" ]; then
    version="$JIGO_VERSION"
  else
    fetch "$releases/latest/download/version" "$work/version"
    version="$(cat "$work/version")"
  fi
  archive="jigo-$version-$target.tar.gz"
  fetch "$releases/download/v$version/$archive" "$work/$archive"
  fetch "$releases/download/v$version/$archive.sha256" "$work/$archive.sha256"
  if has sha256sum; then check="sha256sum -c"; else check="shasum -a 256 -c"; fi
  (cd "$work" && $check "$archive.sha256" >/dev/null 2>&1) || fail "$archive does not have its checksum: it is damaged or another"
  tar -xzf "$work/$archive" -C "$work"
  mkdir -p "$folder"
  # A running program can't be overwritten, but its file can be replaced.
  cp "$work/jigo-$version-$target/jigo" "$folder/.jigo-new"
  chmod 755 "$folder/.jigo-new"
  mv -f "$folder/.jigo-new" "$folder/jigo"
  echo "$("$folder/jigo" --version) is in $folder"
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) echo "$folder is not on your PATH yet" ;;
  esac
}

install
