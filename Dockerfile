# The test bed, `assay serve`, as an image: docker build -t assay .
# Three stages: the package is made out of the workspaces, installed beside the libraries of its optional parts, and only that is kept.
# Node handles the signals itself, so nothing stands before it; it starts no processes, so there is nothing to reap.

FROM node:22-bookworm-slim AS package
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
    && npm run pack \
    && mv dist/assay-*.tgz /assay.tgz

FROM node:22-bookworm-slim AS installed
WORKDIR /app
COPY --from=package /assay.tgz /assay.tgz
RUN npm install --ignore-scripts --no-audit --no-fund --no-package-lock \
    /assay.tgz \
    pg@8.23.1 \
    oidc-provider@9.13.3 \
    @opentelemetry/api@1.9.1 \
    @opentelemetry/core@2.12.0 \
    @opentelemetry/exporter-trace-otlp-http@0.223.0 \
    @opentelemetry/resources@2.12.0 \
    @opentelemetry/sdk-trace-node@2.12.0

FROM node:22-bookworm-slim
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
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:9090/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/assay/bin/assay.js"]
CMD ["serve"]
