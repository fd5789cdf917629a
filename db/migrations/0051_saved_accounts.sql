-- expand: a table of its own
-- Accounts of games and phones that a shopper has credited again and again, under names of their own.
create table saved_account (
  id           uuid primary key,
  public_id    public_id not null unique,
  account_id   uuid not null references account,
  -- What asks for such fields: a brand, or 'phone' for the operators of every country.
  field_set     text not null check (length(field_set) between 1 and 100),
  label        text not null check (length(label) between 1 and 40),
  fields       jsonb not null check (jsonb_typeof(fields) = 'object' and fields <> '{}'),
  -- SHA-256 of the fields in a fixed order: the same account is kept once.
  fields_hash  bytea not null check (length(fields_hash) = 32),
  created_at   timestamptz not null,
  unique (account_id, field_set, fields_hash)
);
