#!/usr/bin/env bash
# Gets the program for action.yml: built from the action's own files, or from a
# release whose checksum the workflow names. Inputs come in INPUT_*; the path of
# the program goes to the step's output "program".
set -euo pipefail

fail() {
	# One line, without a percent sign that a runner would decode.
	printf '::error title=Steelyard::%s\n' "$(printf '%s' "$1" | tr '\r\n' '  ' | sed 's/%/%25/g')"
	exit 2
}

folder="${RUNNER_TEMP:?this script runs in a job of GitHub Actions}/steelyard"
mkdir -p "$folder"
name=steelyard
if [ "${RUNNER_OS:-}" = Windows ]; then name=steelyard.exe; fi

from_source() {
	command -v go >/dev/null || fail "version: source needs Go, which is not here"
	(
		cd "$GITHUB_ACTION_PATH"
		# What the job sets for its own build says nothing about ours.
		GOFLAGS='' GOWORK=off CGO_ENABLED=0 go build -mod=readonly -trimpath -ldflags='-s -w' -o "$folder/$name" ./cmd/steelyard
	) || fail "the program could not be built from source"
}

sha256() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

download() {
	local from=$1 to=$2 protocols='=https'
	case $from in http://127.0.0.1:*) protocols='=http' ;; esac
	curl --proto "$protocols" --fail --silent --show-error --location --retry 3 --max-time 300 --max-filesize 200000000 \
		--output "$to" "$from" || fail "the download of $from failed"
}

from_release() {
	local version=$1 os arch archive want base
	[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] ||
		fail "version \"$version\" is neither source nor a release such as v1.2.3"
	[[ ${INPUT_CHECKSUM:-} =~ ^[0-9a-f]{64}$ ]] ||
		fail "version $version needs checksum: the SHA-256 of the release's checksums.txt, 64 hexadecimal digits"
	[[ ${INPUT_REPOSITORY:-} =~ ^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$ ]] ||
		fail "repository \"${INPUT_REPOSITORY:-}\" is not OWNER/NAME"
	case "${RUNNER_OS:-}" in
	Linux) os=linux ;;
	macOS) os=darwin ;;
	Windows) os=windows ;;
	*) fail "there is no release for the system \"${RUNNER_OS:-}\"; use version: source" ;;
	esac
	case "${RUNNER_ARCH:-}" in
	X64) arch=amd64 ;;
	ARM64) arch=arm64 ;;
	*) fail "there is no release for the processor \"${RUNNER_ARCH:-}\"; use version: source" ;;
	esac
	archive="steelyard_${version#v}_${os}_${arch}.tar.gz"
	base="${STEELYARD_DOWNLOADS:-${GITHUB_SERVER_URL:-https://github.com}/$INPUT_REPOSITORY/releases/download}/$version"

	cd "$folder" # tar of Git for Windows takes no path with a drive
	rm -f checksums.txt "$archive" "$name"
	download "$base/checksums.txt" checksums.txt
	[ "$(sha256 checksums.txt)" = "$INPUT_CHECKSUM" ] ||
		fail "checksums.txt of $version has the SHA-256 $(sha256 checksums.txt), not the one that checksum names: nothing of it is run"
	want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)
	[[ $want =~ ^[0-9a-f]{64}$ ]] || fail "checksums.txt of $version does not name $archive"
	download "$base/$archive" "$archive"
	[ "$(sha256 "$archive")" = "$want" ] || fail "$archive is not the file that checksums.txt names: nothing of it is run"
	tar -xzf "$archive" "$name" || fail "$archive holds no $name"
	rm -f "$archive"
	chmod +x "$name"
}

if [ "${INPUT_VERSION:-source}" = source ]; then
	from_source
else
	from_release "$INPUT_VERSION"
fi
"$folder/$name" version
printf 'program=%s\n' "$folder/$name" >>"$GITHUB_OUTPUT"
