# jigo in a container of nothing else: docker build -t jigo . && docker run --rm -v "$PWD:/games:ro" jigo check /games
FROM rust:1.95-alpine AS build
# hadolint ignore=DL3018
RUN apk add --no-cache musl-dev
WORKDIR /jigo
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo build --profile dist --locked && install -D target/dist/jigo /out/jigo && install -d -m 1777 /out/tmp

FROM scratch
# With a /tmp: what has its list at its end, and what does not fit into memory, waits there.
COPY --from=build /out/ /
COPY LICENSE* /
USER 65534:65534
WORKDIR /games
ENTRYPOINT ["/jigo"]
