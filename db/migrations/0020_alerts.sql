-- expand: new tables, and a column that may be null: the release before knows nothing of them
-- What the shop tells whoever runs it: each matter once when it begins and once when it is over.

create table alert_matter (
  id        uuid primary key,
  kind      text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  begun_at  timestamptz not null,
  -- When it was last there.
  seen_at   timestamptz not null,
  over_at   timestamptz check (over_at >= begun_at),
  count     integer not null check (count > 0),
  -- When it was last told of; null until then.
  told_at   timestamptz
);
create unique index alert_matter_open on alert_matter (kind) where over_at is null;
create index alert_matter_age on alert_matter (over_at) where over_at is not null;

-- What goes to the shop's webhook, written down before it is sent.
create table alert_message (
  id            uuid primary key,
  -- Exactly what is signed and sent.
  body          text not null check (length(body) between 2 and 20000),
  created_at    timestamptz not null,
  attempts      integer not null default 0 check (attempts >= 0),
  -- When it is tried next; null when nothing more is done.
  next_at       timestamptz,
  delivered_at  timestamptz,
  failure       text not null default '' check (length(failure) <= 300),
  check (delivered_at is null or next_at is null)
);
create index alert_message_due on alert_message (next_at) where next_at is not null;
create index alert_message_age on alert_message (created_at);

-- What a process says of the disk that it keeps data on, where room runs out.
alter table running_process add column disk_low text check (length(disk_low) <= 500);
