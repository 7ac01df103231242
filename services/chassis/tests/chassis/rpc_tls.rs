//! TLS between processes: a peer without a certificate of the system's authority is refused, in either
//! direction.

use std::time::Duration;

use chassis::{
    call::CallerTokens,
    error::{Code, Fault},
    keys::Keys,
    lifecycle::Lifecycle,
    rpc::{self, Guard, Tls, TlsSettings, Transport},
};
use identity_proto::v1::{GetProfileRequest, identity_client::IdentityClient};
use testkit::{calls, certificates::TestAuthority, clock::ManualClock};
use tokio::net::TcpListener;
use tonic::{
    service::Routes,
    transport::{Certificate, ClientTlsConfig, Endpoint},
};

fn tokens() -> CallerTokens {
    CallerTokens::new(Keys::one(&[7; 32]), ManualClock::shared())
}

fn tls(settings: &TlsSettings) -> Tls {
    let tls = Tls::from_settings(settings).expect("valid");
    tls.expect("it says something")
}

/// Starts a server without calls; returns its address.
async fn serve(settings: &TlsSettings, life: &Lifecycle) -> String {
    let guard = Guard {
        tokens: tokens(),
        concurrency: 10,
        timeout: Duration::from_secs(5),
        operators_timeout: Duration::from_secs(5),
    };
    let guarded = rpc::guarded("probe", identity_proto::CONTRACT, Routes::default(), guard);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let address = listener.local_addr().expect("has an address");
    let serving = rpc::serve(listener, guarded, Some(tls(settings)), life.clone());
    life.spawn("rpc", async move { serving.await.expect("serves") });
    address.to_string()
}

fn over(settings: &TlsSettings, address: &str) -> Transport {
    let url = format!("https://{address}");
    rpc::remote(
        "probe",
        identity_proto::CONTRACT,
        &url,
        Some(&tls(settings)),
        calls::outgoing(tokens()),
    )
    .expect("a way")
}

/// The outcome of a call: UNIMPLEMENTED means that it was answered.
async fn ask(transport: Transport) -> Fault {
    let mut client = IdentityClient::new(transport);
    let answer = client.get_profile(calls::guest(GetProfileRequest {})).await;
    answer.expect_err("nothing is served").into()
}

/// Services do not use the code `Unimplemented`, so it becomes a defect.
const ANSWERED: Code = Code::Internal;

#[tokio::test]
async fn processes_of_one_authority_speak() {
    let (authority, life) = (TestAuthority::default(), Lifecycle::new());
    let address = serve(&authority.process(&["127.0.0.1"]), &life).await;
    let answer = ask(over(&authority.process(&[]), &address)).await;
    assert_eq!(answer.code, ANSWERED, "{answer}");
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_certificate_may_be_for_a_name_that_all_services_share() {
    let (authority, life) = (TestAuthority::default(), Lifecycle::new());
    let address = serve(&authority.process(&["cityguide.internal"]), &life).await;
    let by_address = authority.process(&[]);
    let refused = ask(over(&by_address, &address)).await;
    assert_eq!(refused.code, Code::Unavailable, "{refused}");
    let by_name = TlsSettings {
        server_name: "cityguide.internal".to_owned(),
        ..by_address
    };
    let answer = ask(over(&by_name, &address)).await;
    assert_eq!(answer.code, ANSWERED, "{answer}");
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn another_authoritys_certificate_is_refused_on_either_side() {
    let (ours, theirs) = (TestAuthority::default(), TestAuthority::default());
    let life = Lifecycle::new();
    let address = serve(&ours.process(&["127.0.0.1"]), &life).await;
    // A peer that trusts our authority, but is not trusted.
    let intruder = TlsSettings {
        ca: ours.pem(),
        ..theirs.process(&["127.0.0.1"])
    };
    let refused = ask(over(&intruder, &address)).await;
    assert_eq!(refused.code, Code::Unavailable, "{refused}");
    // A peer that is trusted, but does not trust us.
    let doubter = TlsSettings {
        ca: theirs.pem(),
        ..ours.process(&["127.0.0.1"])
    };
    let refused = ask(over(&doubter, &address)).await;
    assert_eq!(refused.code, Code::Unavailable, "{refused}");
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn while_the_authority_is_replaced_both_are_trusted() {
    let (old, new) = (TestAuthority::default(), TestAuthority::default());
    let both = |process: TlsSettings| TlsSettings {
        ca: old.pem() + &new.pem(),
        ..process
    };
    let life = Lifecycle::new();
    let address = serve(&both(old.process(&["127.0.0.1"])), &life).await;
    for caller in [
        both(old.process(&[])),
        both(new.process(&[])),
        old.process(&[]),
    ] {
        let answer = ask(over(&caller, &address)).await;
        assert_eq!(answer.code, ANSWERED, "{answer}");
    }
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn who_shows_nothing_or_speaks_in_clear_is_not_answered() {
    let (authority, life) = (TestAuthority::default(), Lifecycle::new());
    let address = serve(&authority.process(&["127.0.0.1"]), &life).await;
    let nameless = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem()));
    let nameless = Endpoint::from_shared(format!("https://{address}"))
        .expect("a URL")
        .tls_config(nameless)
        .expect("a configuration")
        .connect_lazy();
    let answer = IdentityClient::new(nameless)
        .get_profile(GetProfileRequest {})
        .await;
    let refused = answer.expect_err("refused");
    assert_ne!(refused.code(), tonic::Code::Unimplemented, "{refused}");

    let in_clear = rpc::remote(
        "probe",
        identity_proto::CONTRACT,
        &format!("http://{address}"),
        None,
        calls::outgoing(tokens()),
    );
    let refused = ask(in_clear.expect("a way")).await;
    assert_eq!(refused.code, Code::Unavailable, "{refused}");
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn settings_that_do_not_fit_together_are_refused_by_their_key() {
    let whole = TestAuthority::default().process(&["127.0.0.1"]);
    let nothing = TlsSettings {
        ca: String::new(),
        certificate: String::new(),
        key: String::new(),
        server_name: String::new(),
    };
    assert!(Tls::from_settings(&nothing).expect("valid").is_none());
    let mut without_key = whole.clone();
    without_key.key.clear();
    let mut nonsense = whole.clone();
    nonsense.certificate = "nonsense".to_owned();
    let mut strange_key = whole.clone();
    strange_key.key = TestAuthority::default().process(&[]).key;
    let mut strange_ca = whole.clone();
    strange_ca.ca = "nonsense".to_owned();
    for (settings, expected) in [
        (without_key, "rpc.tls.key is missing"),
        (nonsense, "rpc.tls: "),
        (strange_key, "rpc.tls: "),
        (strange_ca, "rpc.tls: "),
    ] {
        let refusal = Tls::from_settings(&settings).expect_err(expected);
        assert!(refusal.message.contains(expected), "{refusal}");
    }

    let tls = tls(&whole);
    for (url, tls, expected) in [
        ("http://places:8082", Some(&tls), "must be https"),
        ("https://places:8082", None, "wants rpc.tls"),
    ] {
        let refusal = rpc::remote(
            "places",
            identity_proto::CONTRACT,
            url,
            tls,
            calls::outgoing(tokens()),
        )
        .expect_err(expected);
        assert!(refusal.message.contains("services.places.url"), "{refusal}");
        assert!(refusal.message.contains(expected), "{refusal}");
    }
}
