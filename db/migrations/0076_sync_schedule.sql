-- expand: tables of their own
-- How often a supplier's catalogue is synchronised by itself; a supplier without a row is not.
create table supply_schedule (
  supplier       code primary key references supplier,
  every_seconds  integer not null check (every_seconds between 900 and 604800),
  next_at        timestamptz not null,
  -- Runs in a row that came to nothing.
  failures       integer not null default 0 check (failures >= 0),
  set_by         text not null check (length(set_by) between 1 and 100),
  set_at         timestamptz not null
);

-- A run: claimed before the supplier is asked, ended in the transaction that brings the shop to its list.
create table supply_sync_run (
  id          uuid primary key,
  supplier    code not null references supplier,
  started_by  text not null check (length(started_by) between 1 and 100),
  began_at    timestamptz not null,
  -- The last page that was read: one that has stood still for long is dead.
  seen_at     timestamptz not null,
  ended_at    timestamptz,
  -- 'refused': a list so much shorter that it is not believed. 'lost': its process ended before it did.
  outcome     text check (outcome in ('done','failed','refused','lost')),
  error       text check (length(error) between 1 and 500),
  report      jsonb check (jsonb_typeof(report) = 'object'),
  check ((ended_at is null) = (outcome is null)),
  check (outcome is distinct from 'done' or report is not null)
);
create unique index supply_sync_run_live on supply_sync_run (supplier) where ended_at is null;
create index supply_sync_run_latest on supply_sync_run (supplier, began_at desc);
