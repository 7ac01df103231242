-- `line` is its publisher's; `review_line` is the first sentence of the review, computed by an import.
ALTER TABLE listings ADD COLUMN line text, ADD COLUMN review_line text;
