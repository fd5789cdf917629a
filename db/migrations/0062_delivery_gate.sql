-- expand: tables of their own, and a column that may be null
-- What is looked at before goods are delivered that nobody can take back.
-- Orders are tied to it by a later migration, which waits for their table alone.

-- Youngest age its buyer may have; null for anybody.
alter table product add column min_age smallint check (min_age between 1 and 99);

-- What came of the look at an order, where there was anything to look for.
create table delivery_check (
  order_id    uuid primary key,
  -- A hash of whom it was for: for others it is looked at anew.
  subject     bytea not null check (length(subject) = 32),
  verdict     text not null check (verdict in ('pass','hold','refuse')),
  reasons     text[] not null default '{}',
  checked_at  timestamptz not null,
  -- What a person has said about it.
  decision    text check (decision in ('released','refused')),
  decided_by  text check (length(decided_by) between 1 and 100),
  decided_at  timestamptz,
  note        text check (length(note) between 1 and 300),
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null))
);
create index delivery_check_refused on delivery_check (order_id) where verdict = 'refuse' or decision = 'refused';

-- What went to whom, for as long as a limit may look back.
create table delivery_use (
  order_id    uuid not null,
  kind        text not null check (kind in ('phone','player','shopper')),
  -- A keyed hash of the number, the player's account or the shopper.
  subject     bytea not null check (length(subject) = 32),
  units       integer not null check (units > 0),
  usd_minor   minor_amount not null,
  at          timestamptz not null,
  primary key (order_id, kind, subject)
);
create index delivery_use_subject on delivery_use (kind, subject, at);
create index delivery_use_at on delivery_use (at);

-- People and addresses that nothing may be sold to, of lists that an operator has imported.
create table screening_entry (
  list      code not null,
  position  integer not null check (position >= 0),
  -- The list's name for the entry.
  reference text not null check (length(reference) between 1 and 100),
  -- The words of a name, without marks and case, in order of the alphabet.
  name_key  text check (length(name_key) between 1 and 400),
  email     text check (length(email) between 3 and 254),
  primary key (list, position),
  check (name_key is not null or email is not null)
);
create index screening_entry_name on screening_entry (name_key) where name_key is not null;
create index screening_entry_email on screening_entry (email) where email is not null;

-- How old a shopper is at least, as somebody of the shop has seen.
create table age_proof (
  account_id  uuid primary key references account,
  years       smallint not null check (years between 1 and 99),
  proved_by   text not null check (length(proved_by) between 1 and 100),
  proved_at   timestamptz not null
);
