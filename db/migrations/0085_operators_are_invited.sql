-- expand: a new table, and what one check allows beside what it did
-- Operators are invited by mail, and the first owner by a link that the first start writes to a file: each good for one account.
create table operator_invitation (
  id            uuid primary key,
  public_id     public_id not null unique,
  -- What the account will be called for ever.
  name          text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  display_name  text check (length(display_name) between 1 and 80),
  email         text not null check (length(email) between 3 and 254 and email = lower(email)),
  role          text not null references operator_role,
  language      language_code not null,
  invited_by    text not null check (length(invited_by) between 1 and 100),
  -- A second person has to approve it first; no link of it is good until then.
  waits         boolean not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  accepted_at   timestamptz,
  withdrawn_at  timestamptz,
  check (accepted_at is null or withdrawn_at is null),
  check (accepted_at is null or not waits)
);
-- One open invitation an address, and one a name.
create unique index operator_invitation_open on operator_invitation (email) where accepted_at is null and withdrawn_at is null;
create unique index operator_invitation_name on operator_invitation (name) where accepted_at is null and withdrawn_at is null;
create index operator_invitation_role on operator_invitation (role);

alter table verification drop constraint verification_purpose_check;
alter table verification add constraint verification_purpose_check check (purpose in
  ('register','reset','email','phone','proof','undo_cancel','unfreeze','sign_in_elsewhere','bind','second_factor','passkey','operator_invitation','owner_link')) not valid;
