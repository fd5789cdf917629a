-- expand: what the checks of the migration before say is looked up in the rows from before them, while everybody works on
alter table operator_act validate constraint operator_act_kind_check;
alter table stray_payment validate constraint stray_payment_outcome_check, validate constraint stray_payment_matched;
alter table shop_order validate constraint shop_order_shortfall, validate constraint shop_order_check4, validate constraint shop_order_check8;
