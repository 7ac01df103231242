-- OpenStreetMap's `opening_hours`, checked when it is written.
ALTER TABLE listings ADD COLUMN opening_hours text;
