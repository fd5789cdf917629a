-- expand: what 0120 added holds for every row.
alter table supply_queue validate constraint supply_queue_allowed, validate constraint supply_queue_allowed_currency;
alter table bank_line validate constraint bank_line_receipt;
