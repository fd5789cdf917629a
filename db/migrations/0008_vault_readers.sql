-- expand: an older release wraps under the last key it is given and announces nothing; keys are rotated when no such process runs.
-- A key is known before it is used: card keys are wrapped under it once every process that shows codes can reach it.

alter table key_encryption_key add column active_at timestamptz;
update key_encryption_key set active_at = created_at;

-- Processes that show codes, and the keys each can reach. One that was not seen for long is gone.
create table vault_reader (
  id uuid primary key,
  name text not null check (length(name) between 1 and 300),
  key_ids integer[] not null,
  seen_at timestamptz not null
);
