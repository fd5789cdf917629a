-- expand: what is checked holds already
alter table operator_act validate constraint operator_act_kind_check;
alter table operator_act validate constraint operator_act_permission_check;
