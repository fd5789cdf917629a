-- expand: columns that the release before leaves as they begin, and new tables
-- Operators sign in to the console: sessions, factors and proofs of their own, apart from those of shoppers. No secret stands here that
-- could be used by whoever reads it: tokens, links and recovery codes are kept as hashes, seeds sealed under the program's key.

alter table operator
  add email text check (length(email) between 3 and 254 and email = lower(email)),
  add display_name text check (length(display_name) between 1 and 80),
  add language language_code not null default 'en',
  add theme text not null default 'system' check (theme in ('system','light','dark')),
  -- What a passkey gives back when it signs: random, made with the first one.
  add handle public_id unique;
create unique index operator_email on operator (email);

create table operator_session (
  id           uuid primary key,
  public_id    public_id not null unique,
  operator_id  uuid not null references operator,
  -- SHA-256 of the cookie's 256 random bits.
  token_hash   bytea not null unique check (octet_length(token_hash) = 32),
  browser      text not null check (length(browser) <= 40),
  system       text not null check (length(system) <= 40),
  network      text not null check (length(network) <= 60),
  -- What was shown beside the password; 'none' in a demo alone.
  factor       text not null check (factor in ('none','totp','recovery','passkey')),
  created_at   timestamptz not null,
  seen_at      timestamptz not null,
  expires_at   timestamptz not null
);
create index operator_session_operator on operator_session (operator_id, seen_at desc);
create index operator_session_expiry on operator_session (expires_at);

-- That whoever sits at a session has just proved to be its operator, for one kind of thing and nothing else.
create table operator_proof (
  session_id  uuid not null references operator_session on delete cascade,
  kind        text not null check (kind in ('key','personal','payment','staff','access')),
  proved_at   timestamptz not null,
  primary key (session_id, kind)
);

create table operator_passkey (
  id             uuid primary key,
  public_id      public_id not null unique,
  operator_id    uuid not null references operator,
  name           text not null check (length(name) between 1 and 60),
  credential_id  bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key     bytea not null check (octet_length(public_key) between 1 and 2000),
  counter        bigint not null check (counter >= 0),
  transports     text[] not null default '{}',
  is_backed_up   boolean not null,
  created_at     timestamptz not null,
  used_at        timestamptz
);
create index operator_passkey_operator on operator_passkey (operator_id);

-- One authenticator app an operator. Its seed counts once a code of it has come back.
create table operator_totp (
  operator_id   uuid primary key references operator,
  sealed_seed   bytea not null,
  confirmed_at  timestamptz,
  last_step     bigint not null default 0
);

create table operator_recovery_code (
  operator_id  uuid not null references operator,
  code_hash    bytea not null check (octet_length(code_hash) = 32),
  used_at      timestamptz,
  primary key (operator_id, code_hash)
);

-- What is good for one use: the second half of a sign-in, and the challenge of a passkey.
create table operator_ticket (
  id           uuid primary key,
  purpose      text not null check (purpose in ('factor','enrol','passkey')),
  operator_id  uuid references operator,
  digest       bytea not null unique check (octet_length(digest) = 32),
  tries        smallint not null default 0 check (tries between 0 and 5),
  data         jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index operator_ticket_expiry on operator_ticket (expires_at);
