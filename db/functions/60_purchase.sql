-- The supplier that is asked first for an item; null where it is delivered by hand.
create or replace function first_supplier(wanted uuid) returns code language sql stable as $$
  select o.supplier from supplier_offer o join supplier s on s.code = o.supplier
  where o.item = wanted and o.is_on and s.status = 'on' order by s.rests_until is not null and s.rests_until > now(), o.priority, o.supplier limit 1
$$;

-- Whether a card can be made to order now, as far as anybody knows: a supplier of it is on and does not rest, and the owner has not said
-- that it is sold from own keys alone.
create or replace function is_made_to_order(wanted uuid, moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from supplier_offer o join supplier s on s.code = o.supplier
    where o.item = wanted and o.is_on and o.kind in ('giftcard','key','voucher') and s.status = 'on' and (s.rests_until is null or s.rests_until <= moment)
  ) and not exists (select from card_source where item = wanted and source = 'stock')
$$;

create or replace function queue_supply() returns trigger language plpgsql as $$
begin
  insert into supply_queue (unit_id, supplier, due_at, rank_at, turn)
  select unit.id, unit.supplier, new.settled_at, new.settled_at + unit.turn * interval '200 milliseconds', unit.turn from (
    select u.id, s.supplier, row_number() over (order by u.id) - 1 as turn
    from order_unit u cross join lateral (select first_supplier(u.item) as supplier) as s
    where u.order_id = new.id and (u.delivery = 'direct_charge' or u.to_order) and u.status = 'queued' and s.supplier is not null
  ) as unit
  on conflict do nothing;
  return null;
end $$;

-- A unit that is to be delivered again is queued again, and one that is not, or a card that is made to order no more, leaves the queue.
create or replace function follow_supply() returns trigger language plpgsql as $$
declare
  found_supplier code;
begin
  if new.status <> 'queued' or (new.delivery = 'card_key' and not new.to_order) then
    delete from supply_queue where unit_id = new.id;
    return null;
  end if;
  found_supplier := first_supplier(new.item);
  if found_supplier is not null and exists (select from shop_order where id = new.order_id and settled_at is not null) then
    insert into supply_queue (unit_id, supplier, due_at, rank_at, turn) values (new.id, found_supplier, now(), now(), 0) on conflict do nothing;
  end if;
  return null;
end $$;

-- While an attempt may still deliver a unit, nothing else decides what became of it; and a card that was bought is delivered with its
-- key, or not at all: a release from before there were such cards leaves it to one that can keep keys.
create or replace function keep_to_purchase() returns trigger language plpgsql as $$
begin
  if exists (select from purchase_unit where unit_id = new.id and is_live) then
    raise exception 'unit % is being bought', new.id using errcode = '23514', constraint = 'unit_is_being_bought';
  end if;
  if new.delivery = 'card_key' and new.status = 'delivered' and not exists (select from card_key where unit_id = new.id and status = 'delivered') then
    raise exception 'card % has no key', new.id using errcode = '23514', constraint = 'bought_card_has_its_key';
  end if;
  return new;
end $$;
