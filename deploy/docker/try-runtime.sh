#!/usr/bin/env bash
# Assembles the image's last stage around an already built program, and runs it as a cluster would: without an
# account name, without privileges, on a read-only root. Debian: buildah, podman, runc, debootstrap; as root.
#
#   deploy/docker/try-runtime.sh target/debug/cityguide [ARGUMENTS...]
#
# BASE names the base image; without it one is made with debootstrap. PODMAN_ARGS go to podman run.
set -euo pipefail

program=$(realpath "$1")
shift
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
storage=(--storage-driver overlay)

base=${BASE:-localhost/cityguide-base}
if [[ -z ${BASE:-} ]] && ! buildah "${storage[@]}" inspect --type image "$base" >"$work/base.json" 2>&1; then
    debootstrap --variant=minbase --include=ca-certificates bookworm "$work/rootfs" >"$work/debootstrap.log"
    made=$(buildah "${storage[@]}" from scratch)
    buildah "${storage[@]}" add --quiet "$made" "$work/rootfs" /
    buildah "${storage[@]}" commit --quiet --rm "$made" "$base"
fi

# In place of the build stages: the same files at the same paths, without the SBOMs, which only those stages make.
mkdir -p "$work/files/bin" "$work/files/share/cityguide"
cp "$program" "$work/files/bin/cityguide"
cp /etc/ssl/certs/ca-certificates.crt "$work/files/share/cityguide/"
cp -r "$root/web/dist" "$work/files/share/cityguide/web"
cp -r "$root/deploy/sites" "$work/files/share/cityguide/sites"

buildah "${storage[@]}" bud --isolation chroot --pull-never --quiet \
    --file "$root/deploy/docker/Dockerfile" \
    --ignorefile "$root/deploy/docker/Dockerfile.dockerignore" \
    --build-arg RUNTIME_BASE="$base" \
    --build-context files="$work/files" \
    --target runtime --tag localhost/cityguide-try "$root"

# shellcheck disable=SC2086
podman "${storage[@]}" --cgroup-manager cgroupfs --events-backend file --runtime runc run --rm \
    --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 \
    --read-only --read-only-tmpfs=false --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    ${PODMAN_ARGS:-} localhost/cityguide-try "$@"
