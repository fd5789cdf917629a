-- expand: a column with a default, and triggers that do nothing until a card is made to order
-- Nothing is reserved for it: it is bought at a supplier when it is paid. Said when paying begins.
alter table order_unit add to_order boolean not null default false;

create trigger order_unit_supply_cards after update of status, to_order on order_unit for each row
  when (new.delivery = 'card_key' and (old.to_order or new.to_order) and (old.to_order <> new.to_order or (old.status = 'queued') <> (new.status = 'queued'))) execute function follow_supply();
create trigger order_unit_purchase_cards before update of status on order_unit for each row
  when (new.delivery = 'card_key' and old.status in ('delivering','in_doubt') and new.status not in ('delivering','in_doubt')) execute function keep_to_purchase();
