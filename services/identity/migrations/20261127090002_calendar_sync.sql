-- Whether saved events go to the reader's own calendar; NULL until the reader has chosen.
ALTER TABLE profiles ADD COLUMN calendar_sync boolean;
