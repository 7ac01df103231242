-- People on Instagram whose photos editors add. They are uploaders without a profile, so that every rule for uploaders
-- applies to them. Their ids are negative, unlike those of profiles.
CREATE SEQUENCE instagram_users AS bigint INCREMENT BY -1;

-- Readers who have uploaded photos, or who have an avatar or are about to.
CREATE TABLE uploaders (
    profile_id bigint PRIMARY KEY,
    -- The name shown beside their photos, and when the profile last changed it.
    full_name text NOT NULL,
    named_at timestamptz NOT NULL,
    -- The number of their photos, of every status.
    photos bigint NOT NULL DEFAULT 0,
    -- Photos accepted since the last refusal: trust grows with them.
    accepted integer NOT NULL DEFAULT 0,
    -- When they were banned from uploading; NULL if they were not.
    banned_at timestamptz,
    -- The folder of the avatar's files; NULL if there is no avatar.
    avatar uuid,
    -- The folder and the received file of the next avatar, until its sizes are made.
    next_avatar uuid,
    avatar_incoming uuid,
    -- Why the last avatar could not be made, for its reader; empty otherwise.
    avatar_refusal text NOT NULL DEFAULT '',
    instagram_user text UNIQUE,
    CHECK ((next_avatar IS NULL) = (avatar_incoming IS NULL)),
    CHECK ((profile_id < 0) = (instagram_user IS NOT NULL))
);
CREATE INDEX uploaders_incoming ON uploaders (avatar_incoming) WHERE avatar_incoming IS NOT NULL;

CREATE TABLE photos (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL REFERENCES uploaders (profile_id),
    listing_id bigint NOT NULL,
    -- SHA-256 of the uploaded file, by which a repeated upload is recognised.
    digest bytea NOT NULL,
    status text NOT NULL CHECK (status IN ('processing', 'waiting', 'published', 'refused')),
    -- Why the photo waits, for operators; NULL if nothing is suspicious.
    suspicion text,
    -- Why the photo was refused, for its uploader; empty otherwise.
    reason text NOT NULL DEFAULT '',
    description text NOT NULL,
    credit text NOT NULL,
    licence text NOT NULL,
    -- The folder of the photo's files.
    name uuid NOT NULL UNIQUE,
    -- The received file, until the sizes are made.
    incoming uuid,
    -- Of the whole picture, in pixels; NULL until the sizes are made.
    width integer,
    height integer,
    thumbhash bytea,
    created_at timestamptz NOT NULL,
    published_at timestamptz,
    refused_at timestamptz,
    UNIQUE (profile_id, listing_id, digest)
);
CREATE INDEX photos_of_listing ON photos (listing_id, published_at, id) WHERE status = 'published';
CREATE INDEX photos_published ON photos (published_at, id) WHERE status = 'published';
CREATE INDEX photos_of_reader ON photos (profile_id, created_at, id);
CREATE INDEX photos_waiting ON photos (created_at, id) WHERE status = 'waiting';
CREATE INDEX photos_refused ON photos (refused_at) WHERE status = 'refused';
CREATE INDEX photos_incoming ON photos (incoming) WHERE incoming IS NOT NULL;

-- The number of published photos of each place.
CREATE TABLE listing_counts (
    listing_id bigint PRIMARY KEY,
    published bigint NOT NULL
);

-- Readers' complaints about photos. The readers are not named to anybody.
CREATE TABLE reports (
    photo_id bigint NOT NULL REFERENCES photos (id) ON DELETE CASCADE,
    profile_id bigint NOT NULL,
    reason text NOT NULL,
    comment text NOT NULL,
    at timestamptz NOT NULL,
    -- Whether an operator has decided about the photo since.
    is_settled boolean NOT NULL DEFAULT false,
    PRIMARY KEY (profile_id, photo_id)
);
CREATE INDEX reports_of_photo ON reports (photo_id, at);

-- The audit trail of decisions about photos and uploaders.
CREATE TABLE decisions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile_id bigint NOT NULL,
    -- NULL if the decision is about the uploader.
    photo_id bigint,
    act text NOT NULL,
    reason text NOT NULL,
    -- The operator's name; empty for the system itself.
    operator text NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX decisions_about ON decisions (profile_id, id);
CREATE INDEX decisions_by_date ON decisions (at);

-- Places of an age-restricted type, whose photos public lists omit: a projection of the places service.
CREATE TABLE restricted_listings (
    listing_id bigint PRIMARY KEY
);
