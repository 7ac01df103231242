-- Whether a place can be entered with a wheelchair, as OpenStreetMap says it; absent where nobody has.
ALTER TABLE listings ADD COLUMN wheelchair text CHECK (wheelchair IN ('yes', 'limited', 'no'));
