//! The party that performs the current work, for audit logs: a client's network, or the operator who runs a command.
//! The actor is part of the call context, like the deadline, and is sent in the signed caller token.

use std::sync::Arc;

/// The maximum length of an operator's name, in characters.
const MAX_OPERATOR: usize = 100;

/// The acting party: a client or an operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Actor {
    /// The client's network prefix, never the full address: `203.0.113.0/24`, `2001:db8::/48`.
    pub network: Option<Arc<str>>,
    /// The name of the operator who runs a command.
    pub operator: Option<Arc<str>>,
}

tokio::task_local! {
    /// The actor of the current task.
    static ACTOR: Actor;
}

impl Actor {
    /// A client, identified by its network.
    #[must_use]
    pub fn client(network: &str) -> Self {
        Self {
            network: Some(network.into()),
            operator: None,
        }
    }

    /// An operator. Control characters are removed from the name, and it is cut to 100 characters.
    #[must_use]
    pub fn operator(name: &str) -> Self {
        let name: String = name
            .chars()
            .filter(|c| !c.is_control())
            .take(MAX_OPERATOR)
            .collect();
        Self {
            network: None,
            operator: Some(name.into()),
        }
    }

    /// The current actor; empty outside of [`with_actor`].
    #[must_use]
    pub fn current() -> Self {
        ACTOR.try_with(Clone::clone).unwrap_or_default()
    }
}

/// Runs `work` on behalf of an actor and attaches the actor to the calls in it. Tasks that `work` spawns have no actor.
pub fn with_actor<F: Future>(actor: Actor, work: F) -> impl Future<Output = F::Output> {
    ACTOR.scope(actor, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_work_under_way_has_the_actor_that_it_was_begun_for_and_other_work_has_none() {
        let client = Actor::client("203.0.113.0/24");
        let seen = with_actor(client.clone(), async { Actor::current() });
        assert_eq!(seen.await, client);
        assert_eq!(Actor::current(), Actor::default());
    }

    #[test]
    fn an_operators_name_is_kept_short_and_printable() {
        let actor = Actor::operator(&format!("ada\r\n{}", "é".repeat(200)));
        let name = actor.operator.expect("a name");
        assert!(
            name.starts_with("adaé") && name.chars().count() == 100,
            "{name}"
        );
    }
}
