-- expand: a new table alone
-- What a program asked to buy in a person's name above what it may buy alone, and what the person said.

create table agent_confirmation (
  id            uuid primary key,
  public_id     public_id not null unique,
  account_id    uuid not null references account,
  key_id        uuid not null references reseller_key,
  -- The program's own name of the order.
  reference     text not null check (length(reference) between 1 and 80),
  request_hash  bytea not null check (octet_length(request_hash) = 32),
  -- As it is shown: item, name, quantity and price of one.
  lines         jsonb not null check (jsonb_typeof(lines) = 'array'),
  currency      currency_code not null references currency,
  -- No order is made by it that costs more.
  amount_minor  minor_amount not null,
  state         text not null default 'waiting' check (state in ('waiting','approved','refused')),
  created_at    timestamptz not null,
  ends_at       timestamptz not null check (ends_at > created_at),
  decided_at    timestamptz,
  unique (account_id, reference),
  check ((state = 'waiting') = (decided_at is null))
);
create index agent_confirmation_ends on agent_confirmation (ends_at);
