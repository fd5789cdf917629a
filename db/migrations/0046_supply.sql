-- expand: tables of their own
-- They are tied to orders and units by the next two migrations, each of which waits for one table that shoppers hold.
-- Suppliers: who delivers an item for us, what it costs there, and every attempt to buy it.

create table supplier (
  code         code primary key,
  status       text not null default 'on' check (status in ('on','off')),
  -- Purchases in a row that failed there or of which nothing was heard. From a number on it rests; then one purchase tries it.
  failures     integer not null default 0 check (failures >= 0),
  rests_until  timestamptz,
  -- 'trouble': it fails. 'ours': our balance or account there, which is an operator's to mend.
  rests_for    text check (rests_for in ('trouble','ours')),
  -- The supplier's word for it.
  rests_code   text check (length(rests_code) between 1 and 100),
  created_at   timestamptz not null,
  check ((rests_until is null) = (rests_for is null))
);

-- What an item is at a supplier. Those with the lowest priority are asked first.
create table supplier_offer (
  item           uuid not null references item,
  supplier       code not null references supplier,
  priority       smallint not null default 0 check (priority between 0 and 1000),
  is_on          boolean not null default true,
  kind           text not null check (kind in ('topup','recharge','data')),
  -- The supplier's name for it, and the face amount of one where it has several.
  product        text not null check (length(product) between 1 and 200),
  face_minor     positive_amount,
  face_currency  currency_code,
  -- Of one, as it was told last.
  cost_minor     minor_amount not null,
  cost_currency  currency_code not null,
  -- The supplier's name of each account field of ours; fields that are not here keep their name.
  fields         jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
  -- What it is told beside them: a phone's country, say.
  fixed          jsonb not null default '{}' check (jsonb_typeof(fixed) = 'object'),
  updated_at     timestamptz not null,
  primary key (item, supplier),
  check ((face_minor is null) = (face_currency is null))
);
create index supplier_offer_supplier on supplier_offer (supplier);

-- Units that wait for an attempt, by the supplier that is to be asked.
create table supply_queue (
  unit_id      uuid primary key,
  supplier     code not null references supplier,
  due_at       timestamptz not null,
  -- Units of one order stand a little behind each other, so that a large order lets others pass.
  rank_at      timestamptz not null check (rank_at >= due_at),
  turn         integer not null check (turn >= 0),
  -- Whoever prepares its attempt has it until then.
  taken_until  timestamptz not null default '-infinity',
  -- It costs more than may be spent on it: a person decides.
  held         text check (held in ('price')),
  -- That person has said that it may.
  is_allowed   boolean not null default false
);
create index supply_queue_rank on supply_queue (supplier, rank_at) where held is null;

-- One attempt, committed before the supplier is called.
create table purchase (
  id             uuid primary key,
  -- Ours, by which the supplier is asked.
  reference      text not null unique check (reference ~ '^[A-Za-z0-9-]{1,40}$'),
  supplier       code not null references supplier,
  -- The supplier's name for it.
  supplier_id    text check (length(supplier_id) between 1 and 200),
  order_id       uuid not null,
  item           uuid not null references item,
  status         text not null default 'prepared' check (status in ('prepared','accepted','unknown','doubt','done','failed','late','reversed')),
  kind           text not null check (kind in ('topup','recharge','data')),
  product        text not null check (length(product) between 1 and 200),
  quantity       smallint not null check (quantity between 1 and 100),
  face_minor     positive_amount,
  face_currency  currency_code,
  -- What the supplier was told of the account, by its names; emptied with the order's evidence.
  fields         jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
  currency       currency_code not null,
  expected_minor minor_amount not null,
  max_minor      minor_amount not null,
  -- What it cost; of what was bought alone.
  actual_minor   minor_amount,
  failure_class  text check (failure_class in ('customer','wait','ours','price','stock','supplier')),
  failure_code   text check (length(failure_code) between 1 and 100),
  -- The supplier's, or why nothing is known: for operators.
  told           text check (length(told) <= 300),
  -- Why this supplier: what there was to choose from.
  why            jsonb not null,
  -- When it is asked about next; of one that is over, as its supplier has said that there is news.
  asked          smallint not null default 0 check (asked >= 0),
  next_ask_at    timestamptz,
  request_id     text not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  ended_at       timestamptz,
  check ((face_minor is null) = (face_currency is null)),
  check ((status in ('done','late','reversed')) = (actual_minor is not null)),
  check ((status in ('prepared','accepted','unknown','doubt')) = (ended_at is null))
);
create index purchase_order on purchase (order_id);
create index purchase_due on purchase (supplier, next_ask_at) where next_ask_at is not null;
create index purchase_in_doubt on purchase (updated_at) where status = 'doubt';
create index purchase_ended on purchase (supplier, ended_at);
-- One purchase of the supplier's is one of ours.
create unique index purchase_theirs on purchase (supplier, supplier_id) where supplier_id is not null;

create table purchase_unit (
  purchase_id  uuid not null references purchase,
  unit_id      uuid not null,
  -- The attempt may still deliver it.
  is_live      boolean not null default true,
  is_done      boolean not null default false,
  primary key (purchase_id, unit_id),
  check (not (is_live and is_done))
);
create index purchase_unit_unit on purchase_unit (unit_id);
-- What is not done is not tried a second time beside it, and what is done never again.
create unique index purchase_unit_live on purchase_unit (unit_id) where is_live;
create unique index purchase_unit_done on purchase_unit (unit_id) where is_done;

-- What an operator has to look at of a purchase that is over.
create table supply_case (
  id           uuid primary key,
  purchase_id  uuid not null references purchase,
  -- 'late': bought after all, when its unit was somebody else's or given back. 'reversed': taken back after delivery. 'cost': dearer than allowed, or not in its currency.
  kind         text not null check (kind in ('late','reversed','cost')),
  opened_at    timestamptz not null,
  closed_at    timestamptz,
  closed_by    text check (length(closed_by) between 1 and 100),
  note         text check (length(note) between 1 and 300),
  unique (purchase_id, kind),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (note is null))
);
create index supply_case_open on supply_case (opened_at) where closed_at is null;

-- Money sent to a supplier, as an operator has noted it.
create table supplier_deposit (
  id            uuid primary key,
  supplier      code not null references supplier,
  currency      currency_code not null,
  amount_minor  positive_amount not null,
  -- What the bank kept of what was sent.
  fee_minor     minor_amount not null default 0,
  -- The bank's or the supplier's name for it: noted once.
  reference     text not null check (length(reference) between 1 and 200),
  recorded_by   text not null check (length(recorded_by) between 1 and 100),
  recorded_at   timestamptz not null,
  unique (supplier, reference)
);

insert into transition_rule (machine, from_status, to_status)
select 'purchase', from_status, to_status from (values
  ('prepared', array['accepted','unknown','doubt','done','failed']),
  ('accepted', array['unknown','doubt','done','failed']),
  ('unknown', array['accepted','doubt','done','failed']),
  ('doubt', array['done','failed']),
  -- What was said to have failed was bought after all: as its unit's delivery where nothing else was done about it, else as a loss.
  ('failed', array['done','late']),
  -- Taken back after delivery.
  ('done', array['reversed'])
) as step (from_status, targets), unnest(targets) as to_status;
select keep_to_machine('purchase', 'purchase');

-- ---------------------------------------------------------------- what is paid is queued
-- The supplier that is asked first for an item; null where it is delivered by hand.
create function first_supplier(wanted uuid) returns code language sql stable as $$
  select o.supplier from supplier_offer o join supplier s on s.code = o.supplier
  where o.item = wanted and o.is_on and s.status = 'on' order by s.rests_until is not null and s.rests_until > now(), o.priority, o.supplier limit 1
$$;

create function queue_supply() returns trigger language plpgsql as $$
begin
  insert into supply_queue (unit_id, supplier, due_at, rank_at, turn)
  select unit.id, unit.supplier, new.settled_at, new.settled_at + unit.turn * interval '200 milliseconds', unit.turn from (
    select u.id, s.supplier, row_number() over (order by u.id) - 1 as turn
    from order_unit u cross join lateral (select first_supplier(u.item) as supplier) as s
    where u.order_id = new.id and u.delivery = 'direct_charge' and u.status = 'queued' and s.supplier is not null
  ) as unit
  on conflict do nothing;
  return null;
end $$;
-- A unit that is to be delivered again is queued again, and one that is not leaves the queue.
create function follow_supply() returns trigger language plpgsql as $$
declare
  found_supplier code;
begin
  if new.status <> 'queued' then
    delete from supply_queue where unit_id = new.id;
    return null;
  end if;
  found_supplier := first_supplier(new.item);
  if found_supplier is not null and exists (select from shop_order where id = new.order_id and settled_at is not null) then
    insert into supply_queue (unit_id, supplier, due_at, rank_at, turn) values (new.id, found_supplier, now(), now(), 0) on conflict do nothing;
  end if;
  return null;
end $$;
-- While an attempt may still deliver a unit, nothing else decides what became of it.
create function keep_to_purchase() returns trigger language plpgsql as $$
begin
  if exists (select from purchase_unit where unit_id = new.id and is_live) then
    raise exception 'unit % is being bought', new.id using errcode = '23514', constraint = 'unit_is_being_bought';
  end if;
  return new;
end $$;
