-- expand: checks that allow more
-- What leads word of the shop elsewhere, changes what takes two people, or what buyers agree to waits for a second person. It has no amount.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery','key_import',
  'payment_service','payment_method','key_export','late_accept','short_accept','stray_match','price_change','supplier_service',
  'shop_setting','legal_text')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check
  check (permission in ('order.refund','shopper.credit','payment.note','order.decide','staff.manage','order.deliver','key.import',
  'payment.settings','price.change','supplier.change','shop.manage')) not valid;
alter table operator_act drop constraint operator_act_has_money;
alter table operator_act add constraint operator_act_has_money check
  ((permission in ('staff.manage','payment.settings','price.change','supplier.change','shop.manage')) = (currency is null)
  and (currency is not null or amount_minor = 0)) not valid;
