-- expand: checks that allow more, and a column that may be empty
-- What changes who may do what waits for a second person, like money: it has no amount.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check check (permission in
  ('order.refund','shopper.credit','payment.note','order.decide','staff.manage')) not valid;
alter table operator_act alter column currency drop not null;
alter table operator_act add constraint operator_act_has_money check
  ((permission = 'staff.manage') = (currency is null) and (currency is not null or amount_minor = 0)) not valid;
alter table verification validate constraint verification_purpose_check;
