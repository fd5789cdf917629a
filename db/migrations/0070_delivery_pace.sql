-- expand: a table of its own
-- How long what suppliers deliver takes, from payment, by product and supplier: kept where there were enough deliveries to tell. Seconds are
-- rounded to what shoppers are shown, so that a row changes, and what they see is read anew, only where that does.
create table delivery_pace (
  product      text not null references product on update cascade on delete cascade,
  -- Null: whoever delivered, which is what shoppers are told; the others are for operators.
  supplier     code references supplier,
  deliveries   integer not null check (deliveries > 0),
  p50_seconds  integer not null check (p50_seconds > 0),
  p95_seconds  integer not null check (p95_seconds >= p50_seconds),
  -- Half of those of the last hour and of those that wait, where that is much longer.
  now_seconds  integer check (now_seconds > p50_seconds),
  unique nulls not distinct (product, supplier)
);
create trigger delivery_pace_notify after insert or update on delivery_pace for each row when (new.supplier is null) execute function notify_catalogue_changed();
create trigger delivery_pace_gone after delete on delivery_pace for each row when (old.supplier is null) execute function notify_catalogue_changed();
