-- expand: triggers that do nothing until a unit has a supplier
alter table supply_queue add foreign key (unit_id) references order_unit on delete cascade;
alter table purchase_unit add foreign key (unit_id) references order_unit;
create trigger order_unit_supply after update of status on order_unit for each row
  when (new.delivery = 'direct_charge' and (old.status = 'queued') <> (new.status = 'queued')) execute function follow_supply();
create trigger order_unit_purchase before update of status on order_unit for each row
  when (new.delivery = 'direct_charge' and old.status in ('delivering','in_doubt') and new.status not in ('delivering','in_doubt')) execute function keep_to_purchase();
