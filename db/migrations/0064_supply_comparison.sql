-- expand: tables of their own
-- How far a supplier's report has been compared with the shop's purchases.
create table supply_comparison (
  supplier      code primary key references supplier,
  compared_to   timestamptz not null,
  finished_at   timestamptz not null,
  -- Purchases that its report told of, the last time.
  told          integer not null check (told >= 0)
);

-- What a supplier's report tells otherwise than the shop's own purchases.
create table supply_difference (
  id               uuid primary key,
  supplier         code not null references supplier,
  -- 'missing_here': none of ours. 'missing_there': its report does not know it. 'amount', 'state': it says another.
  kind             text not null check (kind in ('missing_here','missing_there','amount','state')),
  purchase_id      uuid references purchase,
  -- The supplier's names for it.
  their_id         text check (length(their_id) between 1 and 200),
  their_reference  text check (length(their_reference) between 1 and 200),
  our_status       text check (length(our_status) between 1 and 20),
  their_status     text check (length(their_status) between 1 and 20),
  currency         currency_code,
  our_minor        minor_amount,
  their_minor      minor_amount,
  their_at         timestamptz,
  found_at         timestamptz not null,
  closed_at        timestamptz,
  closed_by        text check (length(closed_by) between 1 and 100),
  note             text check (length(note) between 1 and 300),
  check (kind = 'missing_here' or purchase_id is not null),
  check (kind <> 'missing_here' or (purchase_id is null and their_id is not null)),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (note is null))
);
create index supply_difference_open on supply_difference (found_at) where closed_at is null;
create unique index supply_difference_open_purchase on supply_difference (purchase_id, kind) where closed_at is null and purchase_id is not null;
create unique index supply_difference_open_theirs on supply_difference (supplier, their_id) where closed_at is null and purchase_id is null;
create index supply_difference_purchase on supply_difference (purchase_id);
create index supply_difference_theirs on supply_difference (supplier, their_id);

-- What a supplier has billed, or credited, for a while: compared with what was bought there.
create table supplier_invoice (
  id            uuid primary key,
  supplier      code not null references supplier,
  kind          text not null check (kind in ('invoice','credit_note')),
  number        text not null check (length(number) between 1 and 100),
  currency      currency_code not null,
  amount_minor  positive_amount not null,
  from_on       date not null,
  until_on      date not null,
  recorded_by   text not null check (length(recorded_by) between 1 and 100),
  recorded_at   timestamptz not null,
  closed_at     timestamptz,
  closed_by     text check (length(closed_by) between 1 and 100),
  note          text check (length(note) between 1 and 300),
  unique (supplier, number),
  check (until_on >= from_on),
  check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (note is null))
);
create index supplier_invoice_open on supplier_invoice (recorded_at) where closed_at is null;

-- What a supplier gives the shop beside what was sent there: a commission, a discount afterwards.
create table supplier_commission (
  id            uuid primary key,
  supplier      code not null references supplier,
  currency      currency_code not null,
  amount_minor  positive_amount not null,
  reference     text not null check (length(reference) between 1 and 200),
  recorded_by   text not null check (length(recorded_by) between 1 and 100),
  recorded_at   timestamptz not null,
  unique (supplier, reference)
);

-- What a deposit cost in the money that it was paid with.
alter table supplier_deposit add column paid_minor positive_amount, add column paid_currency currency_code,
  add check ((paid_minor is null) = (paid_currency is null));

-- What was used up of a balance that was paid for in another currency, day by day, at its average price and at the rates of those days.
create table supplier_usage (
  id             uuid primary key,
  supplier       code not null references supplier,
  currency       currency_code not null,
  paid_currency  currency_code not null,
  used_until     timestamptz not null,
  used_minor     positive_amount not null,
  average_minor  minor_amount not null,
  rate_minor     minor_amount not null,
  booked_at      timestamptz not null,
  unique (supplier, currency, used_until)
);
