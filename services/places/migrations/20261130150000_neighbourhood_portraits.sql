-- The portrait of a neighbourhood; sanitised, may be empty.
ALTER TABLE neighbourhoods ADD COLUMN intro_html text NOT NULL DEFAULT '';
