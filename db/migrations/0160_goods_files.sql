-- expand: tables of their own, which the release before does not know
-- Goods that come or go as a file: a table of items or a catalogue's folder. Looked through and taken, or made, by the worker.
create table goods_file (
  id           uuid primary key,
  public_id    public_id not null unique,
  kind         text not null check (kind in ('csv_in','folder_in','csv_out','folder_out')),
  state        text not null check (state in ('uploading','waiting','checking','checked','taking','done','failed','cancelled')),
  file_name    text not null check (length(file_name) between 1 and 200),
  -- What stands before a fraction, where whoever sent it has said so.
  mark         text check (mark in ('.', ',')),
  is_on_sale   boolean not null default false,
  operator_id  uuid not null references operator,
  bytes        bigint not null default 0 check (bytes between 0 and 1073741824),
  pieces       integer not null default 0 check (pieces between 0 and 100000),
  step         integer not null default 0 check (step >= 0),
  steps        integer not null default 0 check (steps >= 0),
  -- What the look has found, and what came of it.
  report       jsonb not null default '{}' check (jsonb_typeof(report) = 'object' and pg_column_size(report) <= 262144),
  hash         text check (hash ~ '^[A-Za-z0-9_-]{43}$'),
  failure      text check (length(failure) between 1 and 60),
  asked_at     timestamptz not null,
  changed_at   timestamptz not null,
  finished_at  timestamptz,
  constraint goods_file_ends check ((finished_at is not null) = (state in ('done','failed','cancelled'))),
  constraint goods_file_fails check ((failure is not null) = (state = 'failed')),
  constraint goods_file_is_seen check (state not in ('checked','taking') or kind not in ('csv_in','folder_in') or hash is not null)
);
create index goods_file_open on goods_file (id) where finished_at is null;
create index goods_file_own on goods_file (operator_id, id desc);

create table goods_file_piece (
  file_id  uuid not null references goods_file on delete cascade,
  no       integer not null check (no >= 0),
  content  bytea not null check (length(content) between 1 and 8388608),
  primary key (file_id, no)
);

-- What is wrong with which line of a table, or which file of a folder; the first of them.
create table goods_file_fault (
  file_id  uuid not null references goods_file on delete cascade,
  no       integer not null check (no between 0 and 999),
  line     integer check (line > 0),
  place    text not null check (length(place) <= 300),
  shown    text not null check (length(shown) <= 100),
  reason   text check (length(reason) between 1 and 60),
  why      text check (length(why) between 1 and 500),
  primary key (file_id, no)
);
