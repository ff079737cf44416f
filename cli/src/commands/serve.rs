use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::{interrupt, open};
use clap::Args;
use medsift::index::Index;
use medsift_server::ServerConfig;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// Arguments of `medsift serve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift serve
  medsift serve --index /data/pubmed --port 9000
  medsift serve --host 0.0.0.0 --config server.toml     reachable from other machines")]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    dir: IndexDir,
    #[command(flatten)]
    address: AddressArgs,
    /// Model directory, where it has moved since the index was made
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

/// Where to listen.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct AddressArgs {
    /// Port [default: the configured one, 8080]; 0 takes a free one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Address [default: the configured one, 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,
}

impl AddressArgs {
    /// The configuration with these flags on top.
    pub(crate) fn apply(&self, config: &ServerConfig) -> ServerConfig {
        let mut config = config.clone();
        if let Some(port) = self.port {
            config.bind.set_port(port);
        }
        if let Some(host) = self.host {
            config.bind.set_ip(host);
        }
        config
    }
}

/// Serves an index until Ctrl-C.
pub(crate) fn run(context: &mut Context, args: &ServeArgs) -> Result<Exit> {
    medsift::index::require(&args.dir.index)?;
    let config = args.address.apply(&context.settings.server);
    // The port is taken first: loading a model only to find it busy is a waste.
    let server = Server::bind(config)?;
    let index = open::to_serve(context, &args.dir.index, args.model.as_deref())?;
    server.run(context, index)
}

/// A server that holds its port and does not answer yet.
pub(crate) struct Server {
    runtime: Runtime,
    listener: TcpListener,
    config: ServerConfig,
}

impl Server {
    /// Takes the port.
    pub(crate) fn bind(config: ServerConfig) -> Result<Self> {
        let runtime = Runtime::new()
            .map_err(|error| CliError::failure(format!("cannot start the server: {error}")))?;
        let listener = runtime.block_on(medsift_server::bind(&config))?;
        Ok(Self {
            runtime,
            listener,
            config,
        })
    }

    /// Answers until Ctrl-C or SIGTERM, then lets running requests finish.
    pub(crate) fn run(self, context: &mut Context, index: Index) -> Result<Exit> {
        let address = self.listener.local_addr().map_err(CliError::failure)?;
        context.out.text(&format!("http://{address}\n"))?;
        context.note("press Ctrl-C to stop");
        let stop = async {
            if let Err(error) = interrupt::signal().await {
                tracing::error!(%error, "cannot watch for Ctrl-C");
                std::future::pending::<()>().await;
            }
            tokio::spawn(interrupt::end_at_next());
        };
        self.runtime.block_on(medsift_server::serve(
            self.listener,
            Arc::new(index),
            self.config,
            stop,
        ))?;
        Ok(Exit::Ok)
    }
}
