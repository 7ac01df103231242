-- When an operator has disabled an account: nobody can sign in to it.
ALTER TABLE profiles ADD COLUMN disabled_at timestamptz;
