# The test bed, `assay serve`, and the workers of a fleet, `assay worker`, as an image: docker build -t assay .
# Three stages: build the package from the workspaces, install it beside its optional libraries, copy only the result.
# Node handles signals itself, so the image has no init process. A worker reaps the processes that it starts.

# Name the base by its digest to build the same image again: --build-arg BASE=node:22-bookworm-slim@sha256:…
# The release workflow resolves the digest, builds with it and records it with the release.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS package
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
    && npm run pack \
    && mv dist/a2a-assay-*.tgz /assay.tgz

FROM ${BASE} AS installed
COPY deploy/image /image
COPY --from=package /assay.tgz /assay.tgz
RUN sh /image/install.sh /assay.tgz /app

FROM ${BASE}
ENV NODE_ENV=production \
    ASSAY_SERVE_HOST=0.0.0.0 \
    ASSAY_SERVE_OPERATIONS_PORT=9090 \
    ASSAY_SERVE_LOG=true \
    ASSAY_SERVE_LOG_LEVEL=warn \
    ASSAY_SERVE_LOG_FORMAT=json
WORKDIR /app
COPY --from=installed /app/node_modules ./node_modules
# A number lets Kubernetes see that the user is not root. The user owns no file and writes nowhere.
USER 1000:1000
EXPOSE 4040 9090
# For the server. A worker does not listen, so turn the check off: docker run --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:9090/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/a2a-assay/bin/assay.js"]
CMD ["serve"]
