-- expand: tables that only newer releases read and write
-- Files that operators asked for, made by the worker a part at a time and kept a week. What is in them tells of no person by name.
create table export_run (
  id           uuid primary key,
  public_id    public_id not null unique,
  kind         text not null check (kind in ('orders','units','movements')),
  from_day     date not null,
  until_day    date not null check (until_day >= from_day),
  state        text not null default 'waiting' check (state in ('waiting','running','done','failed','cancelled')),
  -- Rows that are written by now, and the last of them: whoever goes on after a crash begins behind it.
  rows         integer not null default 0 check (rows >= 0),
  parts        integer not null default 0 check (parts >= 0),
  reached      uuid,
  failure      text check (length(failure) <= 500),
  asked_by     text not null check (length(asked_by) between 1 and 100),
  asked_at     timestamptz not null,
  finished_at  timestamptz,
  check ((finished_at is null) = (state in ('waiting','running')))
);
create index export_run_open on export_run (id) where finished_at is null;
create table export_part (
  export_id  uuid not null references export_run on delete cascade,
  part       integer not null,
  content    text not null,
  primary key (export_id, part)
);
