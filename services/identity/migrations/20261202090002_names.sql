-- When a reader last changed the name that others see; NULL if it is the one of the registration.
ALTER TABLE profiles ADD COLUMN named_at timestamptz;
CREATE INDEX profiles_named ON profiles (named_at) WHERE named_at IS NOT NULL;
