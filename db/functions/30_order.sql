create or replace function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception '% does not go from % to %', tg_argv[0], old.status, new.status
    using errcode = '23514', constraint = 'transition_' || tg_argv[0];
end $$;

-- Whoever writes either holds the order's row already.
create or replace function note_claims() returns trigger language plpgsql as $$
begin
  update shop_order o set has_claims = not o.has_claims
  where o.id = new.order_id and o.has_claims <> (
    exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status <> 'rejected') or exists (select from service_case c where c.order_id = o.id and c.status <> 'withdrawn'));
  return null;
end $$;

-- Makes an order with its lines, units and first event, and takes lines out of the cart, or nothing. `asked` has columns by name; of
-- `cart`, where it is there, the lines that leave it: all of the order's, and they come back where it ends unpaid. Answers what came of it
-- as `outcome`: 'placed'; 'made' for the order of the same request key, or, asked with `same_since`, for an unpaid one of the same goods that
-- was made since then, past the cart; 'conflict' where that stands for another request; 'unauthorised', 'too_many_unpaid', 'number_taken'; 'unpaid_too_often'
-- where more than `unpaid_a_day` of the account's orders of a day came to nothing, if it was asked with that. An error of class 40 where
-- the cart has changed.
create or replace function place_order(asked jsonb, unpaid_max integer) returns jsonb language plpgsql as $$
declare
  buyer constant uuid := asked->>'account_id'; placed constant uuid := asked->>'id'; made record; taken integer;
begin
  perform from account where id = buyer and status = 'active' for no key update;
  if not found then return '{"outcome":"unauthorised"}'; end if;
  select o.id, o.public_id, o.number, encode(o.request_hash, 'hex') = asked->>'request_hash' as is_same into made from shop_order o where o.account_id = buyer and o.request_key = asked->>'request_key';
  if found then
    return jsonb_build_object('outcome', case when made.is_same then 'made' else 'conflict' end, 'id', made.id, 'publicId', made.public_id, 'number', made.number);
  end if;
  if asked ? 'same_since' then
    select o.id, o.public_id, o.number into made from shop_order o
    where o.account_id = buyer and o.status in ('pending_payment', 'waiting_for_payment') and not o.from_cart and o.created_at >= (asked->>'same_since')::timestamptz
      and o.request_hash = decode(asked->>'request_hash', 'hex') order by o.created_at desc, o.id desc limit 1;
    if found then return jsonb_build_object('outcome', 'made', 'id', made.id, 'publicId', made.public_id, 'number', made.number); end if;
  end if;
  if is_selling_stopped(array(select (line->>'item')::uuid from jsonb_array_elements(asked->'lines') as line where line->>'item' is not null)) then return '{"outcome":"stopped"}'; end if;
  if (select count(*) from shop_order where account_id = buyer and status in ('pending_payment', 'waiting_for_payment')) >= unpaid_max then return '{"outcome":"too_many_unpaid"}'; end if;
  -- Whoever asks by the signature alone is of the release before, which knows no such outcome.
  if (select count(*) from shop_order where account_id = buyer and created_at > (asked->>'created_at')::timestamptz - interval '1 day' and status in ('cancelled', 'expired'))
    >= (asked->>'unpaid_a_day')::integer then return '{"outcome":"unpaid_too_often"}'; end if;

  insert into shop_order (id, public_id, number, account_id, request_key, request_hash, currency, goods_minor, total_minor, tax_minor, tax_basis_points,
    pricing, language, country, evidence, terms_version, expires_at, created_at, updated_at, has_cards, has_charging, from_cart)
  select o.id, o.public_id, o.number, o.account_id, o.request_key, decode(o.request_hash, 'hex'), o.currency, o.goods_minor, o.goods_minor, o.tax_minor, o.tax_basis_points,
    o.pricing, o.language, o.country, o.evidence, o.terms_version, o.expires_at, o.created_at, o.created_at, o.has_cards, o.has_charging, asked ? 'cart'
  from jsonb_to_record(asked) as o (id uuid, public_id text, number text, account_id uuid, request_key text, request_hash text, currency text, goods_minor numeric, tax_minor numeric, tax_basis_points integer,
    pricing jsonb, language text, country text, evidence jsonb, terms_version text, expires_at timestamptz, created_at timestamptz, has_cards boolean, has_charging boolean)
  on conflict (number) do nothing;
  if not found then return '{"outcome":"number_taken"}'; end if;
  insert into order_line (id, order_id, position, item, item_code, product, goods_type, delivery, product_name, item_name, quantity, price_minor, base_minor, base_currency, account_fields, price_steps, amount_minor, amount_currency, tax_class, tax_basis_points, tax_minor)
  select line.id, placed, line.position, line.item, line.item_code, line.product, line.goods_type, line.delivery, line.product_name, line.item_name, line.quantity, line.price_minor, line.base_minor, line.base_currency, line.account_fields, line.price_steps, line.amount_minor, line.amount_currency, line.tax_class, line.tax_basis_points, line.tax_minor
  from jsonb_to_recordset(asked->'lines') as line (id uuid, position smallint, item uuid, item_code text, product text, goods_type smallint, delivery text,
    product_name text, item_name text, quantity smallint, price_minor numeric, base_minor numeric, base_currency text, account_fields jsonb, price_steps jsonb, amount_minor numeric, amount_currency text, tax_class text, tax_basis_points integer, tax_minor numeric);
  insert into order_unit (id, public_id, order_id, line_id, unit_no, item, delivery, price_minor)
  select unit.id, unit.public_id, placed, unit.line_id, unit.unit_no, unit.item, unit.delivery, unit.price_minor
  from jsonb_to_recordset(asked->'units') as unit (id uuid, public_id text, line_id uuid, unit_no smallint, item uuid, delivery text, price_minor numeric);
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason)
  values ((asked->>'event_id')::uuid, placed, (asked->>'created_at')::timestamptz, asked->>'actor', asked->>'request_id', null, 'pending_payment', 'created');
  if asked ? 'cart' then
    delete from cart_line using jsonb_to_recordset(asked->'cart') as bought (id uuid, quantity integer) where cart_line.id = bought.id and cart_line.quantity = bought.quantity;
    get diagnostics taken = row_count;
    if taken < jsonb_array_length(asked->'cart') then raise exception 'the cart has changed' using errcode = '40001'; end if;
  end if;
  return jsonb_build_object('outcome', 'placed', 'id', placed, 'publicId', asked->>'public_id', 'number', asked->>'number');
end $$;

-- The program's rules say the same; the two are compared by tests and by the view below. A unit that waits for its buyer's correction
-- counts among those in doubt: releases from before that state read these columns, all of them, and nothing may join them.
create or replace view order_facts as
select o.id, o.status, o.total_minor, o.captured_minor, o.refunded_minor, o.hold, o.ended, o.settled_at is not null as is_settled,
  exists (select from payment_attempt p where p.order_id = o.id and p.status in ('created','requires_action','seen','authorised')) as is_payment_open,
  exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status in ('requested','approved','submitted','unknown')) as is_refund_open,
  u.queued, u.delivering, u.in_doubt, u.delivered, u.failed, u.refund_due, u.refunded, u.released
from shop_order o
cross join lateral (
  select count(*) filter (where status = 'queued')::integer as queued, count(*) filter (where status = 'delivering')::integer as delivering,
    count(*) filter (where status in ('in_doubt','needs_input'))::integer as in_doubt, count(*) filter (where status = 'delivered')::integer as delivered,
    count(*) filter (where status = 'failed')::integer as failed, count(*) filter (where status = 'refund_due')::integer as refund_due,
    count(*) filter (where status = 'refunded')::integer as refunded, count(*) filter (where status = 'released')::integer as released
  from order_unit where order_id = o.id
) as u;

create or replace view order_label as
select id, status, case
  when captured_minor > 0 and refunded_minor = captured_minor then 'refunded'
  when hold is not null or is_refund_open or in_doubt + failed + refund_due > 0 then 'processing'
  when not is_settled and captured_minor > 0 then 'processing'
  when not is_settled and ended is not null then ended
  when not is_settled and is_payment_open then 'waiting_for_payment'
  when not is_settled then 'pending_payment'
  when queued + delivering = 0 and delivered > 0 then 'completed'
  when queued + delivering = 0 then 'processing'
  when delivering + delivered > 0 then 'shipping'
  else 'waiting_for_shipment'
end as label
from order_facts;
