-- expand: a table and columns that only newer releases read and write, and checks that allow more
-- Money that had not paid for its order, and that a person has accepted for it all the same: late, too little, or found with a payment service.
-- Of each order and each payment once, whoever presses first.
create table accepted_payment (
  order_id         uuid primary key references shop_order,
  attempt_id       uuid not null unique references payment_attempt,
  -- What the order was until then.
  was              text not null check (was in ('open','cancelled','expired')),
  currency         currency_code not null,
  -- What the shop bears of the price itself.
  shortfall_minor  minor_amount not null,
  accepted_by      text not null check (length(accepted_by) between 1 and 100),
  accepted_at      timestamptz not null
);

-- The same of the order, as its checks read it. A plain number, as a domain's would have every row written anew.
alter table shop_order add shortfall_minor numeric not null default 0;
alter table shop_order add constraint shop_order_shortfall check (shortfall_minor >= 0 and shortfall_minor = trunc(shortfall_minor)
  and (shortfall_minor = 0 or shortfall_minor < total_minor)) not valid;
alter table shop_order drop constraint shop_order_check4;
alter table shop_order add constraint shop_order_check4 check (status not in ('waiting_for_shipment','shipping','completed')
  or (settled_at is not null and captured_minor + shortfall_minor >= total_minor and hold is null)) not valid;
alter table shop_order drop constraint shop_order_check8;
alter table shop_order add constraint shop_order_check8 check (settled_at is null or captured_minor + shortfall_minor >= total_minor) not valid;

-- A payment that no order knew became an order's: one payment of it, of one order.
alter table stray_payment add attempt_id uuid unique references payment_attempt;
alter table stray_payment drop constraint stray_payment_outcome_check;
alter table stray_payment add constraint stray_payment_outcome_check check (outcome in ('returned','seen_to','matched')) not valid;
alter table stray_payment add constraint stray_payment_matched check ((outcome is not distinct from 'matched') = (attempt_id is not null)) not valid;

alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method','key_export','late_accept','short_accept','stray_match')) not valid;
