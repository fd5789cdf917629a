-- expand: new tables, and checks that allow more
-- Keys come in through the console: what is uploaded is sealed piece by piece as it arrives, looked through by the worker and then, when
-- somebody says so, taken. Nothing of a code stands here in the clear, not even of a line that is none.

create table key_import (
  id             uuid primary key,
  item           uuid not null references item,
  status         text not null check (status in ('uploading','checking','checked','waiting','taking','done','cancelled','failed')),
  file_name      text not null check (length(file_name) between 1 and 200),
  supplier       text check (length(supplier) between 1 and 100),
  cost_minor     minor_amount,
  cost_currency  currency_code references currency,
  -- Of keys whose line has no day of its own.
  expires_on     date,
  -- The key of its pieces, wrapped by the vault; gone with them.
  wrapped_key    bytea check (length(wrapped_key) = 60),
  kek_id         integer references key_encryption_key,
  bytes          bigint not null default 0,
  lines          integer not null default 0,
  chunks         integer not null default 0,
  -- How far the look has come, and what it found.
  checked_chunks integer not null default 0,
  checked_lines  integer not null default 0,
  fresh          integer not null default 0,
  known          integer not null default 0,
  doubled        integer not null default 0,
  malformed      integer not null default 0,
  expired        integer not null default 0,
  -- How far taking has come.
  taken_chunks   integer not null default 0,
  taken_lines    integer not null default 0,
  taken          integer not null default 0,
  skipped        integer not null default 0,
  batch_id       uuid references key_batch,
  -- What it counts against the limit above which a second person is asked, in US cents.
  usd_minor      minor_amount,
  taken_by       text check (length(taken_by) between 1 and 100),
  taken_at       timestamptz,
  approved_by    text check (length(approved_by) between 1 and 100),
  created_at     timestamptz not null,
  created_by     text not null check (length(created_by) between 1 and 100),
  updated_at     timestamptz not null,
  request_id     text not null,
  constraint key_import_cost check ((cost_minor is null) = (cost_currency is null)),
  constraint key_import_key check ((wrapped_key is null) = (kek_id is null)),
  constraint key_import_taken check ((taken_by is null) = (taken_at is null))
);
create index key_import_recent on key_import (created_at desc, id desc);
create index key_import_item on key_import (item, created_at desc, id desc);
create index key_import_open on key_import (status, updated_at) where status in ('uploading','checking','checked','waiting','taking');
create index key_import_taken_by on key_import (taken_by, taken_at);

-- Whole lines, some thousand of them, sealed under the import's key and bound to their place.
create table key_import_chunk (
  import_id   uuid not null references key_import on delete cascade,
  no          integer not null check (no >= 0),
  first_line  integer not null check (first_line >= 1),
  lines       integer not null check (lines >= 1),
  nonce       bytea not null check (length(nonce) = 12),
  ciphertext  bytea not null,
  primary key (import_id, no)
);

-- What is wrong with a line, by its number.
create table key_import_fault (
  import_id  uuid not null references key_import on delete cascade,
  line       integer not null check (line >= 1),
  fault      text not null check (fault in ('columns','part','date','expired','too_long','known','doubled')),
  -- Name of the part of a key that is not as it should be.
  part       text check (length(part) <= 100),
  -- The line that says the same before.
  same_as    integer check (same_as >= 1),
  primary key (import_id, line)
);

-- Above a set cost an import waits for a second person.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check
  check (permission in ('order.refund','shopper.credit','payment.note','order.decide','staff.manage','order.deliver','key.import')) not valid;
