-- expand: what is there already fits
alter table operator_act validate constraint operator_act_kind_check;
alter table operator_act validate constraint operator_act_permission_check;
alter table operator_act validate constraint operator_act_has_money;
