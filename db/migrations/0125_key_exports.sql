-- expand: tables that only newer releases read and write, and a check that allows more
-- Card keys that leave the shop as a file: asked for by one, approved by another, made by the worker, and given out once within the hour.
create table key_export (
  id           uuid primary key,
  public_id    public_id not null unique,
  batch_id     uuid not null references key_batch,
  item         uuid not null references item,
  reason       text not null check (length(reason) between 1 and 300),
  -- Keys that it was asked for.
  asked        integer not null check (asked >= 1),
  state        text not null check (state in ('waiting','making','ready','taken','refused','failed','ended')),
  -- What has been sealed by now.
  keys         integer not null default 0 check (keys >= 0),
  pieces       integer not null default 0 check (pieces >= 0),
  reached      uuid,
  wrapped_key  bytea,
  kek_id       integer references key_encryption_key,
  asked_by     text not null check (length(asked_by) between 1 and 100),
  asked_at     timestamptz not null,
  approved_by  text check (length(approved_by) between 1 and 100),
  request_id   text not null,
  ready_at     timestamptz,
  changed_at   timestamptz not null,
  constraint key_export_key check ((wrapped_key is null) = (kek_id is null)),
  -- Who asks never approves.
  constraint key_export_two_people check (approved_by <> asked_by)
);
create index key_export_open on key_export (id) where state = 'making';
create index key_export_batch on key_export (batch_id, asked_at desc, id desc);
create index key_export_changed on key_export (changed_at);

-- Lines of the file, sealed under its key and bound to their place.
create table key_export_piece (
  export_id   uuid not null references key_export on delete cascade,
  no          integer not null check (no >= 0),
  nonce       bytea not null check (length(nonce) = 12),
  ciphertext  bytea not null,
  primary key (export_id, no)
);

alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method','key_export')) not valid;
