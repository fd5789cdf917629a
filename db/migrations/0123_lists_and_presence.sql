-- expand: tables of their own, which the release before does not know
-- Which columns of a list an operator wants to see; no row is all of them.
create table list_columns (
  operator_id uuid not null references operator,
  list        text not null check (length(list) between 1 and 40),
  columns     text[] not null check (cardinality(columns) <= 20),
  primary key (operator_id, list)
);

-- Who has an order's page before them: told anew every few seconds, gone within a minute.
create table order_looker (
  order_id    uuid not null references shop_order on delete cascade,
  operator_id uuid not null references operator,
  seen_at     timestamptz not null,
  primary key (order_id, operator_id)
);
create index order_looker_seen on order_looker (seen_at);
