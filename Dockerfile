# medsift in a container; the index and the cache are volumes.
#
#   docker build -t medsift .
#   docker run --rm --no-healthcheck -v medsift:/data -v "$PWD/pubmed:/pubmed:ro" medsift \
#       index --index /data/idx '/pubmed/*.xml.gz'
#   docker run --rm -p 127.0.0.1:8080:8080 -v medsift:/data medsift
#
# To others than this machine: `-p 8080:8080`, and keys (docs/operations.md).

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -qy --no-install-recommends build-essential \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /medsift
COPY . .
RUN cargo build --release --locked --package medsift-cli --bin medsift

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -qy --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /data medsift
COPY --from=build /medsift/target/release/medsift /usr/local/bin/medsift
USER medsift
ENV MEDSIFT_CACHE=/data/cache
VOLUME /data
EXPOSE 8080
# Bash opens the connection itself: the image holds no client of HTTP. A server
# whose queue is full lives.
HEALTHCHECK --start-period=30s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 \
    && printf 'GET /health/live HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["medsift"]
# Inside a container 127.0.0.1 is nobody else's: which addresses reach it is said
# when the port is published.
# `-v` logs a line for each request; MEDSIFT_LOG_FORMAT=json writes them as JSON.
CMD ["serve", "-v", "--index", "/data/idx", "--host", "0.0.0.0"]
