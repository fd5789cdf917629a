-- expand: what 0101 asks of new rows is looked for in those that were there
alter table account validate constraint account_status_check;
alter table account validate constraint account_check;
alter table account validate constraint account_frozen_check;
