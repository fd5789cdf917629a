-- expand: new tables only; the release before knows nothing of them
-- The people who run the shop. Their accounts are separate from shoppers'; a name is given once and for ever, as the audit trail
-- and refunds quote it (`operator:<name>`), so that nobody is deleted, only disabled.

create table operator (
  id             uuid primary key,
  name           text not null unique check (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  role           text not null check (role in ('owner', 'catalogue', 'orders', 'support', 'finance', 'read-only')),
  status         text not null default 'active' check (status in ('active', 'disabled')),
  -- Argon2id in PHC format.
  password_hash  text not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);

-- What scripts act by. Only the SHA-256 of a token is kept.
create table operator_token (
  id            uuid primary key,
  operator_id   uuid not null references operator,
  digest        bytea not null unique check (octet_length(digest) = 32),
  label         text not null check (length(label) between 1 and 100),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  last_used_at  timestamptz,
  ended_at      timestamptz
);
create index operator_token_operator on operator_token (operator_id) where ended_at is null;
