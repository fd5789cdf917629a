-- expand: new tables alone; the release before knows nothing of them
-- Keys by which shops, apps and programs buy in the name of an account, and what they have ordered under references of their own.

create table reseller_key (
  id                 uuid primary key,
  public_id          public_id not null unique,
  account_id         uuid not null references account,
  name               text not null check (length(name) between 1 and 100),
  scopes             text[] not null check (cardinality(scopes) > 0 and scopes <@ array['browse','order','reveal','agent']),
  -- The secret follows from these and the program's own key: it stands nowhere. The one before holds until then.
  salt               bytea not null check (octet_length(salt) = 32),
  former_salt        bytea check (octet_length(former_salt) = 32),
  former_until       timestamptz,
  -- In US cents.
  order_max_minor    minor_amount not null check (order_max_minor::numeric > 0),
  day_max_minor      minor_amount not null check (day_max_minor::numeric >= order_max_minor::numeric),
  -- Above it a person agrees to what a program buys; null: nothing is bought without one.
  agent_max_minor    minor_amount,
  -- Addresses and networks it may be used from; empty for any.
  networks           text[] not null default '{}',
  contract           text not null check (length(contract) between 1 and 100),
  created_at         timestamptz not null,
  created_by         text not null check (length(created_by) between 1 and 100),
  last_used_at       timestamptz,
  revoked_at         timestamptz,
  check ((former_salt is null) = (former_until is null))
);
create index reseller_key_account on reseller_key (account_id) where revoked_at is null;

-- What a signed request was named by: it is taken once, as long as its time would let it be.
create table reseller_nonce (
  key_id  uuid not null references reseller_key,
  nonce   text not null check (length(nonce) between 8 and 80),
  at      timestamptz not null,
  primary key (key_id, nonce)
);
create index reseller_nonce_at on reseller_nonce (at);

-- A reference buys once.
create table reseller_order (
  id            uuid primary key,
  account_id    uuid not null references account,
  key_id        uuid not null references reseller_key,
  reference     text not null check (length(reference) between 1 and 80),
  request_hash  bytea not null check (octet_length(request_hash) = 32),
  currency      currency_code not null references currency,
  amount_minor  minor_amount not null,
  usd_minor     minor_amount not null,
  -- open: being ordered; placed: there is an order; refused: nothing was bought and nothing will be.
  state         text not null default 'open' check (state in ('open','placed','refused')),
  refusal       text check (refusal ~ '^[a-z]+(_[a-z]+)*$'),
  order_id      uuid unique references shop_order on delete set null,
  created_at    timestamptz not null,
  unique (account_id, reference),
  check ((state = 'refused') = (refusal is not null)),
  check (state <> 'open' or order_id is null)
);
create index reseller_order_day on reseller_order (key_id, created_at) where state <> 'refused';
create index reseller_order_listed on reseller_order (account_id, created_at);
