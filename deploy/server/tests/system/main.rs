//! The whole system in one process, over HTTP, and the program as an operator meets it.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod answers;
mod app;
mod cache;
mod city;
mod collector;
mod commands;
mod connections;
mod contact;
mod conventions;
mod crash;
mod document;
mod entries;
mod faults;
mod favourites;
mod feeds;
mod floods;
mod guide;
mod imports;
mod internal_keys;
mod items;
mod kills;
mod limits;
mod metrics;
mod pages;
mod publishing;
mod request;
mod roles;
mod saved_kinds;
mod sessions;
mod site;
mod stopped;
mod streams;
mod tls;
mod traces;
mod upgrade;
