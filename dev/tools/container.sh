#!/bin/sh
# Starts the gateway in a container (see Dockerfile). Everything of it listens on the loopback address; what a container publishes
# arrives at the container's own address, from where it is handed on, port by port.
set -eu
own=$(hostname -i | cut -d' ' -f1)
for port in 3000 3001 3002; do
  socat "TCP-LISTEN:$port,bind=$own,fork,reuseaddr" "TCP:127.0.0.1:$port" &
done
exec node dev/local/cli.ts --data /data "$@"
