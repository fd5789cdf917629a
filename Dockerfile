# The README's own commands in a container, as a plain user. See docs/operating/install.md.
#
# Not pinned by digest: none could be looked up where this file was written. `docker buildx imagetools inspect node:24-bookworm-slim`
# tells today's; --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… pins it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# What only the build and the demo need stays behind, and so does the Node that npm brings: the image has one.
FROM ${NODE_IMAGE} AS modules
WORKDIR /app
COPY package.json package-lock.json ./
# To try the demo out in a container: --build-arg PACKAGES= (all of them).
ARG PACKAGES=--omit=dev
RUN npm ci ${PACKAGES}

FROM ${NODE_IMAGE}
RUN mkdir /data && chown node:node /data
WORKDIR /app
# Its own user may not change it.
COPY . .
COPY --from=modules /app/node_modules ./node_modules
COPY --from=build /app/build ./build
USER node
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/cli.ts", "start"]
