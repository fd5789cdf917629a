-- expand: tables and a column that only newer releases read and write, and checks that allow more
-- Settings of suppliers that were entered in the console: sealed under the shop's key for this purpose alone. What the environment says of a
-- supplier holds instead of them.
create table supplier_service (
  code         text primary key check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  -- Null: taken away. The row stays, so that its versions go on.
  sealed       bytea check (octet_length(sealed) between 29 and 16384),
  version      integer not null check (version >= 1),
  -- What the supplier answered when they were tried, last before they came into force.
  tried        text not null check (tried in ('good','refused','unknown')),
  -- Whose they are: by what the supplier calls its customer, which is no secret. Null where only a secret tells.
  account_id   text check (length(account_id) between 1 and 200),
  set_by       text not null check (length(set_by) between 1 and 100),
  set_at       timestamptz not null
);
-- What waits for a second person, one a supplier: as sealed as what is in force.
create table supplier_service_draft (
  code         text primary key check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  sealed       bytea check (octet_length(sealed) between 29 and 16384),
  tried        text not null check (tried in ('good','refused','unknown')),
  made_at      timestamptz not null
);
-- Each process takes new settings up when it hears of them.
create trigger supplier_service_notify after insert or update or delete on supplier_service
  for each statement execute function notify_catalogue_changed();

-- When a supplier last sent a notice that was its own.
alter table supplier add column noticed_at timestamptz;

-- Settings of suppliers wait for a second person. They have no amount.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method','key_export','late_accept','short_accept','stray_match','price_change','supplier_service')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check
  check (permission in ('order.refund','shopper.credit','payment.note','order.decide','staff.manage','order.deliver','key.import',
  'payment.settings','price.change','supplier.change')) not valid;
alter table operator_act drop constraint operator_act_has_money;
alter table operator_act add constraint operator_act_has_money check
  ((permission in ('staff.manage','payment.settings','price.change','supplier.change')) = (currency is null) and (currency is not null or amount_minor = 0)) not valid;
