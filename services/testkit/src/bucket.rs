//! An S3 server on a folder, which checks signatures.

use std::{net::SocketAddr, path::Path};

use chassis::blobs::S3Settings;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

const KEY: &str = "key";
/// The secret access key of the server.
pub const SECRET: &str = "a secret";

/// Starts a server, which ends with the test. Its buckets are folders in `folder`.
///
/// # Panics
/// If the folder or a port cannot be used.
pub async fn serve(folder: &Path) -> SocketAddr {
    let files = FileSystem::new(folder).unwrap_or_else(|error| panic!("a folder: {error:?}"));
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(KEY, SECRET));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.unwrap_or_else(|error| panic!("a port: {error}"));
    let address = listener.local_addr();
    let address = address.unwrap_or_else(|error| panic!("an address: {error}"));
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let connection = TokioIo::new(connection);
                let server = auto::Builder::new(TokioExecutor::new());
                server.serve_connection(connection, service).await.ok();
            });
        }
    });
    address
}

/// Settings for a bucket of a server.
#[must_use]
pub fn settings(address: SocketAddr, bucket: &str, secret: &str) -> S3Settings {
    S3Settings {
        bucket: bucket.to_owned(),
        endpoint: format!("http://{address}"),
        region: "us-east-1".to_owned(),
        access_key_id: KEY.to_owned(),
        secret_access_key: secret.to_owned(),
    }
}
