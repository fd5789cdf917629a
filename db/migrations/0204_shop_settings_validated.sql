-- expand: the checks of the migration before are looked up in older rows
alter table operator_act validate constraint operator_act_kind_check, validate constraint operator_act_permission_check,
  validate constraint operator_act_has_money;
