#!/bin/bash
# Packs bin/officeconsole as a Debian package, bin/officeconsole_VERSION_ARCH.deb. The same
# program gives the same package, byte by byte. It needs dpkg-deb.
#   tools/deb.sh 1.4.0
set -euo pipefail
version=${1:?the version} arch=$(dpkg --print-architecture)
version=${version#v}
# A version without a tag begins with its day, and comes before every tag.
[[ $version =~ ^([0-9]{4}\.[0-9]{2}\.[0-9]{2}-|[^0-9]) ]] && version=0~$version
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
umask 022
chmod 755 "$dir"

install -D bin/officeconsole "$dir/usr/bin/officeconsole"
install -Dm644 deploy/systemd/officeconsole.service "$dir/usr/lib/systemd/system/officeconsole.service"
install -Dm640 deploy/systemd/officeconsole.env "$dir/etc/officeconsole/officeconsole.env"
doc=$dir/usr/share/doc/officeconsole
install -Dm644 -t "$doc" docs/*.md README.md bin/officeconsole.spdx.json
install -Dm644 bin/NOTICE "$doc/NOTICE"
install -Dm644 -t "$doc/examples" deploy/prometheus/officeconsole.rules.yml deploy/grafana/officeconsole.json
install -Dm644 -t "$doc/examples/ha" deploy/ha/{haproxy.cfg,patroni.yml,pgbouncer.ini}
install -Dm755 -t "$doc/examples/ha" deploy/ha/try.sh
install -d "$dir/DEBIAN"
install -m755 -t "$dir/DEBIAN" deploy/deb/{postinst,prerm,postrm}
echo /etc/officeconsole/officeconsole.env >"$dir/DEBIAN/conffiles"
cat >"$dir/DEBIAN/control" <<CONTROL
Package: officeconsole
Version: ${version//-/+}
Architecture: $arch
Maintainer: Office Console <maintainers@officeconsole.example>
Installed-Size: $(du -sk "$dir/usr" | cut -f1)
Depends: adduser, libc6 (>= 2.27), libgcc-s1, libstdc++6
Recommends: ca-certificates, tzdata
Section: web
Priority: optional
Description: administrator console of a workplace messenger
 One program that serves the pages in Korean, English and Japanese and brings
 its own PostgreSQL for those who have none.
CONTROL
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
find "$dir" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z1 --build "$dir" "bin/officeconsole_${version//-/+}_$arch.deb"
