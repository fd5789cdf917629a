-- expand: it only adds, but for indexes, whose questions the new ones answer as well
-- Work in the background: who does it, when it was done last, and queues that no neighbour holds up.

-- ---------------------------------------------------------------- processes and sweeps
-- Processes of the shop that are alive: a row is written anew every few seconds, and one not written is one that is gone.
create table running_process (
  id             uuid primary key,
  kind           text not null check (kind in ('web','worker')),
  started_at     timestamptz not null,
  seen_at        timestamptz not null,
  -- How far the clock of its machine is ahead of the database's.
  clock_skew_ms  bigint not null
);

-- What is done again and again. It is due a while after it was last begun, never at a moment written ahead: a clock that was wrong leaves
-- nothing behind. One process at a time has it, for as long as it renews its lease.
create table sweep (
  name             text primary key check (name ~ '^[a-z]+(_[a-z]+)*(:[a-z0-9_-]+)?$'),
  begun_at         timestamptz,
  finished_at      timestamptz,
  duration_ms      integer check (duration_ms >= 0),
  -- Of the last run; null where it went well.
  error            text check (length(error) <= 500),
  -- Runs that have failed since one went well.
  failures         integer not null default 0 check (failures >= 0),
  -- Somebody waits for it: it is due at once, unless it has begun since.
  wanted_at        timestamptz,
  leased_by        uuid,
  leased_until     timestamptz,
  check ((leased_by is null) = (leased_until is null))
);

-- ---------------------------------------------------------------- queues by provider
-- A provider that does not answer holds up its own rows alone, and a row that fails moves behind the others of its queue.
create index payment_attempt_due on payment_attempt (provider, check_at) where check_at is not null;
create index payment_attempt_newest_due on payment_attempt (provider, created_at) where check_at is not null;
drop index payment_attempt_to_check;

-- Store credit is the shop's own, whoever took the money.
create index refund_due on refund ((case when destination = 'store_credit' then destination else provider end), check_at) where check_at is not null;
drop index refund_to_check;

-- When a notice that could not be worked off is tried again; who works on one now stands in taken_until, which no index has.
alter table provider_event add due_at timestamptz not null default '-infinity', add tries smallint not null default 0;
create index provider_event_due on provider_event (provider, due_at, received_at) where processed_at is null;
drop index provider_event_waiting;
