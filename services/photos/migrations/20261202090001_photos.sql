-- Readers who have uploaded photos.
CREATE TABLE uploaders (
    profile_id bigint PRIMARY KEY,
    -- The name that stands beside their photos, and when the profile last had it changed.
    full_name text NOT NULL,
    named_at timestamptz NOT NULL,
    -- Their photos, of every status.
    photos bigint NOT NULL DEFAULT 0,
    -- Photos accepted since the last refusal: trust grows with them.
    accepted integer NOT NULL DEFAULT 0,
    -- Since when they may not upload; NULL if they may.
    banned_at timestamptz
);

CREATE TABLE photos (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES uploaders (profile_id),
    listing_id bigint NOT NULL,
    -- SHA-256 of the uploaded file: the same file is one photo.
    digest bytea NOT NULL,
    status text NOT NULL CHECK (status IN ('processing', 'waiting', 'published', 'refused')),
    -- Why it waits, for operators; NULL if nothing is suspicious.
    suspicion text,
    -- Why it was refused, for its uploader; empty otherwise.
    reason text NOT NULL DEFAULT '',
    description text NOT NULL,
    credit text NOT NULL,
    licence text NOT NULL,
    -- The folder of its files.
    name uuid NOT NULL UNIQUE,
    -- The received file, until the sizes are made.
    incoming uuid,
    -- Of the whole picture, in pixels; NULL until the sizes are made.
    width integer,
    height integer,
    thumbhash bytea,
    created_at timestamptz NOT NULL,
    published_at timestamptz,
    -- When it was refused.
    refused_at timestamptz,
    UNIQUE (profile_id, listing_id, digest)
);
CREATE INDEX photos_of_listing ON photos (listing_id, published_at, id) WHERE status = 'published';
CREATE INDEX photos_published ON photos (published_at, id) WHERE status = 'published';
CREATE INDEX photos_of_reader ON photos (profile_id, created_at, id);
CREATE INDEX photos_waiting ON photos (created_at, id) WHERE status = 'waiting';
CREATE INDEX photos_refused ON photos (refused_at) WHERE status = 'refused';
CREATE INDEX photos_incoming ON photos (incoming) WHERE incoming IS NOT NULL;

-- The published photos of each place.
CREATE TABLE listing_counts (
    listing_id bigint PRIMARY KEY,
    published bigint NOT NULL
);

-- Readers who told that something is wrong with a photo. Nobody is told who they are.
CREATE TABLE reports (
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    profile_id bigint NOT NULL,
    reason text NOT NULL,
    comment text NOT NULL,
    at timestamptz NOT NULL,
    -- Whether an operator has decided since.
    is_settled boolean NOT NULL DEFAULT false,
    PRIMARY KEY (profile_id, photo_id)
);
CREATE INDEX reports_of_photo ON reports (photo_id, at);

-- What was decided about photos and uploaders: the audit trail.
CREATE TABLE decisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL,
    -- NULL if it is about the uploader.
    photo_id bigint,
    act text NOT NULL,
    reason text NOT NULL,
    -- The operator's name; empty for the system itself.
    operator text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX decisions_about ON decisions (profile_id, id);
CREATE INDEX decisions_by_date ON decisions (at);
