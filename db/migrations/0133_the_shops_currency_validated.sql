-- expand: what 0132 added holds for every row.
alter table operator_act validate constraint operator_act_counted, validate constraint operator_act_counted_currency;
alter table operator_role validate constraint operator_role_limit_currency;
alter table export_run validate constraint export_run_finished;
