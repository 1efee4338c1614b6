FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY build/package.json build/bundle.js ./build/
COPY client/package.json ./client/
COPY console/package.json console/package-lock.json console/.npmrc ./console/
# No install script is needed: SQLite comes with its binaries, and tests are not run here.
RUN npm ci --omit=dev --ignore-scripts && npm ci --ignore-scripts --prefix console
COPY CHANGELOG.md LICENSE README.md tsconfig.json ./
COPY bin ./bin
COPY client/tsconfig.json ./client/
COPY client/src ./client/src
COPY console/index.html console/tsconfig.json console/vite.config.ts ./console/
COPY console/src ./console/src
COPY deploy ./deploy
COPY src ./src
RUN npm pack
WORKDIR /app
RUN npm install --ignore-scripts --no-save /source/account-sync-*.tgz
# What a running service never reads: SQLite for other platforms and its sources.
RUN cd node_modules/account-sync/node_modules \
    && find @photostructure/sqlite/prebuilds -name '*.node' ! -path "*/linux-$(node -p process.arch)/*.glibc.node" -delete \
    && rm -r @photostructure/sqlite/src node-addon-api

FROM node:24-slim
ENV NODE_ENV=production \
    ACCOUNT_SYNC_HOST=0.0.0.0 \
    ACCOUNT_SYNC_DATA_DIR=/data
COPY --from=build /app/node_modules /app/node_modules
RUN ln -s /app/node_modules/.bin/account-sync /usr/local/bin/account-sync \
    && install -d -o node -g node -m 0700 /data
WORKDIR /app
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["account-sync", "health"]
ENTRYPOINT ["account-sync"]
CMD ["serve"]
