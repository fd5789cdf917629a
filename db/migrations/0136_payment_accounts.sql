-- expand: columns and a table that only newer releases read and write
-- Whose account the settings of a payment service belong to, as the service told when they were tried. It holds for one version of them: a
-- release before enters others and says nothing of it.
alter table payment_service
  add column account_id      text check (length(account_id) between 1 and 100),
  add column account_name    text check (length(account_name) between 1 and 200),
  add column account_version integer;

-- Settings of an account that was replaced by another, as sealed as before: payments that were begun there are asked about with them.
create table payment_service_former (
  code         text not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  version      integer not null check (version >= 1),
  sealed       bytea not null check (octet_length(sealed) between 29 and 16384),
  account_id   text check (length(account_id) between 1 and 100),
  account_name text check (length(account_name) between 1 and 200),
  replaced_at  timestamptz not null,
  primary key (code, version)
);
-- By the row: nothing is told where none went.
create trigger payment_service_former_notify after delete on payment_service_former
  for each row execute function notify_catalogue_changed();
