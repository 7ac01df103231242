-- Events are judged, counted and covered by their batch's digest soon after they were stored. A batch that has a digest but no
-- position was counted when it was stored, by the release before.
ALTER TABLE batches ALTER COLUMN digest DROP NOT NULL;
