# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# npm prune keeps development tools that are optional peers of other packages, unless devDependencies are deleted first.
# Only PostgreSQL's query compiler of Prisma is used.
RUN npm pkg delete devDependencies && npm prune && \
  find node_modules -name '*.map' -delete && \
  find node_modules/@prisma/client/runtime -regex '.*\(mysql\|sqlite\|sqlserver\|cockroachdb\).*' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data && chmod 700 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
RUN chmod +x dist/cli/tributary.js && ln -s /app/dist/cli/tributary.js /usr/local/bin/tributary
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node runs as process 1 and handles SIGTERM. Requests make much short-lived garbage: a larger young generation costs 12 % less CPU.
# Old objects are collected once the heap has grown by half. By default it may grow fourfold before.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "--heap-growing-percent=50", "dist/main.js"]
