#!/bin/bash
# Builds the program and its package twice, from clones of the last commit in two folders of
# other names, and compares them byte by byte.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
for name in one another-one; do
  git clone -q . "$dir/$name"
  # Without the compiler's cache of the first build the second one really compiles.
  (cd "$dir/$name" && umask "$([ $name = one ] && echo 022 || echo 027)" && GOCACHE="$dir/cache-$name" make --no-print-directory deb >"$dir/$name.log" 2>&1) || { tail -n 20 "$dir/$name.log"; exit 1; }
done
cd "$dir"
for file in one/bin/*; do
  cmp "$file" "another-one/bin/$(basename "$file")"
done
(cd one/bin && sha256sum -- *)
echo "Both builds are the same."
