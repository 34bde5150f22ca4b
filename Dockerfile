# The gateway with a simulated Google in a container, by emulation where the computer is none of its kind (docs/other-systems.md).
#   docker build --platform linux/amd64 -t integration-gateway .
#   docker run --rm --platform linux/amd64 -p 127.0.0.1:3000-3002:3000-3002 -v gateway-data:/data integration-gateway
FROM node:24-bookworm-slim

RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates curl socat \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /gateway
COPY . .
RUN npm ci && npm run build && npm run build -w @integration-gateway/dashboard

RUN install -d -o node -g node /data && chown -R node:node /gateway
USER node
VOLUME /data
EXPOSE 3000 3001 3002
HEALTHCHECK --interval=10s --timeout=3s --retries=12 CMD curl --fail --silent --output /dev/null http://127.0.0.1:3000/healthz
ENTRYPOINT ["sh", "dev/tools/container.sh"]
