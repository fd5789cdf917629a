-- expand: tables of suppliers and of stock take more than before, and a trigger that does nothing until a card is made to order
-- Cards that are bought at a supplier once they are paid.

-- Where an item's cards come from, where an owner has said so: 'stock' own keys alone, 'order' bought when paid, 'both' own keys first.
-- An item without a row has 'both' once a supplier offers it as a card.
create table card_source (
  item        uuid primary key references item,
  source      text not null check (source in ('stock','order','both')),
  updated_at  timestamptz not null
);

-- A supplier can deliver it now, so that it is in stock whatever the shelf says; written by the worker every few seconds.
alter table stock_level add is_to_order boolean not null default false;

alter table supplier_offer drop constraint supplier_offer_kind_check,
  add constraint supplier_offer_kind_check check (kind in ('topup','recharge','data','giftcard','key','voucher'));
alter table purchase drop constraint purchase_kind_check,
  add constraint purchase_kind_check check (kind in ('topup','recharge','data','giftcard','key','voucher')) not valid;
-- 'known': a key came that the shop already holds; a person decides whether it is bought again.
alter table supply_queue drop constraint supply_queue_held_check, add constraint supply_queue_held_check check (held in ('price','known'));
alter table supply_case drop constraint supply_case_kind_check, add constraint supply_case_kind_check check (kind in ('late','reversed','cost','known'));

-- Paid for, and nothing that came could be given to anybody.
insert into transition_rule (machine, from_status, to_status) values
  ('purchase', 'prepared', 'late'), ('purchase', 'accepted', 'late'), ('purchase', 'unknown', 'late'), ('purchase', 'doubt', 'late');
select keep_to_machine('purchase', 'purchase');

create trigger shop_order_supply_cards after update of settled_at on shop_order for each row
  when (new.has_cards and new.status <> 'completed' and old.settled_at is null and new.settled_at is not null) execute function queue_supply();
