# The test bed, `assay serve`, and the workers of a fleet, `assay worker`, as an image: docker build -t assay .
# Three stages: the package is made out of the workspaces, put beside the libraries of its optional parts, and only that is kept.
# Node handles the signals itself, so nothing stands before it; the processes that a worker starts are its own children, which it reaps.

# Name the base by its digest to build the same image again: --build-arg BASE=node:22-bookworm-slim@sha256:…
# The release workflow resolves the digest, builds with it and records it with the release.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS package
WORKDIR /source
COPY . .
# Not `npm ci`: it refuses a lockfile without an entry for the optional binaries of every platform. What is in it is installed as it says.
RUN npm install --no-save --ignore-scripts --no-audit --no-fund \
    && npm run pack \
    && mv dist/assay-*.tgz /assay.tgz

FROM ${BASE} AS installed
WORKDIR /app
# Made by `npm run generate` out of the packages that load them, and of package-lock.json.
COPY deploy/image/package.json deploy/image/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY --from=package /assay.tgz /assay.tgz
# The package has no dependencies and no scripts: to unpack it is to install it.
RUN mkdir node_modules/assay \
    && tar -xzf /assay.tgz --strip-components=1 -C node_modules/assay

FROM ${BASE}
ENV NODE_ENV=production \
    ASSAY_SERVE_HOST=0.0.0.0 \
    ASSAY_SERVE_OPERATIONS_PORT=9090 \
    ASSAY_SERVE_LOG=true \
    ASSAY_SERVE_LOG_LEVEL=warn \
    ASSAY_SERVE_LOG_FORMAT=json
WORKDIR /app
COPY --from=installed /app/node_modules ./node_modules
# By number, so that Kubernetes can see that it is not root. It owns nothing and writes nowhere.
USER 1000:1000
EXPOSE 4040 9090
# Of the server; for a worker, which listens nowhere, turn it off: docker run --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:9090/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/assay/bin/assay.js"]
CMD ["serve"]
