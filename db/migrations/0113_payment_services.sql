-- expand: tables that only newer releases read and write, and checks that allow more
-- Settings of payment services that were entered in the console: sealed under the shop's key for this purpose alone. What the environment
-- says of a service holds instead of them.
create table payment_service (
  code       text primary key check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  -- Null: taken away. The row stays, so that its versions go on.
  sealed     bytea check (octet_length(sealed) between 29 and 16384),
  version    integer not null check (version >= 1),
  -- What the service answered when they were tried, last before they came into force.
  tried      text not null check (tried in ('good','refused','unknown')),
  set_by     text not null check (length(set_by) between 1 and 100),
  set_at     timestamptz not null
);
-- What waits for a second person, one a service: as sealed as what is in force.
create table payment_service_draft (
  code       text primary key check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) <= 40),
  sealed     bytea check (octet_length(sealed) between 29 and 16384),
  tried      text not null check (tried in ('good','refused','unknown')),
  made_at    timestamptz not null
);

-- Each process takes new settings up when it hears of them; pages show other ways to pay.
create trigger payment_service_notify after insert or update or delete on payment_service
  for each statement execute function notify_catalogue_changed();

-- Settings of payment services, and what ways to pay cost and where they are offered, wait for a second person. Neither has an amount.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check
  check (permission in ('order.refund','shopper.credit','payment.note','order.decide','staff.manage','order.deliver','key.import',
  'payment.settings')) not valid;
alter table operator_act drop constraint operator_act_has_money;
alter table operator_act add constraint operator_act_has_money check
  ((permission in ('staff.manage','payment.settings')) = (currency is null) and (currency is not null or amount_minor = 0)) not valid;
