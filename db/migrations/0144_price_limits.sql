-- expand: releases before leave the column alone, have no acts of the new kind, and read neither table
-- By how far one person of a role may lower or raise a price within a week, in hundredths of a percent; null for no limit.
alter table operator_role add column price_limit integer default 1000 check (price_limit between 0 and 100000);

-- What an operator has said of a currency is kept from the next import of a catalogue folder.
alter table currency add column locked_fields text[] not null default '{}';

-- A change of prices that is more than its asker may do alone waits for somebody who may.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method','key_export','late_accept','short_accept','stray_match','price_change')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check check (permission in ('order.refund','shopper.credit','payment.note',
  'order.decide','staff.manage','order.deliver','key.import','payment.settings','price.change')) not valid;
alter table operator_act drop constraint operator_act_has_money;
alter table operator_act add constraint operator_act_has_money check ((permission in ('staff.manage','payment.settings','price.change')) = (currency is null)
  and (currency is not null or amount_minor = 0)) not valid;

-- What an operator's changes have done to prices: one row a change, and of each item that it moved one row with a figure for each of its prices.
create table price_effect (
  id         uuid primary key,
  actor      text not null check (length(actor) between 1 and 100),
  happened_at timestamptz not null,
  -- Which prices: '*' for all of an item, 'EUR' of a currency, 'EUR@2' of a customer level in it.
  prices     text[] not null check (cardinality(prices) between 1 and 10000)
);
create index price_effect_of on price_effect (actor, happened_at);
create index price_effect_age on price_effect (happened_at);
create table price_effect_item (
  effect_id uuid not null references price_effect on delete cascade,
  item_id   uuid not null references item on delete cascade,
  -- Millionths by which each of `prices` moved, in their order; nothing for one that did not.
  moves     integer[] not null check (cardinality(moves) between 1 and 10000),
  primary key (effect_id, item_id)
);
