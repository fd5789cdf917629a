-- Items that are not sold for the moment, once for each stop that holds them. What is credited by suppliers is held where all that could
-- are stopped; a card, where besides none is at hand.
create or replace view stopped_item as
select i.id as item from sale_stop s join item i on s.kind = 'shop' or (s.kind = 'product' and s.code = i.product) or (s.kind = 'shelf' and s.code = i.code)
where s.ended_at is null
union all
select o.item from sale_stop s join supplier_offer o on o.supplier = s.code and o.is_on
where s.kind = 'supplier' and s.ended_at is null
  and not exists (
    select from supplier_offer other join supplier t on t.code = other.supplier where other.item = o.item and other.is_on and t.status = 'on'
      and not exists (select from sale_stop x where x.kind = 'supplier' and x.code = other.supplier and x.ended_at is null))
  and not exists (select from stock_level l where l.item = o.item and l.free > 0 and o.kind in ('giftcard','key','voucher'));

-- Whether any of these items, or selling at all, is stopped. Nearly always nothing is, and that is seen at once.
create or replace function is_selling_stopped(items uuid[]) returns boolean language sql stable as $$
  select exists (select from sale_stop where ended_at is null)
    and (exists (select from sale_stop where kind = 'shop' and code = '' and ended_at is null) or exists (select from stopped_item where item = any (items)))
$$;
