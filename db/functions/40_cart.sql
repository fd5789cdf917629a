-- Puts lines into a cart: more of a line that is there, or with `keep_greater` the greater quantity. A new line beyond `lines_max` is
-- left out where the greater is kept, and otherwise refused; those being paid in orders count, as they may come back. Answers 'put', 'full' or 'unauthorised'; nothing has changed after the last two.
create or replace function put_in_cart(buyer uuid, wanted jsonb, keep_greater boolean, lines_max integer, quantity_max integer) returns text language plpgsql as $$
declare
  line record;
begin
  perform from account where id = buyer and status = 'active' for no key update;
  if not found then return 'unauthorised'; end if;
  for line in
    select id, public_id, item, quantity, fields, amount_minor, decode(fields_hash, 'hex') as fields_hash, price_minor, currency, at
    from jsonb_to_recordset(wanted) as each (id uuid, public_id text, item uuid, quantity integer, fields jsonb, amount_minor numeric, fields_hash text, price_minor numeric, currency text, at timestamptz)
  loop
    update cart_line set quantity = case when keep_greater then greatest(cart_line.quantity, line.quantity) else least(quantity_max, cart_line.quantity + line.quantity) end,
      seen_minor = line.price_minor, shown_minor = line.price_minor, seen_currency = line.currency
    where account_id = buyer and item = line.item and cart_line.fields_hash = line.fields_hash;
    continue when found;
    if (select count(*) from cart_line where account_id = buyer)
      + (select count(*) from shop_order o join order_line l on l.order_id = o.id where o.account_id = buyer and o.status in ('pending_payment', 'waiting_for_payment') and o.from_cart) >= lines_max then
      continue when keep_greater;
      return 'full';
    end if;
    insert into cart_line (id, public_id, account_id, item, quantity, account_fields, amount_minor, fields_hash, seen_minor, shown_minor, seen_currency, created_at)
    values (line.id, line.public_id, buyer, line.item, line.quantity, line.fields, line.amount_minor, line.fields_hash, line.price_minor, line.price_minor, line.currency, line.at)
    -- An order that ends at this moment gives such a line back, and does not wait for the account.
    on conflict (account_id, item, fields_hash) do update
      set quantity = case when keep_greater then greatest(cart_line.quantity, excluded.quantity) else least(quantity_max, cart_line.quantity + excluded.quantity) end,
        seen_minor = excluded.seen_minor, shown_minor = excluded.shown_minor, seen_currency = excluded.seen_currency;
  end loop;
  return 'put';
end $$;

-- What a line is known by, of its account fields, and of its amount as if it were one: SHA-256 of names and values in the order of the names,
-- as `lineText` has them.
create or replace function cart_fields_hash(fields jsonb) returns bytea language sql immutable as $$
  select sha256(convert_to('[' || coalesce(string_agg('[' || to_json(key) || ',' || to_json(value) || ']', ',' order by key collate "C"), '') || ']', 'UTF8')) from jsonb_each_text(fields)
$$;

-- An order of the cart has ended unpaid: its lines are in the cart again, under new names, as the old ones stand for that order; what was
-- added of the same goods meanwhile is one line with them. Each has the id of its line of the order, so that one which is paid late after all
-- takes them out again.
create or replace function give_lines_back() returns trigger language plpgsql as $$
begin
  if new.ended is null then
    delete from cart_line c using order_line l where l.order_id = new.id and c.id = l.id;
    return null;
  end if;
  insert into cart_line as c (id, public_id, account_id, item, quantity, account_fields, amount_minor, fields_hash, seen_minor, shown_minor, seen_currency, created_at)
  select line.id, rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '='), new.account_id, line.item, least(100, line.quantity), line.account_fields, line.amount_minor, line.fields_hash,
    line.price_minor, line.price_minor, new.currency, new.created_at - line.position * interval '1 microsecond'
  from (
    select (array_agg(id order by position))[1] as id, item, account_fields, amount_minor,
      cart_fields_hash(account_fields || case when amount_minor is null then '{}' else jsonb_build_object('#amount', amount_minor::text) end) as fields_hash, sum(quantity) as quantity, max(price_minor) as price_minor, min(position) as position
    from order_line where order_id = new.id and item is not null group by item, account_fields, amount_minor
  ) as line
  where exists (select from account where id = new.account_id and status = 'active')
  order by line.item, line.fields_hash
  on conflict (account_id, item, fields_hash) do update set quantity = least(100, c.quantity + excluded.quantity);
  return null;
end $$;
