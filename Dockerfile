FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev && npm install --no-save --omit=dev pg@8 @aws-sdk/client-s3@3 \
    @opentelemetry/api@1 @opentelemetry/sdk-trace@3 @opentelemetry/resources@3 @opentelemetry/exporter-trace-otlp-http@0.301

FROM node:24-slim
# The sandbox's videos are made with it; without the sandbox it is not needed.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/locales locales
COPY --from=build /app/tools/reelay.js tools/reelay.js
COPY --from=build /app/package.json package.json
ENV REELAY_HOST=0.0.0.0 REELAY_DATA=/data
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8787/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# As `npm start` does.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "--no-parallel-scavenge", "--liftoff-only", "tools/reelay.js", "start"]
