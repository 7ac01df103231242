fn main() -> Result<(), Box<dyn std::error::Error>> {
    proto_compile::compile("../..", &["places"])
}
