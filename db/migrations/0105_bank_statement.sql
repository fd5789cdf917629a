-- expand: tables that only newer releases read and write
-- A bank's statement as it was given, and the money on it. A line is matched to an order by a person, never by itself; the receipt that
-- this writes is named after the line, so that each counts once however often it is confirmed.
create table bank_statement (
  id           uuid primary key,
  public_id    public_id not null unique,
  format       text not null check (format in ('camt053','csv')),
  -- SHA-256 of the file: the same one is known at once.
  digest       bytea not null unique check (octet_length(digest) = 32),
  lines        integer not null check (lines >= 0),
  known        integer not null check (known >= 0),
  skipped      integer not null check (skipped >= 0),
  faulty       integer not null check (faulty >= 0),
  imported_at  timestamptz not null,
  imported_by  text not null check (length(imported_by) between 1 and 100)
);

create table bank_line (
  id            uuid primary key,
  public_id     public_id not null unique,
  statement_id  uuid not null references bank_statement,
  -- What makes it the same line in another statement.
  fingerprint   bytea not null unique check (octet_length(fingerprint) = 32),
  booked_on     date not null,
  currency      currency_code not null references currency,
  amount_minor  positive_amount not null,
  -- Of a person: taken out with the term of evidence, and with the account of the order that it paid.
  payer         text check (length(payer) between 1 and 500),
  text          text not null check (length(text) <= 500),
  reference     text check (length(reference) between 1 and 140),
  -- The last characters of the shop's own account.
  account       text check (length(account) between 1 and 40),
  outcome       text check (outcome in ('matched','set_aside')),
  note          text not null default '' check (length(note) <= 500),
  closed_at     timestamptz,
  closed_by     text check (length(closed_by) between 1 and 100),
  check ((outcome is null) = (closed_at is null) and (outcome is null) = (closed_by is null))
);
create index bank_line_open on bank_line (id) where outcome is null;
create index bank_line_statement on bank_line (statement_id);
create index bank_line_personal on bank_line (booked_on) where payer is not null or text <> '';
