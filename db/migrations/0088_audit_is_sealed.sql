-- expand: a column with a default, a table, and triggers that ask nothing new of what the release before writes
-- The trail is sealed in batches, each of which names the one before by its hash: what is changed, taken out or put in afterwards shows.
-- The program may add to the trail and read it, and seals by a function of the owner's: no role of the program writes a seal.

alter table audit_log add column network text not null default '';
-- Looked at by the next migration.
alter table audit_log add constraint audit_log_network check (length(network) <= 60) not valid;

-- A row is named here and nowhere else, by one clock, once its transaction has a number: a batch is closed when every transaction that
-- had one before is over, and nothing can come into it later.
create function audit_row_is_named() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  new.id := uuidv7();
  return new;
end $$;
create trigger audit_log_named before insert on audit_log for each row execute function audit_row_is_named();
create trigger audit_log_stays before truncate on audit_log for each statement execute function is_append_only();

create table audit_seal (
  number               bigint primary key check (number > 0),
  first_id             uuid not null,
  last_id              uuid not null unique check (last_id >= first_id),
  -- What operators, imports and the program did, and what people changed of their own accounts, which goes after its term.
  kept_rows            integer not null check (kept_rows >= 0),
  kept_hash            bytea not null check (octet_length(kept_hash) = 32),
  people_rows          integer not null check (people_rows >= 0),
  people_hash          bytea not null check (octet_length(people_hash) = 32),
  previous_hash        bytea not null check (octet_length(previous_hash) = 32),
  hash                 bytea not null unique check (octet_length(hash) = 32),
  sealed_at            timestamptz not null,
  people_forgotten_at  timestamptz,
  forgotten_at         timestamptz,
  check (kept_rows + people_rows > 0)
);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal for each statement execute function is_append_only();
