FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY console/package.json ./console/
# Only compilers are used here, and they need no install script.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY bin ./bin
COPY client/tsconfig.json ./client/
COPY client/src ./client/src
COPY console/index.html console/tsconfig.json console/vite.config.ts ./console/
COPY console/src ./console/src
COPY src ./src
RUN node bin/prepare.js

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY console/package.json ./console/
# With its script: SQLite checks here that it has a binary for this platform.
RUN npm ci --omit=dev

FROM node:24-slim
ENV NODE_ENV=production \
    ACCOUNT_SYNC_HOST=0.0.0.0 \
    ACCOUNT_SYNC_DATA_DIR=/data
WORKDIR /app
COPY LICENSE package.json ./
COPY --from=packages /app/node_modules ./node_modules
# Where the packages have a link to it.
COPY client/package.json ./client/
COPY --from=build /app/client/dist ./client/dist
# Without src/, so that the program takes itself for built and installed.
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
RUN ln -s /app/bin/account-sync.js /usr/local/bin/account-sync \
    && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["account-sync", "health"]
ENTRYPOINT ["account-sync"]
CMD ["serve"]
