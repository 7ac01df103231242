//! Downloads of packages while the processor is busy with other work, so that a new machine does not wait for its network.

use std::thread;

use servers::{checkout::Checkout, embedded::Embedded, rabbitmq::RabbitMq, redis::Redis};

use crate::{
    chromium, deployables,
    tools::{DENY, SHEAR, TYPOS},
    web,
};

type Download = fn(&Checkout) -> anyhow::Result<()>;

/// Packages for the checks after the build.
pub(crate) const OF_CHECKS: [Download; 4] = [
    web::install,
    |checkout| DENY.ensure(checkout).map(drop),
    |checkout| SHEAR.ensure(checkout).map(drop),
    |checkout| TYPOS.ensure(checkout).map(drop),
];

/// Servers, browser and tools for the tests after the web application's.
pub(crate) const OF_TESTS: [Download; 5] = [
    |checkout| Embedded::ensure(checkout).map(drop),
    |checkout| Redis::program(checkout).map(drop),
    |checkout| RabbitMq::program(checkout).map(drop),
    |checkout| chromium::ensure(checkout).map(drop),
    deployables::install,
];

/// Downloads during `work`, and returns its result once both have ended. A failed download is not reported, because the
/// section that needs the package tries again.
pub(crate) fn meanwhile<T>(
    checkout: &Checkout,
    downloads: &[Download],
    work: impl FnOnce() -> T,
) -> T {
    thread::scope(|scope| {
        scope.spawn(|| {
            for download in downloads {
                let _ = download(checkout);
            }
        });
        work()
    })
}
