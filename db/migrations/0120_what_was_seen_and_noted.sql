-- expand: columns that only newer releases fill; where they are empty, all is as it was.
-- Up to what a person has let a unit cost: what was asked when they said so. Where it is empty, it may cost what its supplier asks.
alter table supply_queue add column allowed_minor numeric(38,0), add column allowed_currency text;
alter table supply_queue add constraint supply_queue_allowed check ((allowed_minor is null) = (allowed_currency is null) and allowed_minor >= 0) not valid,
  add constraint supply_queue_allowed_currency check (allowed_currency ~ '^[A-Z]{3}$') not valid;
-- The line is money that somebody had noted by hand before: it counts once.
alter table bank_line add column receipt_id uuid;
alter table bank_line add constraint bank_line_receipt foreign key (receipt_id) references bank_receipt not valid;
create unique index bank_line_receipt_once on bank_line (receipt_id) where receipt_id is not null;
