# The service alone: kb serve with its pages. The guide has the commands under "In a container".
FROM node:24-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir /package && npm pack --ignore-scripts --pack-destination /package

FROM node:24-slim
RUN --mount=type=bind,from=build,source=/package,target=/package \
  npm install --global --ignore-scripts /package/*.tgz && npm cache clean --force \
  && mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 4400
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:4400/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["kb"]
CMD ["serve", "--host", "0.0.0.0", "--pages"]
