-- People: accounts, how they get in, what they own beside orders, and the mail they are sent.
-- No secret stands here that could be used by whoever reads it: session tokens, codes and links are kept as hashes,
-- second-factor seeds sealed under the program's key.

-- ---------------------------------------------------------------- accounts
-- The row outlives the person: after erasure only what accounting needs to hang on is left (no name, no address).
create table account (
  id                   uuid primary key,
  -- Random, for other systems (the chat widget); `uid` is what people read out to support.
  user_id              text not null unique check (user_id ~ '^[A-Za-z0-9_-]{22}$'),
  uid                  bigint not null unique check (uid between 100000000 and 999999999),
  user_name            text check (user_name ~ '^[A-Za-z0-9]{6,32}$'),
  nickname             text check (length(nickname) between 1 and 40),
  email                text check (length(email) between 3 and 254 and email = lower(email)),
  email_verified_at    timestamptz,
  -- E.164.
  mobile               text check (mobile ~ '^\+[1-9][0-9]{6,14}$'),
  mobile_verified_at   timestamptz,
  -- Argon2id in PHC string format; null for who came through another service and set none.
  password_hash        text check (password_hash like '$argon2id$%'),
  password_changed_at  timestamptz,
  avatar               uuid,
  language             language_code not null,
  -- Customer level: 0 retail, 1 … reseller levels with a price list of their own.
  role_id              smallint not null default 0 check (role_id >= 0),
  status               text not null default 'active' check (status in ('active','cancelling','erased')),
  registered_at        timestamptz not null,
  cancel_requested_at  timestamptz,
  erase_at             timestamptz,
  erased_at            timestamptz,
  check ((status = 'active') = (cancel_requested_at is null)),
  check ((cancel_requested_at is null) = (erase_at is null)),
  check ((status = 'erased') = (erased_at is not null)),
  check (status = 'erased' or (user_name is not null and nickname is not null and email is not null and email_verified_at is not null)),
  check (status <> 'erased' or (user_name is null and nickname is null and email is null and email_verified_at is null and mobile is null
    and mobile_verified_at is null and password_hash is null and password_changed_at is null and avatar is null)),
  check (mobile is not null or mobile_verified_at is null)
);
create unique index account_user_name on account (lower(user_name));
create unique index account_email on account (email);
create index account_to_erase on account (erase_at) where status = 'cancelling';

create function account_status_moves() returns trigger language plpgsql as $$
begin
  if old.status = 'erased' then raise exception 'an erased account stays as it is' using errcode = '23514'; end if;
  if new.status = 'erased' and old.status <> 'cancelling' then raise exception 'only a cancelled account is erased' using errcode = '23514'; end if;
  return new;
end $$;
create trigger account_status before update on account for each row execute function account_status_moves();

-- A picture somebody sent, decoded and encoded anew; shown at an address of its random id.
create table uploaded_picture (
  id          uuid primary key,
  public_id   text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  account_id  uuid not null references account,
  purpose     text not null check (purpose in ('avatar','ticket')),
  -- WebP.
  content     bytea not null check (length(content) between 1 and 5242880),
  width       integer not null check (width > 0),
  height      integer not null check (height > 0),
  created_at  timestamptz not null
);
create index uploaded_picture_account on uploaded_picture (account_id, created_at);
alter table account add foreign key (avatar) references uploaded_picture (id) on delete set null;

-- ---------------------------------------------------------------- sessions
create table session (
  id           uuid primary key,
  -- Shown in the list of devices, to end it there.
  public_id    text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  account_id   uuid not null references account,
  -- SHA-256 of the cookie's 256 random bits.
  token_hash   bytea not null unique check (length(token_hash) = 32),
  -- SHA-256 of the weaker handle that other clients send as the `token` parameter.
  handle_hash  bytea not null unique check (length(handle_hash) = 32),
  browser      text not null check (length(browser) <= 40),
  system       text not null check (length(system) <= 40),
  -- Network the sign-in came from, cut to its prefix (/24, /56).
  network      text not null check (length(network) <= 60),
  created_at   timestamptz not null,
  seen_at      timestamptz not null,
  expires_at   timestamptz not null,
  -- When the person last proved to be who they are; sensitive actions ask for a fresh one.
  proved_at    timestamptz not null,
  handle_seen_at timestamptz not null
);
create index session_account on session (account_id, seen_at desc);
create index session_expiry on session (expires_at);

-- Browser, system and network somebody signed in with, as an HMAC: what is new here is told to the owner.
create table known_device (
  account_id   uuid not null references account,
  fingerprint  bytea not null check (length(fingerprint) = 32),
  seen_at      timestamptz not null,
  primary key (account_id, fingerprint)
);
create index known_device_age on known_device (seen_at);

-- ---------------------------------------------------------------- codes, links and other things good for one use
create table verification (
  id            uuid primary key,
  purpose       text not null check (purpose in
    ('register','reset','email','phone','proof','undo_cancel','unfreeze','sign_in_elsewhere','bind','second_factor','passkey')),
  account_id    uuid references account on delete cascade,
  -- Address or number that the code was sent to; empty where none was.
  target        text not null default '' check (length(target) <= 254),
  -- HMAC-SHA-256 of the six digits under the program's key, bound to this row.
  code_hash     bytea check (length(code_hash) = 32),
  code_expires_at timestamptz,
  tries         smallint not null default 0 check (tries between 0 and 5),
  -- SHA-256 of 256 random bits: a link, a ticket, a state parameter.
  secret_hash   bytea unique check (length(secret_hash) = 32),
  expires_at    timestamptz not null,
  used_at       timestamptz,
  data          jsonb not null default '{}',
  created_at    timestamptz not null,
  check ((code_hash is null) = (code_expires_at is null)),
  check (code_hash is not null or secret_hash is not null)
);
-- One living code for a purpose, address and account: a new one takes the place of the old.
create unique index verification_living on verification (purpose, target, coalesce(account_id, '00000000-0000-0000-0000-000000000000'))
  where used_at is null and target <> '';
create index verification_expiry on verification (expires_at);
create index verification_account on verification (account_id);

-- Wrong tries for what somebody typed as an account, whether it exists or not, so that nobody can tell.
create table sign_in_guard (
  -- HMAC of the account's id, or of the text typed.
  key             bytea primary key check (length(key) = 32),
  failures        integer not null check (failures > 0),
  failed_at       timestamptz not null,
  blocked_until   timestamptz
);

-- Limits that hold across processes, each one moment (generic cell rate algorithm): a call moves it on by its share of
-- time and is refused while it lies too far ahead.
create table rate_limit (
  key         bytea primary key check (length(key) = 32),
  used_up_to  timestamptz not null
);
create index rate_limit_age on rate_limit (used_up_to);

-- Answers to writes that carried an idempotency key.
create table idempotency_key (
  account_id    uuid not null references account,
  key           text not null check (length(key) between 1 and 200),
  call          text not null,
  request_hash  bytea not null check (length(request_hash) = 32),
  -- Null while the call runs.
  status        smallint,
  answer        jsonb,
  created_at    timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- ---------------------------------------------------------------- other ways in
create table linked_identity (
  id            uuid primary key,
  account_id    uuid not null references account,
  -- Name under which the shop offers the service: google, apple …
  platform      code not null,
  issuer        text not null check (length(issuer) between 1 and 500),
  subject       text not null check (length(subject) between 1 and 255),
  display_name  text not null default '' check (length(display_name) <= 200),
  linked_at     timestamptz not null,
  unique (issuer, subject),
  unique (account_id, platform)
);

create table passkey (
  id             uuid primary key,
  public_id      text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  account_id     uuid not null references account,
  credential_id  bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key     bytea not null,
  counter        bigint not null check (counter >= 0),
  transports     text[] not null default '{}',
  name           text not null check (length(name) between 1 and 60),
  is_backed_up   boolean not null,
  created_at     timestamptz not null,
  used_at        timestamptz
);
create index passkey_account on passkey (account_id);

-- Time-based codes (RFC 6238). The seed is sealed; `last_step` makes a code good for one use.
create table second_factor (
  account_id    uuid primary key references account,
  sealed_seed   bytea not null,
  confirmed_at  timestamptz,
  last_step     bigint not null default 0
);

create table recovery_code (
  account_id  uuid not null references account,
  code_hash   bytea not null check (length(code_hash) = 32),
  used_at     timestamptz,
  primary key (account_id, code_hash)
);

-- ---------------------------------------------------------------- what a shopper owns beside orders
create table billing_address (
  id           uuid primary key,
  public_id    text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  account_id   uuid not null references account,
  country      text not null references country,
  region       text not null default '' check (length(region) <= 100),
  first_name   text not null check (length(first_name) between 1 and 100),
  surname      text not null check (length(surname) between 1 and 100),
  address      text not null check (length(address) between 1 and 300),
  postal_code  text not null default '' check (length(postal_code) <= 20),
  is_default   boolean not null default false,
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
create index billing_address_account on billing_address (account_id, created_at);
create unique index billing_address_default on billing_address (account_id) where is_default;

create table favourite (
  account_id  uuid not null references account,
  product     code not null references product on update cascade,
  -- Whole percent of the running discount the person knows of: when they made it a favourite, or were last told.
  discount    smallint not null default 0 check (discount between 0 and 100),
  created_at  timestamptz not null,
  primary key (account_id, product)
);
create index favourite_newest on favourite (account_id, created_at desc);

-- What the shop tells a person in the shop itself. The text is made when it is read, in the language it is read in.
create table notice (
  id          uuid primary key,
  public_id   text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  account_id  uuid not null references account,
  kind        text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  params      jsonb not null default '{}',
  created_at  timestamptz not null,
  read_at     timestamptz
);
create index notice_newest on notice (account_id, created_at desc, id desc);
create index notice_unread on notice (account_id) where read_at is null;

-- ---------------------------------------------------------------- mail
-- Committed with its cause, sent by a job. Links and codes are made at sending and never kept.
create table outgoing_mail (
  id           uuid primary key,
  kind         text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  account_id   uuid references account,
  -- Null once it is no longer needed.
  recipient    text check (length(recipient) between 3 and 254),
  language     language_code not null,
  params       jsonb not null default '{}',
  created_at   timestamptz not null,
  sent_at      timestamptz
);
create index outgoing_mail_account on outgoing_mail (account_id);
create index outgoing_mail_unsent on outgoing_mail (created_at) where sent_at is null;

-- Text messages cost money and no service takes one twice under the same name: the row says whether it was tried.
create table outgoing_sms (
  id            uuid primary key,
  account_id    uuid not null references account,
  -- E.164. Null once it is no longer needed.
  mobile        text check (mobile ~ '^\+[1-9][0-9]{6,14}$'),
  language      language_code not null,
  created_at    timestamptz not null,
  attempted_at  timestamptz,
  sent_at       timestamptz,
  check (sent_at is null or attempted_at is not null)
);
create index outgoing_sms_account on outgoing_sms (account_id);
create index outgoing_sms_age on outgoing_sms (created_at);
