#!/bin/sh
# Runs account-sync commands of an installation under systemd, with the settings of the service and as its user, so that
# the service owns the files that commands write. docs/operations.md shows where to install this script.
[ "$(id -u)" != 0 ] || exec runuser -u account-sync -- "$0" "$@"
exec /usr/bin/node --env-file=/etc/account-sync.env /opt/account-sync/bin/account-sync "$@"
