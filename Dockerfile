# The README's own commands in a container, as a plain user. See docs/operating/install.md.
FROM node:24-bookworm-slim
RUN mkdir /app /data && chown node:node /app /data
USER node
WORKDIR /app
COPY --chown=node:node package.json package-lock.json ./
RUN npm ci
COPY --chown=node:node . .
RUN npm run build
ENV HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["npm", "start"]
