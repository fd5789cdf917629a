-- expand: tables of their own, and columns of a small table that may be null
-- How long half of the latest purchases took there.
alter table supplier add column p50_ms integer check (p50_ms >= 0);

-- What an owner says of one item; where it says nothing the shop's setting holds.
create table item_route (
  item               uuid primary key references item,
  -- By what its suppliers are put in order.
  rule               text[] check (rule <@ array['priority','cost','health','time','balance'] and cardinality(rule) between 1 and 5),
  -- How much dearer than it was sold a unit may be bought, in hundredths of a percent of its price.
  loss_basis_points  integer check (loss_basis_points between 0 and 10000),
  updated_at         timestamptz not null,
  check (rule is not null or loss_basis_points is not null)
);

-- What a supplier says that it holds for the shop, as it was told last.
create table supplier_balance (
  supplier         code not null references supplier,
  currency         currency_code not null,
  available_minor  minor_amount not null,
  asked_at         timestamptz not null,
  primary key (supplier, currency)
);

-- The same over time, with what the books said then.
create table supplier_balance_reading (
  supplier         code not null references supplier,
  currency         currency_code not null,
  at               timestamptz not null,
  available_minor  minor_amount not null,
  booked_minor     numeric not null,
  primary key (supplier, currency, at)
);
