//! The actor behind the work under way, as audit logs name it: a client's network, or the operator who runs a command.
//! It belongs to the context of a call, as the deadline does, and travels in the signed caller token.

use std::sync::Arc;

/// The longest name of an operator, in characters.
const MAX_OPERATOR: usize = 100;

/// Who acts, and from where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Actor {
    /// The network that the client shares with its neighbours, never its address: `203.0.113.0/24`, `2001:db8::/48`.
    pub network: Option<Arc<str>>,
    /// The name of the operator who runs a command.
    pub operator: Option<Arc<str>>,
}

tokio::task_local! {
    /// The actor of this task's work.
    static ACTOR: Actor;
}

impl Actor {
    /// A client, by its network.
    #[must_use]
    pub fn client(network: &str) -> Self {
        Self {
            network: Some(network.into()),
            operator: None,
        }
    }

    /// An operator. The name is kept printable and at most 100 characters long.
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

    /// The actor of the work under way; nobody outside of [`with_actor`].
    #[must_use]
    pub fn current() -> Self {
        ACTOR.try_with(Clone::clone).unwrap_or_default()
    }
}

/// Does work on behalf of an actor: the calls made in it carry the actor on. Tasks that the work spawns have none.
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
