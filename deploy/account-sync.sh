#!/bin/sh
# The commands of an installation under systemd: with the settings of the service, and as its user, so that what they
# write is the service's own. docs/operations.md says where this goes.
[ "$(id -u)" != 0 ] || exec runuser -u account-sync -- "$0" "$@"
exec /usr/bin/node --env-file=/etc/account-sync.env /opt/account-sync/bin/account-sync.js "$@"
