-- expand: tables of their own, which the release before does not know
-- The same act on several orders, done by the worker in the name of who asked for it.
create table bulk_run (
  id           uuid primary key,
  public_id    public_id not null unique,
  act          text not null check (act in ('cancel','requeue')),
  operator_id  uuid not null references operator,
  state        text not null default 'waiting' check (state in ('waiting','running','done','cancelled')),
  asked_at     timestamptz not null,
  finished_at  timestamptz,
  constraint bulk_run_ends check ((finished_at is null) = (state in ('waiting','running')))
);
create index bulk_run_open on bulk_run (id) where finished_at is null;
create index bulk_run_own on bulk_run (operator_id, id desc);

create table bulk_run_order (
  run_id    uuid not null references bulk_run on delete cascade,
  no        integer not null check (no >= 0),
  order_id  uuid not null references shop_order on delete cascade,
  -- What the order was at when it was asked for: changed since, it is left alone.
  version   text not null check (version ~ '^\d{1,19}$'),
  state     text not null default 'waiting' check (state in ('waiting','done','failed')),
  why       text check (length(why) between 1 and 60),
  primary key (run_id, no),
  constraint bulk_run_order_fails check ((why is not null) = (state = 'failed'))
);
create index bulk_run_order_order on bulk_run_order (order_id);
