-- expand: a table of its own
-- What an outside service says of shoppers that it is asked about before goods are delivered.

create table screening_check (
  -- What the service is told it is called; committed before it is asked.
  id          uuid primary key,
  account_id  uuid not null references account,
  -- A keyed hash of what is asked: names, e-mail address, countries. Of others it is asked anew.
  subject     bytea not null check (octet_length(subject) = 32),
  state       text not null check (state in ('asked','clear','match')),
  -- The service's names for the entries that it found.
  matches     text[] not null default '{}' check (cardinality(matches) <= 10),
  tries       integer not null default 0 check (tries >= 0),
  -- Why there is no answer.
  fault       text check (length(fault) between 1 and 200),
  wanted_at   timestamptz not null,
  -- When it is asked, or asked again.
  next_at     timestamptz,
  answered_at timestamptz,
  unique (account_id, subject),
  check ((state = 'asked') = (answered_at is null)),
  check ((state = 'asked') = (next_at is not null)),
  check ((state = 'match') = (matches <> '{}'))
);
create index screening_check_due on screening_check (next_at) where next_at is not null;
create index screening_check_answered on screening_check (answered_at) where answered_at is not null;
