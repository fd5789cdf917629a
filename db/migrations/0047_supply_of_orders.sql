-- expand: a trigger that does nothing until an item has a supplier
alter table purchase add foreign key (order_id) references shop_order;
create trigger shop_order_supply after update of settled_at on shop_order for each row
  when (new.has_charging and old.settled_at is null and new.settled_at is not null) execute function queue_supply();
