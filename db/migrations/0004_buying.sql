-- Buying: carts, orders, payments, refunds, card keys and the ledger.
-- What must never happen is refused here, whatever the program does: a key bound twice, an order delivered unpaid, more given
-- back than was taken, a step no machine knows. `invariant_violation` tells what constraints cannot; it is empty.

create domain positive_amount as numeric(38,0) check (value > 0);
create domain public_id as text check (value ~ '^[A-Za-z0-9_-]{22}$');

create function is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;

-- ---------------------------------------------------------------- state machines
-- The steps every machine may take. The same tables stand in the program's rules; a test compares them.
create table transition_rule (
  machine      text not null,
  from_status  text not null,
  to_status    text not null,
  primary key (machine, from_status, to_status)
);

create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception '% does not go from % to %', tg_argv[0], old.status, new.status
    using errcode = '23514', constraint = 'transition_' || tg_argv[0];
end $$;

-- Makes a table's status keep to its machine as the rules stand now; called again after they change. The steps stand in the
-- trigger's condition, so that a step that is allowed costs a comparison and calls nothing.
create function keep_to_machine(status_table regclass, machine_name text) returns void language plpgsql as $$
begin
  execute format($trigger$
    create or replace trigger status_moves before update of status on %1$s for each row
    when (old.status is distinct from new.status and old.status || ' ' || new.status <> all (%2$L::text[])) execute function refuse_move(%3$L)
  $trigger$, status_table, (select array_agg(from_status || ' ' || to_status order by from_status, to_status) from transition_rule where machine = machine_name), machine_name);
end $$;

insert into transition_rule (machine, from_status, to_status)
select 'order', from_status, to_status from (values
  ('pending_payment', array['waiting_for_payment','waiting_for_shipment','shipping','processing','completed','cancelled','expired']),
  ('waiting_for_payment', array['pending_payment','waiting_for_shipment','shipping','processing','completed','cancelled','expired']),
  ('waiting_for_shipment', array['shipping','processing','completed','refunded']),
  ('shipping', array['waiting_for_shipment','processing','completed','refunded']),
  ('processing', array['pending_payment','waiting_for_payment','waiting_for_shipment','shipping','completed','refunded','cancelled','expired']),
  ('completed', array['processing','refunded']),
  -- Money can always arrive.
  ('cancelled', array['processing']),
  ('expired', array['processing']),
  ('refunded', array['processing','waiting_for_shipment','shipping','completed'])
) as step (from_status, targets), unnest(targets) as to_status
union all
select 'unit', from_status, to_status from (values
  ('queued', array['delivering','delivered','refund_due','released']),
  ('delivering', array['delivered','in_doubt','failed']),
  ('in_doubt', array['delivered','failed']),
  ('failed', array['queued','refund_due']),
  ('delivered', array['refund_due']),
  ('refund_due', array['refunded']),
  -- A refund came back to its provider, or a bank gave back what it had taken.
  ('refunded', array['refund_due','queued']),
  -- Late money takes an expired order up again.
  ('released', array['queued'])
) as step (from_status, targets), unnest(targets) as to_status
union all
select 'payment', from_status, to_status from (values
  ('created', array['requires_action','seen','authorised','captured','failed','voided','expired']),
  ('requires_action', array['seen','authorised','captured','failed','voided','expired']),
  ('seen', array['requires_action','authorised','captured','failed','voided','expired']),
  ('authorised', array['captured','failed','voided','expired']),
  -- A late capture is legal; what is captured stays so.
  ('failed', array['captured']),
  ('voided', array['captured']),
  ('expired', array['captured'])
) as step (from_status, targets), unnest(targets) as to_status
union all
select 'refund', from_status, to_status from (values
  ('requested', array['approved','rejected']),
  ('approved', array['submitted','rejected']),
  ('submitted', array['succeeded','failed','unknown']),
  ('unknown', array['succeeded','failed']),
  -- What was sent out may come back: the payer's account is gone, or their bank gives back what it had taken.
  ('succeeded', array['failed'])
) as step (from_status, targets), unnest(targets) as to_status
union all
select 'key', from_status, to_status from (values
  ('quarantined', array['free','void']),
  -- Claimed and delivered in one step.
  ('free', array['claimed','delivered','quarantined','void']),
  ('claimed', array['delivered','free','void']),
  ('delivered', array['void'])
) as step (from_status, targets), unnest(targets) as to_status;

-- ---------------------------------------------------------------- ledger
-- Every movement is one row with one account debited and one credited, so that it balances however it was written.
create table ledger_account (
  id             integer generated always as identity primary key,
  -- 'provider:sandbox', 'held', 'orders', 'sales', 'store_credit:<account id>' …
  code           text not null check (code ~ '^[a-z_]+(:[a-z0-9-]+)?$' and length(code) <= 100),
  currency       currency_code not null references currency,
  -- Kept only where nothing may be drawn below zero (store credit): on busy accounts it would make payments queue.
  balance_minor  numeric(38,0) check (balance_minor >= 0),
  unique (code, currency),
  unique (id, currency)
);

create table ledger_transfer (
  id            uuid primary key,
  -- What it records, and the row it records it for: capture, settle, deliver, refund …
  source        text not null check (source ~ '^[a-z]+(_[a-z]+)*$'),
  source_id     uuid not null,
  leg           smallint not null default 0 check (leg >= 0),
  debit         integer not null,
  credit        integer not null check (credit <> debit),
  currency      currency_code not null,
  amount_minor  positive_amount not null,
  at            timestamptz not null,
  -- The shopper who sees it among their payments, refunds and credit: of each of those one leg. No foreign key, which would lock
  -- the account's row; accounts are never deleted.
  account_id    uuid,
  unique (source, source_id, leg)
);
create index ledger_transfer_shown on ledger_transfer (account_id, at desc, id desc) where account_id is not null;
create index ledger_transfer_debit on ledger_transfer (debit, at desc);
create index ledger_transfer_credit on ledger_transfer (credit, at desc);
-- What a foreign key would do, without locking the few accounts that every payment moves: they are never deleted nor renamed.
create function transfers_have_accounts() returns trigger language plpgsql as $$
begin
  if exists (
    select from written where not exists (select from ledger_account where id = debit and ledger_account.currency = written.currency)
      or not exists (select from ledger_account where id = credit and ledger_account.currency = written.currency)
  ) then
    raise exception 'a movement is between accounts of its currency' using errcode = '23503', constraint = 'transfers_have_accounts';
  end if;
  return null;
end $$;
create trigger ledger_transfer_accounts after insert on ledger_transfer referencing new table as written
  for each statement execute function transfers_have_accounts();
create trigger ledger_account_stays before update of id, code, currency or delete or truncate on ledger_account
  for each statement execute function is_append_only();
create trigger ledger_transfer_append_only before update or delete or truncate on ledger_transfer
  for each statement execute function is_append_only();

-- ---------------------------------------------------------------- cart
create table cart_line (
  id              uuid primary key,
  public_id       public_id not null unique,
  account_id      uuid not null references account,
  item            uuid not null references item,
  quantity        smallint not null check (quantity between 1 and 100),
  -- What the goods ask for ("User ID", "Zone"), by field key.
  account_fields  jsonb not null default '{}' check (jsonb_typeof(account_fields) = 'object'),
  -- SHA-256 of the fields in a fixed order: the same goods for the same game account are one line.
  fields_hash     bytea not null check (length(fields_hash) = 32),
  -- The unit price when the line was last touched: what "was" tells. And the one last shown: nobody pays more than they saw.
  seen_minor      minor_amount,
  shown_minor     minor_amount,
  seen_currency   currency_code references currency,
  created_at      timestamptz not null,
  unique (account_id, item, fields_hash),
  check ((seen_minor is null) = (seen_currency is null) and (shown_minor is null) = (seen_currency is null))
);
create index cart_line_newest on cart_line (account_id, created_at desc, id desc);

-- ---------------------------------------------------------------- orders
-- Numbers for people are made of this through a keyed permutation: neighbours cannot be guessed.
create sequence order_sequence as bigint maxvalue 999999999999;

create table shop_order (
  id                uuid primary key,
  public_id         public_id not null unique,
  number            text not null unique check (number ~ '^[0-9]{13}$'),
  account_id        uuid not null references account,
  -- The caller's idempotency key and SHA-256 of what it asked for: one order a key.
  request_key       text not null check (length(request_key) between 1 and 200),
  request_hash      bytea not null check (length(request_hash) = 32),
  status            text not null default 'pending_payment' check (status in
    ('pending_payment','waiting_for_payment','waiting_for_shipment','shipping','processing','cancelled','refunded','expired','completed')),
  currency          currency_code not null references currency,
  goods_minor       positive_amount not null,
  -- The service fee of the chosen method; it may change with the method until money is there.
  fee_minor         minor_amount not null default 0,
  total_minor       positive_amount not null check (total_minor = goods_minor + fee_minor),
  -- Part of the total that is tax, and its rate in hundredths of a percent.
  tax_minor         minor_amount not null default 0 check (tax_minor <= total_minor),
  tax_basis_points  integer not null default 0 check (tax_basis_points between 0 and 10000),
  -- What providers say they took for this order, and gave back, in its currency.
  captured_minor    minor_amount not null default 0,
  refunded_minor    minor_amount not null default 0 check (refunded_minor <= captured_minor),
  -- A decision is open, and what about.
  hold              text check (hold in ('late','underpaid','wrong_currency','out_of_stock','disputed','risk','refund_requested')),
  ended             text check (ended in ('cancelled','expired')),
  -- When money was taken for the goods; from then on they are owed.
  settled_at        timestamptz,
  -- Rates, margin and rounding the prices were made with.
  pricing           jsonb not null,
  language          language_code not null,
  country           text references country,
  -- What the country was concluded from, and the network and device it was bought with.
  evidence          jsonb not null default '{}',
  terms_version     text not null check (length(terms_version) between 1 and 40),
  -- When the buyer, beginning to pay, agreed to the terms, and that delivery begins at once and the right of withdrawal ends with it.
  waived_at         timestamptz,
  expires_at        timestamptz not null,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- What lists ask for, so that they read their index alone: goods of a code, goods charged to an account, a refund of goods or a
  -- question about it, and how many codes were handed over.
  has_cards         boolean not null default false,
  has_charging      boolean not null default false,
  has_claims        boolean not null default false,
  cards_delivered   smallint not null default 0 check (cards_delivered >= 0),
  unique (account_id, request_key),
  check (status not in ('pending_payment','waiting_for_payment') or (captured_minor = 0 and settled_at is null and ended is null and hold is null)),
  check (status not in ('waiting_for_shipment','shipping','completed') or (settled_at is not null and captured_minor >= total_minor and hold is null)),
  check (status not in ('cancelled','expired') or (ended = status and captured_minor = 0 and hold is null)),
  check (status <> 'refunded' or (captured_minor > 0 and refunded_minor = captured_minor)),
  check (settled_at is null or ended is null),
  check (settled_at is null or captured_minor >= total_minor),
  check (waived_at is not null or (status in ('pending_payment','cancelled','expired') and settled_at is null and captured_minor = 0))
);
create index shop_order_listed on shop_order (account_id, created_at desc, id desc) include (status, hold, has_cards, has_charging, has_claims, cards_delivered);
create index shop_order_unpaid on shop_order (account_id) where status in ('pending_payment','waiting_for_payment');
create index shop_order_recent on shop_order (status, created_at desc, id desc);
create index shop_order_to_expire on shop_order (expires_at) where status in ('pending_payment','waiting_for_payment');
create index shop_order_to_decide on shop_order (updated_at) where status = 'processing';
select keep_to_machine('shop_order', 'order');

create table order_line (
  id              uuid primary key,
  order_id        uuid not null references shop_order,
  position        smallint not null check (position >= 0),
  -- Null for store credit, which is no item of the catalogue.
  item            uuid references item,
  -- As they were when it was bought.
  item_code       text not null,
  product         text not null,
  -- 0 for store credit.
  goods_type      smallint not null check (goods_type between 0 and 4),
  delivery        text not null check (delivery in ('card_key','direct_charge','store_credit')),
  -- English, for a day when the item is sold no more.
  product_name    text not null check (length(product_name) between 1 and 200),
  item_name       text not null check (length(item_name) between 1 and 200),
  quantity        smallint not null check (quantity between 1 and 100),
  -- Of one unit, in the order's currency, and what it was made from.
  price_minor     positive_amount not null,
  base_minor      positive_amount not null,
  base_currency   currency_code not null references currency,
  account_fields  jsonb not null default '{}' check (jsonb_typeof(account_fields) = 'object'),
  unique (order_id, position),
  check ((item is null) = (delivery = 'store_credit')),
  check ((goods_type = 0) = (delivery = 'store_credit'))
);
create index order_line_item on order_line (item);

-- One row for each thing bought, so that each is delivered, or refunded, once.
create table order_unit (
  id            uuid primary key,
  public_id     public_id not null unique,
  order_id      uuid not null references shop_order,
  line_id       uuid not null references order_line,
  unit_no       smallint not null check (unit_no between 1 and 100),
  item          uuid references item,
  delivery      text not null check (delivery in ('card_key','direct_charge','store_credit')),
  status        text not null default 'queued' check (status in
    ('queued','delivering','in_doubt','delivered','failed','refund_due','refunded','released')),
  price_minor   positive_amount not null,
  delivered_at  timestamptz,
  -- Who has taken it up to deliver by hand, until when it is theirs.
  claimed_by    text check (length(claimed_by) between 1 and 100),
  claimed_until timestamptz,
  -- What shows that it was delivered by hand: a supplier's receipt number, say.
  proof         text check (length(proof) between 1 and 200),
  unique (order_id, line_id, unit_no),
  check ((item is null) = (delivery = 'store_credit')),
  check (status <> 'delivered' or delivered_at is not null),
  check ((claimed_by is null) = (claimed_until is null))
);
create index order_unit_by_hand on order_unit (id) where delivery = 'direct_charge' and status in ('queued','delivering','in_doubt','failed');
select keep_to_machine('order_unit', 'unit');

-- How long the latest deliveries of a brand took, from payment: kept where there were enough of them to tell. Shown, hence the notification.
create table delivery_time (
  brand        text primary key references brand on update cascade on delete cascade,
  deliveries   integer not null check (deliveries > 0),
  p50_seconds  integer not null check (p50_seconds >= 0),
  p95_seconds  integer not null check (p95_seconds >= p50_seconds)
);
create trigger delivery_time_notify after insert or update or delete or truncate on delivery_time
  for each statement execute function notify_catalogue_changed();

create table order_event (
  id           uuid primary key,
  -- In the order in which they happened: several of one transaction share their moment.
  seq          bigint generated always as identity,
  order_id     uuid not null references shop_order,
  at           timestamptz not null,
  actor        text not null,
  request_id   text not null,
  -- Null for the first.
  from_status  text,
  to_status    text not null,
  reason       text not null check (reason ~ '^[a-z]+(_[a-z]+)*$'),
  details      jsonb not null default '{}',
  -- The buyer has yet to hear of it: the one thing that may change.
  is_to_tell   boolean not null default false
);
create index order_event_order on order_event (order_id, seq);
create index order_event_to_tell on order_event (seq) where is_to_tell;
create trigger order_event_append_only
  before update of id, seq, order_id, at, actor, request_id, from_status, to_status, reason, details or delete or truncate on order_event
  for each statement execute function is_append_only();

-- ---------------------------------------------------------------- payments
-- Committed before the provider is called; its id is the idempotency key there.
create table payment_attempt (
  id                  uuid primary key,
  public_id           public_id not null unique,
  order_id            uuid not null references shop_order,
  provider            code not null,
  method              code not null,
  status              text not null default 'created' check (status in
    ('created','requires_action','seen','authorised','captured','failed','voided','expired')),
  currency            currency_code not null references currency,
  amount_minor        positive_amount not null,
  -- The part of the amount that is the method's fee.
  fee_minor           minor_amount not null default 0 check (fee_minor < amount_minor),
  -- The provider's name for it; null until it has answered.
  provider_reference  text check (length(provider_reference) between 1 and 255),
  redirect_url        text check (length(redirect_url) <= 4000),
  captured_minor      minor_amount not null default 0,
  -- No foreign key, which would lock the currency's row for every payment: the ledger refuses what is none.
  captured_currency   currency_code,
  -- Captures seen so far: a provider may take an amount in parts.
  captures            smallint not null default 0 check (captures >= 0),
  refunded_minor      minor_amount not null default 0 check (refunded_minor <= captured_minor),
  -- Taken back from us by the payer's bank.
  reversed_minor      minor_amount not null default 0,
  -- It paid for its order; at most one does.
  is_applied          boolean not null default false,
  failure             text check (length(failure) <= 200),
  -- The sweep asks the provider then.
  check_at            timestamptz,
  checks              smallint not null default 0,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  unique (provider, provider_reference),
  check (status = 'captured' or captured_minor = 0),
  check ((captured_minor = 0) = (captured_currency is null)),
  check (not is_applied or (status = 'captured' and captured_currency = currency)),
  check (reversed_minor <= captured_minor)
);
create unique index payment_attempt_open on payment_attempt (order_id) where status in ('created','requires_action','seen','authorised');
create unique index payment_attempt_applied on payment_attempt (order_id) where is_applied;
create index payment_attempt_order on payment_attempt (order_id);
create index payment_attempt_to_check on payment_attempt (check_at) where check_at is not null;
select keep_to_machine('payment_attempt', 'payment');

-- Notices as they came, verified. The key makes one that is sent again harmless.
create table provider_event (
  provider            code not null,
  event_id            text not null check (length(event_id) between 1 and 255),
  kind                text not null check (length(kind) between 1 and 100),
  provider_reference  text check (length(provider_reference) between 1 and 255),
  body                bytea not null check (length(body) <= 262144),
  received_at         timestamptz not null,
  -- One of the workers has it until then.
  taken_until         timestamptz,
  processed_at        timestamptz,
  -- What came of it: settled, nothing_new, not_ours …
  outcome             text check (length(outcome) <= 100),
  primary key (provider, event_id),
  check ((processed_at is null) = (outcome is null))
) with (fillfactor = 80);
create index provider_event_waiting on provider_event (received_at) where processed_at is null;

create table refund (
  -- The idempotency key at the provider.
  id                  uuid primary key,
  public_id           public_id not null unique,
  order_id            uuid not null references shop_order,
  attempt_id          uuid not null references payment_attempt,
  -- 'goods': units, with the fee where nothing remains. 'surplus': money that paid for nothing. 'reversal': taken by the payer's bank.
  purpose             text not null check (purpose in ('goods','surplus','reversal')),
  destination         text not null check (destination in ('original','store_credit')),
  status              text not null default 'requested' check (status in
    ('requested','approved','submitted','unknown','succeeded','failed','rejected')),
  currency            currency_code not null references currency,
  amount_minor        positive_amount not null,
  -- The part of the amount that is the method's fee.
  fee_minor           minor_amount not null default 0 check (fee_minor <= amount_minor),
  reason              text not null check (reason ~ '^[a-z]+(_[a-z]+)*$'),
  requested_by        text not null,
  approved_by         text,
  provider            code not null,
  provider_reference  text check (length(provider_reference) between 1 and 255),
  failure             text check (length(failure) <= 200),
  check_at            timestamptz,
  checks              smallint not null default 0,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  unique (provider, provider_reference),
  -- What a person asks for another one approves; what a rule asks for the rule has approved.
  check (approved_by is null or approved_by <> requested_by or requested_by = 'system'),
  check (status in ('requested','rejected') or approved_by is not null)
);
create unique index refund_in_flight on refund (attempt_id) where status in ('approved','submitted','unknown');
create index refund_order on refund (order_id);
create index refund_to_check on refund (check_at) where check_at is not null;
select keep_to_machine('refund', 'refund');

create table refund_unit (
  refund_id  uuid not null references refund,
  unit_id    uuid not null references order_unit,
  primary key (refund_id, unit_id)
);
create index refund_unit_unit on refund_unit (unit_id);

-- No more is asked back than was captured, however many ask at once: the attempt's row is locked for the sum.
create function refund_fits() returns trigger language plpgsql as $$
declare
  captured numeric; captured_in text; asked numeric;
begin
  select captured_minor, captured_currency into captured, captured_in from payment_attempt where id = new.attempt_id for no key update;
  select coalesce(sum(amount_minor), 0) into asked from refund
    where attempt_id = new.attempt_id and status not in ('failed','rejected') and id <> new.id;
  if captured_in is distinct from new.currency or asked + new.amount_minor > captured then
    raise exception 'refund is more than was captured' using errcode = '23514', constraint = 'refund_fits';
  end if;
  return new;
end $$;
create trigger refund_fits before insert on refund for each row execute function refund_fits();

-- Money at a provider that belongs to no payment known here: what was paid in the time that a restore has lost. It stays until
-- somebody has seen to it.
create table stray_payment (
  -- The idempotency key of giving it back.
  id                  uuid primary key,
  public_id           public_id not null unique,
  provider            code not null,
  provider_reference  text not null check (length(provider_reference) between 1 and 255),
  -- What the shop called it when it was made.
  our_reference       text not null check (length(our_reference) <= 255),
  currency            currency_code not null,
  amount_minor        positive_amount not null,
  found_at            timestamptz not null,
  outcome             text check (outcome in ('returned','seen_to')),
  note                text not null default '' check (length(note) <= 500),
  closed_at           timestamptz,
  closed_by           text,
  unique (provider, provider_reference),
  check ((outcome is null) = (closed_at is null) and (outcome is null) = (closed_by is null))
);
create index stray_payment_open on stray_payment (found_at) where outcome is null;

-- ---------------------------------------------------------------- bank transfers
-- Money on the shop's own account, as an operator reads it from the statement; a line entered twice counts once.
create table bank_receipt (
  id            uuid primary key,
  attempt_id    uuid not null references payment_attempt,
  reference     text not null unique check (length(reference) between 1 and 200),
  currency      currency_code not null references currency,
  amount_minor  positive_amount not null,
  recorded_at   timestamptz not null,
  recorded_by   text not null
);
create index bank_receipt_attempt on bank_receipt (attempt_id);

-- Refunds whose money an operator has sent back.
create table bank_return (
  refund_id    uuid primary key references refund,
  recorded_at  timestamptz not null,
  recorded_by  text not null
);

-- ---------------------------------------------------------------- card keys
-- The keys that encrypt keys, by number; they themselves are outside the database. `check_value` tells a wrong one.
create table key_encryption_key (
  id           integer primary key check (id > 0),
  check_value  bytea not null check (length(check_value) = 32),
  created_at   timestamptz not null,
  retired_at   timestamptz
);

create table key_batch (
  id          uuid primary key,
  item        uuid not null references item,
  file_name   text not null check (length(file_name) between 1 and 200),
  imported    integer not null check (imported >= 0),
  duplicates  integer not null check (duplicates >= 0),
  refused     integer not null check (refused >= 0),
  created_at  timestamptz not null,
  created_by  text not null
);

create sequence card_key_pick as bigint;

create table card_key (
  -- Taken before the key is encrypted, which is bound to it.
  id           uuid primary key,
  item         uuid not null references item,
  batch_id     uuid not null references key_batch,
  -- Orders the queue; it stands in `card_key_free` and nowhere else, so that no plan can walk past keys long sold.
  pick         bigint not null default nextval('card_key_pick'),
  expires_on   date not null default 'infinity',
  status       text not null default 'free' check (status in ('quarantined','free','claimed','delivered','void')),
  -- AES-256-GCM under a key of its own, which is wrapped by the key-encryption key.
  nonce        bytea not null check (length(nonce) = 12),
  ciphertext   bytea not null check (length(ciphertext) between 17 and 1500000),
  wrapped_key  bytea not null check (length(wrapped_key) = 60),
  kek_id       integer not null references key_encryption_key,
  -- HMAC-SHA-256 of brand and normalised key: the same key is refused, however it is spelled.
  fingerprint  bytea not null unique check (length(fingerprint) = 32),
  last_four    text not null check (length(last_four) between 1 and 4),
  unit_id      uuid unique references order_unit,
  claimed_at   timestamptz,
  delivered_at timestamptz,
  revealed_at  timestamptz,
  used_at      timestamptz,
  check ((status in ('claimed','delivered')) = (unit_id is not null) or status = 'void'),
  check ((unit_id is null) = (claimed_at is null)),
  check (status <> 'delivered' or delivered_at is not null),
  check (revealed_at is null or status in ('delivered','void'))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index card_key_free on card_key (item, expires_on, pick) where status = 'free';
create index card_key_kek on card_key (kek_id);

-- A key bound to a unit stays bound: only one never shown returns to stock.
create function card_key_stays_bound() returns trigger language plpgsql as $$
begin
  if old.unit_id is not null and new.unit_id is distinct from old.unit_id and not (old.status = 'claimed' and new.status = 'free') then
    raise exception 'key is bound to unit %', old.unit_id using errcode = '23514', constraint = 'card_key_stays_bound';
  end if;
  return new;
end $$;
create trigger card_key_bound before update of unit_id on card_key for each row
  when (old.unit_id is not null and new.unit_id is distinct from old.unit_id) execute function card_key_stays_bound();
select keep_to_machine('card_key', 'key');

-- Every decryption, whoever asked for it.
create table key_access (
  id          uuid primary key,
  key_id      uuid not null references card_key,
  actor       text not null,
  purpose     text not null check (purpose in ('reveal','export','picture','check')),
  network     text not null default '' check (length(network) <= 60),
  request_id  text not null,
  at          timestamptz not null
);
create index key_access_key on key_access (key_id, at);
create trigger key_access_append_only before update or delete or truncate on key_access
  for each statement execute function is_append_only();

-- ---------------------------------------------------------------- what buyers say afterwards
-- Of shoppers who were delivered what they review; those of the catalogue's files have no order.
create sequence review_number as bigint start 1000000000;
alter table review
  -- Null for those of files, and once the person is erased.
  add account_id uuid references account,
  add order_id uuid references shop_order,
  add check (account_id is null or order_id is not null);
create unique index review_once on review (order_id, brand) where order_id is not null;
create index review_account on review (account_id, published_at) where account_id is not null;

-- A buyer's question about an order, and a dispute a payer's bank has begun: open until it is decided.
create table service_case (
  id           uuid primary key,
  public_id    public_id not null unique,
  kind         text not null check (kind in ('refund_request','faulty_key','dispute')),
  order_id     uuid not null references shop_order,
  account_id   uuid not null references account,
  reason       text not null check (reason in ('not_delivered','code_invalid','code_used','wrong_goods','mistake','other','disputed')),
  text         text not null default '' check (length(text) <= 2000),
  picture      uuid references uploaded_picture on delete set null,
  destination  text not null default 'original' check (destination in ('original','store_credit')),
  status       text not null default 'open' check (status in ('open','accepted','declined','withdrawn')),
  decided_by   text check (length(decided_by) between 1 and 100),
  -- What the shop tells the buyer about its decision.
  note         text not null default '' check (length(note) <= 2000),
  created_at   timestamptz not null,
  decided_at   timestamptz,
  check ((status = 'open') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null)),
  check ((kind = 'dispute') = (reason = 'disputed'))
);
create index service_case_order on service_case (order_id, created_at);
create index service_case_account on service_case (account_id, created_at);
create index service_case_open on service_case (created_at) where status = 'open';
-- One of a kind at a time; of faulty keys one a key.
create unique index service_case_once on service_case (order_id, kind) where status = 'open' and kind <> 'faulty_key';

create table service_case_unit (
  case_id  uuid not null references service_case,
  unit_id  uuid not null references order_unit,
  -- Kept with the case's status: a unit is asked about once at a time.
  is_open  boolean not null default true,
  primary key (case_id, unit_id)
);
create unique index service_case_unit_once on service_case_unit (unit_id) where is_open;

-- Whoever writes either holds the order's row already.
create function note_claims() returns trigger language plpgsql as $$
begin
  update shop_order o set has_claims = not o.has_claims
  where o.id = new.order_id and o.has_claims <> (
    exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status <> 'rejected') or exists (select from service_case c where c.order_id = o.id and c.status <> 'withdrawn'));
  return null;
end $$;
create trigger refund_asked after insert on refund for each row execute function note_claims();
create trigger refund_taken_back after update of status on refund for each row when (new.status = 'rejected') execute function note_claims();
create trigger service_case_asked after insert on service_case for each row execute function note_claims();
create trigger service_case_taken_back after update of status on service_case for each row when (new.status = 'withdrawn') execute function note_claims();

-- ---------------------------------------------------------------- mail
-- The job that sends it, and others with it. Null for mails of before: those have one each, 'mail:' and their id.
alter table outgoing_mail add job_key text;

-- ---------------------------------------------------------------- stock
-- What each change did to the keys at hand and to the units sold, to be added up by the worker: a sale waits for no counter.
create table stock_change (
  item  uuid not null,
  free  integer not null,
  sold  integer not null
);

-- Kept by the worker some seconds behind; what is truly there is decided when a key is claimed. Pages show it.
create table stock_level (
  item        uuid primary key references item on delete cascade,
  free        bigint not null,
  sold        bigint not null,
  updated_at  timestamptz not null
);
create index stock_level_recent on stock_level (updated_at);

create function note_keys_added() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold) select item, count(*), 0 from added where status = 'free' group by item;
  return null;
end $$;
create trigger card_key_added after insert on card_key referencing new table as added
  for each statement execute function note_keys_added();

create function note_key_moved() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold)
  values (new.item, (new.status = 'free')::integer - (old.status = 'free')::integer, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $$;
create trigger card_key_moved after update of status on card_key for each row
  when ((old.status = 'free') <> (new.status = 'free') or (old.status = 'delivered') <> (new.status = 'delivered')) execute function note_key_moved();

create function note_unit_charged() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold) values (new.item, 0, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $$;
create trigger order_unit_charged after update of status on order_unit for each row
  when (new.delivery = 'direct_charge' and (old.status = 'delivered') <> (new.status = 'delivered')) execute function note_unit_charged();

-- ---------------------------------------------------------------- carts and orders in one trip
-- Each begins with the account's row, as its lock: one at a time an account, and none while the account is closed. What is under
-- that lock is read by statements after it, so that it is what others have left.

-- Puts lines into a cart: more of a line that is there, or with `keep_greater` the greater quantity. A new line beyond `lines_max` is
-- left out where the greater is kept, and otherwise refused. Answers 'put', 'full' or 'unauthorised'; nothing has changed after the last two.
create function put_in_cart(buyer uuid, wanted jsonb, keep_greater boolean, lines_max integer, quantity_max integer) returns text language plpgsql as $$
declare
  line record;
begin
  perform from account where id = buyer and status = 'active' for no key update;
  if not found then return 'unauthorised'; end if;
  for line in
    select id, public_id, item, quantity, fields, decode(fields_hash, 'hex') as fields_hash, price_minor, currency, at
    from jsonb_to_recordset(wanted) as each (id uuid, public_id text, item uuid, quantity integer, fields jsonb, fields_hash text, price_minor numeric, currency text, at timestamptz)
  loop
    update cart_line set quantity = case when keep_greater then greatest(cart_line.quantity, line.quantity) else least(quantity_max, cart_line.quantity + line.quantity) end,
      seen_minor = line.price_minor, shown_minor = line.price_minor, seen_currency = line.currency
    where account_id = buyer and item = line.item and cart_line.fields_hash = line.fields_hash;
    continue when found;
    if (select count(*) from cart_line where account_id = buyer) >= lines_max then
      continue when keep_greater;
      return 'full';
    end if;
    insert into cart_line (id, public_id, account_id, item, quantity, account_fields, fields_hash, seen_minor, shown_minor, seen_currency, created_at)
    values (line.id, line.public_id, buyer, line.item, line.quantity, line.fields, line.fields_hash, line.price_minor, line.price_minor, line.currency, line.at);
  end loop;
  return 'put';
end $$;

-- Makes an order with its lines, units and first event, and takes lines out of the cart, or nothing. `asked` has columns by name; of
-- `cart`, where it is there, the lines that leave it. Answers what came of it as `outcome`: 'placed'; 'made' for the order of the same
-- request key; 'conflict' where that stands for another request; 'unauthorised', 'too_many_unpaid', 'number_taken'. An error of class
-- 40 where the cart has changed.
create function place_order(asked jsonb, unpaid_max integer) returns jsonb language plpgsql as $$
declare
  buyer constant uuid := asked->>'account_id'; placed constant uuid := asked->>'id'; made record; taken integer;
begin
  perform from account where id = buyer and status = 'active' for no key update;
  if not found then return '{"outcome":"unauthorised"}'; end if;
  select o.id, o.public_id, o.number, encode(o.request_hash, 'hex') = asked->>'request_hash' as is_same into made from shop_order o where o.account_id = buyer and o.request_key = asked->>'request_key';
  if found then
    return jsonb_build_object('outcome', case when made.is_same then 'made' else 'conflict' end, 'id', made.id, 'publicId', made.public_id, 'number', made.number);
  end if;
  if (select count(*) from shop_order where account_id = buyer and status in ('pending_payment', 'waiting_for_payment')) >= unpaid_max then return '{"outcome":"too_many_unpaid"}'; end if;

  insert into shop_order (id, public_id, number, account_id, request_key, request_hash, currency, goods_minor, total_minor, tax_minor, tax_basis_points,
    pricing, language, country, evidence, terms_version, expires_at, created_at, updated_at, has_cards, has_charging)
  select o.id, o.public_id, o.number, o.account_id, o.request_key, decode(o.request_hash, 'hex'), o.currency, o.goods_minor, o.goods_minor, o.tax_minor, o.tax_basis_points,
    o.pricing, o.language, o.country, o.evidence, o.terms_version, o.expires_at, o.created_at, o.created_at, o.has_cards, o.has_charging
  from jsonb_to_record(asked) as o (id uuid, public_id text, number text, account_id uuid, request_key text, request_hash text, currency text, goods_minor numeric, tax_minor numeric, tax_basis_points integer,
    pricing jsonb, language text, country text, evidence jsonb, terms_version text, expires_at timestamptz, created_at timestamptz, has_cards boolean, has_charging boolean)
  on conflict (number) do nothing;
  if not found then return '{"outcome":"number_taken"}'; end if;
  insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency, account_fields)
  select line.id, placed, line.position, line.item, line.item_code, line.product, line.goods_type, line.delivery, line.product_name, line.item_name, line.quantity, line.price_minor, line.base_minor, line.base_currency, line.account_fields
  from jsonb_to_recordset(asked->'lines') as line (id uuid, position smallint, item uuid, item_code text, product text, goods_type smallint, delivery text,
    product_name text, item_name text, quantity smallint, price_minor numeric, base_minor numeric, base_currency text, account_fields jsonb);
  insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor)
  select unit.id, unit.public_id, placed, unit.line_id, unit.unit_no, unit.item, unit.delivery, unit.price_minor
  from jsonb_to_recordset(asked->'units') as unit (id uuid, public_id text, line_id uuid, unit_no smallint, item uuid, delivery text, price_minor numeric);
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
  values ((asked->>'event_id')::uuid, placed, (asked->>'created_at')::timestamptz, asked->>'actor', asked->>'request_id', null, 'pending_payment', 'created');
  if asked ? 'cart' then
    delete from cart_line using jsonb_to_recordset(asked->'cart') as bought (id uuid, quantity integer) where cart_line.id = bought.id and cart_line.quantity = bought.quantity;
    get diagnostics taken = row_count;
    if taken < jsonb_array_length(asked->'cart') then raise exception 'the cart has changed' using errcode = '40001'; end if;
  end if;
  return jsonb_build_object('outcome', 'placed', 'id', placed, 'publicId', asked->>'public_id', 'number', asked->>'number');
end $$;

-- ---------------------------------------------------------------- the plain case of beginning to pay
create type begun_payment as (order_id uuid, number text, language text, currency text, amount_minor numeric);

-- An order that waits to be paid, has no payment open and whose cards can all be had at once: keys are claimed for it and the attempt
-- is opened, in one trip. Answers nothing, with nothing changed, for every other, also where keys are claimed by others, or gone.
-- The program's rules decide those, and lead to the same rows as this, which a test compares. The order expires between `no_sooner` and
-- `no_later`, where they are given.
create function start_plainly(
  buyer uuid, named text, attempt uuid, attempt_name text, with_provider text, with_method text, fee numeric,
  no_sooner timestamptz, no_later timestamptz, first_check timestamptz, event uuid, moment timestamptz, by_actor text, in_request text
) returns setof begun_payment language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  o shop_order; wanted record; picked uuid[]; keys uuid[] := '{}'; units uuid[] := '{}';
begin
  select * into o from shop_order where account_id = buyer and public_id = named for no key update;
  if not found or o.status <> 'pending_payment' or o.expires_at <= moment then return; end if;
  for wanted in
    select u.item, array_agg(u.id order by u.id) as units from order_unit u
    where u.order_id = o.id and u.delivery = 'card_key' and u.status = 'queued' and not exists (select from card_key k where k.unit_id = u.id) group by u.item order by u.item
  loop
    select array_agg(free.id) into picked from (
      select id from card_key where item = wanted.item and status = 'free' and expires_on > (moment at time zone 'UTC')::date
      order by expires_on, pick limit cardinality(wanted.units) for update skip locked
    ) as free;
    if coalesce(cardinality(picked), 0) < cardinality(wanted.units) then return; end if;
    keys := keys || picked;
    units := units || wanted.units;
  end loop;
  update card_key set status = 'claimed', unit_id = bound.unit_id, claimed_at = moment
  from unnest(keys, units) as bound (key_id, unit_id) where card_key.id = bound.key_id;
  insert into payment_attempt (id, public_id, order_id, provider, method, currency, amount_minor, fee_minor, check_at, created_at, updated_at)
  values (attempt, attempt_name, o.id, with_provider, with_method, o.currency, o.goods_minor + fee, fee, first_check, moment, moment);
  update shop_order set status = 'waiting_for_payment', fee_minor = fee, total_minor = goods_minor + fee, waived_at = coalesce(waived_at, moment), updated_at = moment,
    expires_at = greatest(least(expires_at, no_later), no_sooner)
  where id = o.id;
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, details)
  values (event, o.id, moment, by_actor, in_request, 'pending_payment', 'waiting_for_payment', 'payment_started', jsonb_build_object('provider', with_provider, 'method', with_method));
  return next row(o.id, o.number, o.language, o.currency, o.goods_minor + fee)::begun_payment;
end $$;

-- ---------------------------------------------------------------- the plain case of a payment
create type plain_payment as (
  place integer, attempt uuid, order_id uuid, provider text, reference text, event_id text, moment timestamptz, actor text, request_id text, currency text, minor numeric, goods numeric,
  fee numeric, captures integer, label text, cards integer, provider_account integer, held integer, orders integer, sales integer, fees integer,
  account_id uuid
);

-- An open payment brought exactly what was asked for an order that waits for it, and every card can be had: the money is booked,
-- the order settled and its keys delivered, for several payments in one trip to the database. Answers the places in `told` of
-- those that were; nothing has changed for the others, which the program's rules decide. The rules lead to the same rows as this,
-- which a test compares. An error of class 40 where a row changed under its hands, or keys ran out: the rules decide all of them.
-- Plans are fixed, as a shop's first sales come before anything is known of its tables: rows are found by the ids of those of the
-- payments, by index, which also keeps to one order of locks.
create function settle_plainly(told jsonb) returns setof integer language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off as $$
declare
  -- As variables they lead no plan to an index of all that are open, which is small only while nothing is known of the table.
  open constant text[] := array['created','requires_action','seen','authorised']; awaited constant text := 'waiting_for_payment';
  paid plain_payment[]; ids uuid[]; attempts uuid[]; card_units uuid[]; done integer; wanted record;
begin
  select array_agg(row(plain.*)::plain_payment order by plain.order_id), array_agg(plain.order_id order by plain.order_id) into paid, ids from (
    select distinct on (o.id) t.place, p.id, o.id as order_id, t.provider, t.reference, t.event_id, t.moment, t.actor, t.request_id, o.currency, t.minor, o.goods_minor, p.fee_minor, p.captures::integer,
      case when u.cards = 0 then 'waiting_for_shipment' when u.others > 0 then 'shipping' else 'completed' end, u.cards, a.provider_account, a.held, a.orders, a.sales, a.fees, o.account_id
    from jsonb_to_recordset(told) as t (place integer, provider text, attempt uuid, reference text, minor numeric, currency text, event_id text, moment timestamptz, actor text, request_id text)
    cross join lateral (select * from payment_attempt where id = t.attempt limit 1) as p
    cross join lateral (select * from shop_order where id = p.order_id limit 1) as o
    cross join lateral (
      select count(*) filter (where delivery = 'card_key')::integer as cards, count(*) filter (where delivery = 'direct_charge') as others,
        bool_and(status = 'queued' and delivery <> 'store_credit') as is_plain from order_unit where order_id = o.id
    ) as u
    cross join lateral (
      select max(id) filter (where code = 'provider:' || t.provider) as provider_account, max(id) filter (where code = 'held') as held, max(id) filter (where code = 'orders') as orders,
        max(id) filter (where code = 'sales') as sales, max(id) filter (where code = 'fees') as fees
      from ledger_account where currency = o.currency and code in ('provider:' || t.provider, 'held', 'orders', 'sales', 'fees')
    ) as a
    where p.provider = t.provider and p.status = any (open) and p.captured_minor = 0
      and p.amount_minor = t.minor and p.currency = t.currency and coalesce(p.provider_reference, t.reference) = t.reference
      and o.status = awaited and o.currency = t.currency and o.goods_minor + p.fee_minor = t.minor and u.is_plain
      and a.provider_account is not null and a.held is not null and a.orders is not null and (a.sales is not null or u.cards = 0) and (a.fees is not null or p.fee_minor = 0)
    order by o.id, t.place
  ) as plain;
  if paid is null then return; end if;

  -- An order's row is its lock: who comes second finds it paid.
  with moved as (
    update shop_order o set status = p.label, captured_minor = p.minor, settled_at = p.moment, fee_minor = p.fee, total_minor = p.minor, cards_delivered = p.cards, updated_at = p.moment
    from unnest(paid) as p where o.id = any (ids) and o.id = p.order_id and o.status = awaited returning o.id
  )
  select array_agg(id) into ids from moved;
  if ids is null then return; end if;
  if cardinality(ids) < cardinality(paid) then
    select array_agg(p order by p.order_id) into paid from unnest(paid) as p where p.order_id = any (ids);
  end if;
  select array_agg(p.attempt) into attempts from unnest(paid) as p;
  update payment_attempt a set status = 'captured', captured_minor = p.minor, captured_currency = p.currency, captures = a.captures + 1, is_applied = true,
    provider_reference = p.reference, failure = null, checks = a.checks + 1, check_at = null, updated_at = p.moment
  from unnest(paid) as p
  where a.id = any (attempts) and a.id = p.attempt and a.status = any (open) and coalesce(a.provider_reference, p.reference) = p.reference;
  get diagnostics done = row_count;
  if done < cardinality(paid) then raise exception 'payment has changed' using errcode = '40001'; end if;

  select array_agg(id) into card_units from order_unit where order_id = any (ids) and delivery = 'card_key';
  if card_units is not null then
    update card_key k set status = 'delivered', delivered_at = p.moment
    from order_unit u, unnest(paid) as p where k.unit_id = any (card_units) and u.id = k.unit_id and p.order_id = u.order_id and k.status = 'claimed';
    get diagnostics done = row_count;
    if done < cardinality(card_units) then
      for wanted in
        select u.item, array_agg(u.id order by u.id) as units, array_agg(p.moment order by u.id) as moments from order_unit u join unnest(paid) as p on p.order_id = u.order_id
        where u.id = any (card_units) and not exists (select from card_key k where k.unit_id = u.id) group by u.item order by u.item
      loop
        with picked as materialized (
          select id from card_key where item = wanted.item and status = 'free' and expires_on > (wanted.moments[1] at time zone 'UTC')::date
          order by expires_on, pick limit cardinality(wanted.units) for update skip locked
        )
        update card_key set status = 'delivered', unit_id = wanted.units[bound.place], claimed_at = wanted.moments[bound.place], delivered_at = wanted.moments[bound.place]
        from (select id, row_number() over () as place from picked) as bound where card_key.id = bound.id;
        get diagnostics done = row_count;
        if done < cardinality(wanted.units) then raise exception 'keys are claimed by others, or gone' using errcode = '40001'; end if;
      end loop;
    end if;
    update order_unit u set status = 'delivered', delivered_at = p.moment from unnest(paid) as p where u.id = any (card_units) and u.order_id = p.order_id;
  end if;

  insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at, account_id)
  select uuidv7(), moved.source, moved.source_id, moved.leg, moved.debit, moved.credit, p.currency, moved.minor, p.moment, case when moved.source = 'capture' then p.account_id end
  from unnest(paid) as p cross join lateral (
    values ('capture', p.attempt, p.captures, p.provider_account, p.held, p.minor), ('settle', p.order_id, 0, p.held, p.orders, p.goods), ('settle', p.order_id, 1, p.held, p.fees, p.fee)
    union all select 'deliver', id, 0, p.orders, p.sales, price_minor from order_unit where order_id = p.order_id and delivery = 'card_key'
  ) as moved (source, source_id, leg, debit, credit, minor) where moved.minor > 0;
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, is_to_tell)
  select uuidv7(), p.order_id, p.moment, p.actor, p.request_id, 'waiting_for_payment', p.label, 'paid', true from unnest(paid) as p;
  update provider_event e set processed_at = p.moment, outcome = 'money_arrived' from unnest(paid) as p where e.provider = p.provider and e.event_id = p.event_id;
  return query select p.place from unnest(paid) as p;
end $$;

-- ---------------------------------------------------------------- the label, told from the facts
-- The program's rules say the same; the two are compared by tests and by the view below.
create view order_facts as
select o.id, o.status, o.total_minor, o.captured_minor, o.refunded_minor, o.hold, o.ended, o.settled_at is not null as is_settled,
  exists (select from payment_attempt p where p.order_id = o.id and p.status in ('created','requires_action','seen','authorised')) as is_payment_open,
  exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status in ('requested','approved','submitted','unknown')) as is_refund_open,
  u.queued, u.delivering, u.in_doubt, u.delivered, u.failed, u.refund_due, u.refunded, u.released
from shop_order o
cross join lateral (
  select count(*) filter (where status = 'queued')::integer as queued, count(*) filter (where status = 'delivering')::integer as delivering,
    count(*) filter (where status = 'in_doubt')::integer as in_doubt, count(*) filter (where status = 'delivered')::integer as delivered,
    count(*) filter (where status = 'failed')::integer as failed, count(*) filter (where status = 'refund_due')::integer as refund_due,
    count(*) filter (where status = 'refunded')::integer as refunded, count(*) filter (where status = 'released')::integer as released
  from order_unit where order_id = o.id
) as u;

create view order_label as
select id, status, case
  when captured_minor > 0 and refunded_minor = captured_minor then 'refunded'
  when hold is not null or is_refund_open or in_doubt + failed + refund_due > 0 then 'processing'
  when not is_settled and captured_minor > 0 then 'processing'
  when not is_settled and ended is not null then ended
  when not is_settled and is_payment_open then 'waiting_for_payment'
  when not is_settled then 'pending_payment'
  when queued + delivering = 0 and delivered > 0 then 'completed'
  when queued + delivering = 0 then 'processing'
  when delivering + delivered > 0 then 'shipping'
  else 'waiting_for_shipment'
end as label
from order_facts;

-- Every row is a promise broken. Empty, always.
create view invariant_violation as
select 'label differs from facts' as invariant, id::text as subject from order_label where status <> label
union all
select 'label differs from its last event', o.id::text from shop_order o
  where o.status is distinct from (select e.to_status from order_event e where e.order_id = o.id order by e.seq desc limit 1)
union all
select 'line and units differ', l.id::text from order_line l
  where l.quantity <> (select count(*) from order_unit u where u.line_id = l.id and u.order_id = l.order_id and u.item is not distinct from l.item and u.delivery = l.delivery and u.price_minor = l.price_minor)
union all
select 'goods and lines differ', o.id::text from shop_order o
  where o.goods_minor <> (select coalesce(sum(l.price_minor * l.quantity), 0) from order_line l where l.order_id = o.id)
union all
select 'order differs from what lists say of it', o.id::text from shop_order o where (o.has_cards, o.has_charging, o.has_claims, o.cards_delivered) <> (
  exists (select from order_line l where l.order_id = o.id and l.goods_type in (1, 4)), exists (select from order_line l where l.order_id = o.id and l.goods_type in (2, 3)),
  exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status <> 'rejected') or exists (select from service_case c where c.order_id = o.id and c.status <> 'withdrawn'),
  (select count(*) from order_unit u join card_key k on k.unit_id = u.id where u.order_id = o.id and u.delivery = 'card_key' and u.delivered_at is not null and k.delivered_at is not null))
union all
select 'payment shown to another shopper, or to none', t.id::text from payment_attempt p join shop_order o on o.id = p.order_id
  join ledger_transfer t on t.source = 'capture' and t.source_id = p.id where t.account_id is distinct from o.account_id
union all
select 'refund not shown once', r.id::text from refund r join shop_order o on o.id = r.order_id
  where r.status = 'succeeded' and 1 <> (select count(*) from ledger_transfer t where t.source = 'refund' and t.source_id = r.id and t.account_id = o.account_id)
union all
select 'card delivered without a key', u.id::text from order_unit u where u.delivery = 'card_key' and u.status = 'delivered'
  and not exists (select from card_key k where k.unit_id = u.id and k.item = u.item and k.status in ('delivered','void'))
union all
select 'key delivered for what was not paid', k.id::text from card_key k join order_unit u on u.id = k.unit_id join shop_order o on o.id = u.order_id
  where k.status = 'delivered' and o.settled_at is null
union all
select 'key kept for an order that is over', k.id::text from card_key k join order_unit u on u.id = k.unit_id join shop_order o on o.id = u.order_id
  where k.status = 'claimed' and o.status in ('cancelled','expired','refunded','completed')
union all
select 'paid card without a key', u.id::text from order_unit u join shop_order o on o.id = u.order_id
  where u.delivery = 'card_key' and u.status = 'queued' and o.settled_at is not null and o.hold is null
union all
select 'captured differs from the ledger', p.id::text from payment_attempt p
  where p.captured_minor <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'capture' and t.source_id = p.id)
union all
select 'order and its payments differ', o.id::text from shop_order o
  where o.captured_minor <> (select coalesce(sum(p.captured_minor), 0) from payment_attempt p where p.order_id = o.id and p.captured_currency = o.currency)
union all
select 'order and its refunds differ', o.id::text from shop_order o
  where o.refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.order_id = o.id and r.currency = o.currency and r.status = 'succeeded')
union all
select 'payment and its refunds differ', p.id::text from payment_attempt p
  where p.refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.attempt_id = p.id and r.status = 'succeeded')
union all
select 'refund and the ledger differ', r.id::text from refund r where (case when r.status = 'succeeded' then r.amount_minor else 0 end)
  <> (select coalesce(sum(case t.source when 'refund' then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in ('refund','refund_undone') and t.source_id = r.id)
union all
select 'payment and its reversals differ', p.id::text from payment_attempt p
  where p.reversed_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.attempt_id = p.id and r.purpose = 'reversal' and r.status = 'succeeded')
    + (select coalesce(sum(case t.source when 'write_off' then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in ('write_off','write_off_undone') and t.source_id = p.id)
union all
select 'settled without a payment applied, or applied without', o.id::text from shop_order o
  where (o.settled_at is not null) <> exists (select from payment_attempt p where p.order_id = o.id and p.is_applied)
union all
select 'payment begun without agreement', o.id::text from shop_order o
  where o.waived_at is null and exists (select from payment_attempt p where p.order_id = o.id)
union all
select 'store credit that was bought went elsewhere', u.id::text from order_unit u join shop_order o on o.id = u.order_id
  join ledger_transfer t on t.source = 'deliver' and t.source_id = u.id join ledger_account a on a.id = t.credit
  where a.code <> case when u.delivery = 'store_credit' then 'store_credit:' || o.account_id else 'sales' end
union all
select 'paid store credit not given', u.id::text from order_unit u join shop_order o on o.id = u.order_id
  where u.delivery = 'store_credit' and u.status = 'queued' and o.settled_at is not null
union all
select 'settled total and the ledger differ', o.id::text from shop_order o
  where (case when o.settled_at is null then 0 else o.total_minor end)
  <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'settle' and t.source_id = o.id)
union all
select 'unit delivered and the ledger differ', u.id::text from order_unit u where (case when u.delivered_at is null then 0 else u.price_minor end)
  <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'deliver' and t.source_id = u.id)
union all
select 'balance differs from its transfers', a.id::text from ledger_account a where a.balance_minor is not null and a.balance_minor <>
  (select coalesce(sum(case when t.credit = a.id then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where a.id in (t.debit, t.credit))
union all
select 'case and its units differ', c.id::text from service_case c where exists (select from service_case_unit u where u.case_id = c.id and u.is_open <> (c.status = 'open'))
union all
select 'request open without a hold', c.id::text from service_case c join shop_order o on o.id = c.order_id
  where c.status = 'open' and c.kind = 'refund_request' and o.hold is null and o.status = 'completed'
union all
select 'notice not worked off', e.provider || ' ' || e.event_id from provider_event e where e.processed_at is null and e.received_at < now() - interval '1 minute';
