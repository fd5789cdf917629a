-- expand: new tables; a request may be signed with a key of another table, too, which the release before does not know and refuses
-- Keys by which a reseller's programs are tried, and what they order. None of these rows names an order, a unit, a card or a movement of
-- money, and no table of those names one of these: what is made of orders cannot see them. Their names fit no `public_id`.

create table reseller_test_key (
  id                 uuid primary key,
  public_id          text not null unique check (public_id ~ '^test_[A-Za-z0-9_-]{22}$'),
  account_id         uuid not null references account,
  name               text not null check (length(name) between 1 and 100),
  -- The secrets of the key and of what it is told follow from it and the program's own key.
  salt               bytea not null check (octet_length(salt) = 32),
  -- In US cents.
  order_max_minor    minor_amount not null check (order_max_minor::numeric > 0),
  day_max_minor      minor_amount not null check (day_max_minor::numeric >= order_max_minor::numeric),
  -- Where its orders are told of; null: nowhere.
  webhook_url        text check (length(webhook_url) between 1 and 500),
  last_attempt_at    timestamptz,
  created_at         timestamptz not null,
  created_by         text not null check (length(created_by) between 1 and 100),
  revoked_at         timestamptz
);
create index reseller_test_key_account on reseller_test_key (account_id);

-- How it stands follows from its lines and its age.
create table reseller_test_order (
  id            uuid primary key,
  public_id     text not null unique check (public_id ~ '^test_[A-Za-z0-9_-]{22}$'),
  account_id    uuid not null references account,
  key_id        uuid not null references reseller_test_key on delete cascade,
  reference     text not null check (length(reference) between 1 and 80),
  request_hash  bytea not null check (octet_length(request_hash) = 32),
  currency      currency_code not null references currency,
  usd_minor     minor_amount not null,
  -- Item, quantity, price of one, how it is delivered, and how it is to end.
  lines         jsonb not null check (jsonb_typeof(lines) = 'array'),
  refusal       text check (refusal ~ '^[a-z]+(_[a-z]+)*$'),
  created_at    timestamptz not null,
  unique (account_id, reference)
);
create index reseller_test_order_day on reseller_test_order (key_id, created_at);
create index reseller_test_order_age on reseller_test_order (created_at);

create table reseller_test_delivery (
  id            uuid primary key,
  public_id     public_id not null unique,
  key_id        uuid not null references reseller_test_key on delete cascade,
  order_id      uuid not null references reseller_test_order on delete cascade,
  order_status  text not null check (length(order_status) between 1 and 40),
  state         text not null default 'waiting' check (state in ('waiting','delivered','given_up')),
  attempts      smallint not null default 0 check (attempts >= 0),
  due_at        timestamptz not null,
  -- Of the last attempt: the status it was answered with, or why it was not.
  answer        text check (length(answer) <= 100),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  check ((state = 'waiting') = (ended_at is null))
);
create index reseller_test_delivery_due on reseller_test_delivery (key_id, due_at) where state = 'waiting';
create index reseller_test_delivery_order on reseller_test_delivery (order_id);

-- Of keys of either kind.
alter table reseller_nonce drop constraint reseller_nonce_key_id_fkey;
