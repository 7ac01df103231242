//! The site in many processes: one per service, two gateways, RabbitMQ and Redis.

use servers::{
    checkout::Checkout, ports, process::Output, progress::Step, rabbitmq::RabbitMq, redis::Redis,
};

use crate::{
    server::{Program, Server, Settings},
    targets,
};

/// The running processes, in start order; they are stopped in reverse order.
#[derive(Debug)]
pub(crate) struct Split {
    members: Vec<Member>,
    /// The URL of each gateway.
    pub(crate) urls: Vec<String>,
    /// The URL of RabbitMQ.
    pub(crate) bus: String,
    _redis: Option<Redis>,
    _rabbitmq: Option<RabbitMq>,
}

/// A process of the site.
#[derive(Debug)]
pub(crate) struct Member {
    /// The name of the process's target; the second gateway is `gateway-2`.
    pub(crate) name: String,
    pub(crate) server: Server,
}

impl Split {
    /// Starts all processes; the second gateway has its own port. `environment` returns the environment of a process by
    /// the name of its member.
    pub(crate) fn start(
        checkout: &Checkout,
        program: &Program,
        settings: &Settings,
        environment: impl Fn(&str) -> Vec<(String, String)>,
    ) -> anyhow::Result<Self> {
        let (cache, redis) = Redis::url_or_start(checkout)?;
        let (bus, rabbitmq) = RabbitMq::url_or_start(checkout)?;
        let mut shared = vec![
            ("CITYGUIDE__BUS__URL".to_owned(), bus.clone()),
            ("CITYGUIDE__CACHE__URL".to_owned(), cache),
            // Only processes of this machine can reach each other's ports.
            ("CITYGUIDE__INTERNAL__KEY".to_owned(), "cityguide".repeat(4)),
        ];
        let mut split = Self {
            members: Vec::new(),
            urls: Vec::new(),
            bus,
            _redis: redis,
            _rabbitmq: rabbitmq,
        };
        for target in targets::read(checkout)?
            .iter()
            .filter(|target| !target.public)
        {
            let address = format!("127.0.0.1:{}", ports::free()?);
            let mut own = shared.clone();
            own.extend(environment(&target.name));
            own.push(("CITYGUIDE__RPC__LISTEN".to_owned(), address.clone()));
            let server = serve(program, &target.name, &settings.beside()?, &own)?;
            split.members.push(Member {
                name: target.name.clone(),
                server,
            });
            shared.push((target.url_key(), format!("http://{address}")));
        }
        let other = Settings {
            port: ports::free()?,
            ..settings.beside()?
        };
        for (name, settings) in [("gateway", settings), ("gateway-2", &other)] {
            let own = [shared.clone(), environment(name)].concat();
            let server = serve(program, "gateway", settings, &own)?;
            split.members.push(Member {
                name: name.to_owned(),
                server,
            });
            split.urls.push(settings.url());
        }
        Ok(split)
    }

    /// The processes; the gateways are the last.
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Fails if a process has ended.
    pub(crate) fn require_alive(&mut self) -> anyhow::Result<()> {
        let mut servers = self.members.iter_mut().map(|member| &mut member.server);
        servers.try_for_each(Server::require_alive)
    }

    /// Stops the gateways first; returns whether all stopped cleanly.
    pub(crate) fn stop(mut self) -> bool {
        let mut orderly = true;
        while let Some(member) = self.members.pop() {
            orderly &= member.server.stop();
        }
        orderly
    }
}

fn serve(
    program: &Program,
    target: &str,
    settings: &Settings,
    environment: &[(String, String)],
) -> anyhow::Result<Server> {
    let step = Step::quiet("Process");
    let arguments = ["serve", "--target", target];
    let server = program.serve(settings, &arguments, environment, Output::Shown)?;
    step.done(&format!("{target} is ready"));
    Ok(server)
}
