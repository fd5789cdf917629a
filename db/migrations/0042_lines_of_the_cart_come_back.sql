-- expand: a column with a default, and a trigger that gives lines back whichever release ends an order
-- While an order of the cart can be paid, its lines are shown in the cart as being paid; they come back to it when it ends unpaid.
alter table shop_order add from_cart boolean not null default false;
-- What a line of the cart is known by, of its account fields: SHA-256 of the names and values in the order of the names.
create function cart_fields_hash(fields jsonb) returns bytea language sql immutable as $$
  select sha256(convert_to('[' || coalesce(string_agg('[' || to_json(key) || ',' || to_json(value) || ']', ',' order by key collate "C"), '') || ']', 'UTF8')) from jsonb_each_text(fields)
$$;
create function give_lines_back() returns trigger language plpgsql as $$
begin
  if new.ended is null then
    delete from cart_line c using order_line l where l.order_id = new.id and c.id = l.id;
    return null;
  end if;
  insert into cart_line as c (id, public_id, account_id, item, quantity, account_fields, fields_hash, seen_minor, shown_minor, seen_currency, created_at)
  select line.id, rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '='), new.account_id, line.item, least(100, line.quantity), line.account_fields, line.fields_hash,
    line.price_minor, line.price_minor, new.currency, new.created_at - line.position * interval '1 microsecond'
  from (
    select (array_agg(id order by position))[1] as id, item, account_fields, cart_fields_hash(account_fields) as fields_hash, sum(quantity) as quantity, max(price_minor) as price_minor, min(position) as position
    from order_line where order_id = new.id and item is not null group by item, account_fields
  ) as line
  where exists (select from account where id = new.account_id and status = 'active')
  order by line.item, line.fields_hash
  on conflict (account_id, item, fields_hash) do update set quantity = least(100, c.quantity + excluded.quantity);
  return null;
end $$;
create trigger shop_order_lines_back after update of ended on shop_order for each row
  when (new.from_cart and old.ended is distinct from new.ended) execute function give_lines_back();
