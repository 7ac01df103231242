-- People on Instagram whose photos editors bring. They are uploaders without a profile, so that everything that holds for
-- uploaders holds for them; their ids are negative, which those of profiles never are.
CREATE SEQUENCE instagram_users AS bigint INCREMENT BY -1;
ALTER TABLE uploaders
    ADD COLUMN instagram_user text UNIQUE,
    ADD CHECK ((profile_id < 0) = (instagram_user IS NOT NULL));
