#!/bin/bash
# Builds the program and its package twice, from clones of the last commit in folders of
# other names with other rights, and compares all files byte by byte. Both builds use the
# compiler's cache, so set GOCACHE to an empty folder to compile anew.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
for name in one another-one; do
  git clone -q . "$dir/$name"
  (cd "$dir/$name" && umask "$([ $name = one ] && echo 022 || echo 027)" && make --no-print-directory deb >"$dir/$name.log" 2>&1) || { tail -n 20 "$dir/$name.log"; exit 1; }
done
cd "$dir"
for file in one/bin/*; do
  cmp "$file" "another-one/bin/$(basename "$file")"
done
(cd one/bin && sha256sum -- *)
echo "Both builds are the same."
