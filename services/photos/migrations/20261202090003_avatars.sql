-- Readers' own pictures. A reader who has one, or is about to, is an uploader too.
ALTER TABLE uploaders
    -- The folder of its files; NULL if the reader has none.
    ADD COLUMN avatar uuid,
    -- The folder and the received file of the next one, until it is made.
    ADD COLUMN next_avatar uuid,
    ADD COLUMN avatar_incoming uuid,
    -- Why the last one could not be made, for the reader who waits for it; empty otherwise.
    ADD COLUMN avatar_refusal text NOT NULL DEFAULT '',
    ADD CHECK ((next_avatar IS NULL) = (avatar_incoming IS NULL));
CREATE INDEX uploaders_incoming ON uploaders (avatar_incoming) WHERE avatar_incoming IS NOT NULL;
