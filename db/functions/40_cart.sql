-- Puts lines into a cart: more of a line that is there, or with `keep_greater` the greater quantity. A new line beyond `lines_max` is
-- left out where the greater is kept, and otherwise refused. Answers 'put', 'full' or 'unauthorised'; nothing has changed after the last two.
create or replace function put_in_cart(buyer uuid, wanted jsonb, keep_greater boolean, lines_max integer, quantity_max integer) returns text language plpgsql as $$
declare
  line record;
begin
  perform from account where id = buyer and status = 'active' for no key update;
  if not found then return 'unauthorised'; end if;
  for line in
    select id, public_id, item, quantity, fields, decode(fields_hash, 'hex') as fields_hash, price_minor, currency, at
    from jsonb_to_recordset(wanted) as each (id uuid, public_id text, item uuid, quantity integer, fields jsonb, fields_hash text, price_minor numeric, currency text, at timestamptz)
  loop
    update cart_line set quantity = case when keep_greater then greatest(cart_line.quantity, line.quantity) else least(quantity_max, cart_line.quantity + line.quantity) end,
      seen_minor = line.price_minor, shown_minor = line.price_minor, seen_currency = line.currency
    where account_id = buyer and item = line.item and cart_line.fields_hash = line.fields_hash;
    continue when found;
    if (select count(*) from cart_line where account_id = buyer) >= lines_max then
      continue when keep_greater;
      return 'full';
    end if;
    insert into cart_line (id, public_id, account_id, item, quantity, account_fields, fields_hash, seen_minor, shown_minor, seen_currency, created_at)
    values (line.id, line.public_id, buyer, line.item, line.quantity, line.fields, line.fields_hash, line.price_minor, line.price_minor, line.currency, line.at);
  end loop;
  return 'put';
end $$;
