//! Compiles the contracts with protox, so that nobody needs `protoc`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = [
        "cityguide/bookmarks/v1/bookmarks.proto",
        "cityguide/editorial/v1/editorial.proto",
        "cityguide/events/v1/events.proto",
        "cityguide/intake/v1/intake.proto",
        "cityguide/identity/v1/identity.proto",
        "cityguide/paging/v1/paging.proto",
        "cityguide/places/v1/places.proto",
    ];
    println!("cargo:rerun-if-changed=cityguide");
    let descriptors = protox::compile(files, ["."])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
