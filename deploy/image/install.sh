#!/bin/sh
# Installs Assay and its optional libraries: what the image has below /app. The Dockerfile runs this file, and so does the test
# of the image. Usage: install.sh <a2a-assay tarball> <folder>
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
# `npm run generate -- image` writes both files from package-lock.json and the packages that load these libraries.
cp "$here/package.json" "$here/package-lock.json" "$2"
(cd "$2" && npm ci --ignore-scripts --no-audit --no-fund)
# Unpacking is enough: the package has no scripts, and the Node of the image has SQLite, so its only dependency is not needed.
mkdir "$2/node_modules/a2a-assay"
tar -xzf "$1" --strip-components=1 -C "$2/node_modules/a2a-assay"
