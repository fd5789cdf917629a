-- An order that waits to be paid, has no payment open and whose cards can all be had at once: keys are claimed for it and the attempt
-- is opened, in one trip. Answers nothing, with nothing changed, for every other, also where keys are claimed by others, or gone, or
-- where a card is made to order.
-- The program's rules decide those, and lead to the same rows as this, which a test compares. The order expires between `no_sooner` and
-- `no_later`, where they are given.
create or replace function start_plainly(
  buyer uuid, named text, attempt uuid, attempt_name text, with_provider text, with_method text, fee numeric,
  no_sooner timestamptz, no_later timestamptz, first_check timestamptz, event uuid, moment timestamptz, by_actor text, in_request text
) returns setof begun_payment language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  o shop_order; wanted record; picked uuid[]; keys uuid[] := '{}'; units uuid[] := '{}';
begin
  select * into o from shop_order where account_id = buyer and public_id = named for no key update;
  if not found or o.status <> 'pending_payment' or o.expires_at <= moment then return; end if;
  if (select count(*) from payment_attempt where order_id = o.id) >= 20 then return; end if;
  -- The rules say what.
  if exists (select from sale_stop where kind = 'method' and code = with_method and ended_at is null) then return; end if;
  if is_selling_stopped(array(select item from order_line where order_id = o.id and item is not null)) then return; end if;
  for wanted in
    select u.item, array_agg(u.id order by u.id) as units, bool_or(u.to_order) as is_to_order from order_unit u
    where u.order_id = o.id and u.delivery = 'card_key' and u.status = 'queued' and not exists (select from card_key k where k.unit_id = u.id) group by u.item order by u.item
  loop
    if wanted.is_to_order or exists (select from card_source where item = wanted.item and source = 'order') then return; end if;
    select array_agg(free.id) into picked from (
      select id from card_key where item = wanted.item and status = 'free' and expires_on > (moment at time zone 'UTC')::date
      order by expires_on, pick limit cardinality(wanted.units) for update skip locked
    ) as free;
    if coalesce(cardinality(picked), 0) < cardinality(wanted.units) then return; end if;
    keys := keys || picked;
    units := units || wanted.units;
  end loop;
  update card_key set status = 'claimed', unit_id = bound.unit_id, claimed_at = moment
  from unnest(keys, units) as bound (key_id, unit_id) where card_key.id = bound.key_id;
  insert into payment_attempt (id, public_id, order_id, provider, method, currency, amount_minor, fee_minor, check_at, created_at, updated_at)
  values (attempt, attempt_name, o.id, with_provider, with_method, o.currency, o.goods_minor + fee, fee, first_check, moment, moment);
  update shop_order set status = 'waiting_for_payment', fee_minor = fee, total_minor = goods_minor + fee, waived_at = coalesce(waived_at, moment), updated_at = moment,
    expires_at = greatest(least(expires_at, no_later), no_sooner)
  where id = o.id;
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, details)
  values (event, o.id, moment, by_actor, in_request, 'pending_payment', 'waiting_for_payment', 'payment_started', jsonb_build_object('provider', with_provider, 'method', with_method));
  return next row(o.id, o.number, o.language, o.currency, o.goods_minor + fee)::begun_payment;
end $$;

-- An open payment brought exactly what was asked for an order that waits for it, and every card can be had: the money is booked,
-- the order settled and its keys delivered, for several payments in one trip to the database. Answers the places in `told` of
-- those that were; nothing has changed for the others, which the program's rules decide. The rules lead to the same rows as this,
-- which a test compares. An error of class 40 where a row changed under its hands, or keys ran out: the rules decide all of them.
-- Plans are fixed, as a shop's first sales come before anything is known of its tables: rows are found by the ids of those of the
-- payments, by index, which also keeps to one order of locks.
create or replace function settle_plainly(told jsonb) returns setof integer language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off as $$
declare
  -- As variables they lead no plan to an index of all that are open, which is small only while nothing is known of the table.
  open constant text[] := array['created','requires_action','seen','authorised']; awaited constant text := 'waiting_for_payment';
  paid plain_payment[]; ids uuid[]; attempts uuid[]; card_units uuid[]; done integer; wanted record;
begin
  select array_agg(row(plain.*)::plain_payment order by plain.order_id), array_agg(plain.order_id order by plain.order_id) into paid, ids from (
    select distinct on (o.id) t.place, p.id, o.id as order_id, t.provider, t.reference, t.event_id, t.moment, t.actor, t.request_id, o.currency, t.minor, o.goods_minor, p.fee_minor, p.captures::integer,
      case when u.cards = 0 then 'waiting_for_shipment' when u.others > 0 then 'shipping' else 'completed' end, u.cards, a.provider_account, a.held, a.orders, a.sales, a.fees, o.account_id
    from jsonb_to_recordset(told) as t (place integer, provider text, attempt uuid, reference text, minor numeric, currency text, event_id text, moment timestamptz, actor text, request_id text)
    cross join lateral (select * from payment_attempt where id = t.attempt limit 1) as p
    cross join lateral (select * from shop_order where id = p.order_id limit 1) as o
    cross join lateral (
      select count(*) filter (where delivery = 'card_key')::integer as cards, count(*) filter (where delivery = 'direct_charge') as others,
        bool_and(status = 'queued' and delivery <> 'store_credit' and not to_order) as is_plain from order_unit where order_id = o.id
    ) as u
    cross join lateral (
      select max(id) filter (where code = 'provider:' || t.provider) as provider_account, max(id) filter (where code = 'held') as held, max(id) filter (where code = 'orders') as orders,
        max(id) filter (where code = 'sales') as sales, max(id) filter (where code = 'fees') as fees
      from ledger_account where currency = o.currency and code in ('provider:' || t.provider, 'held', 'orders', 'sales', 'fees')
    ) as a
    where p.provider = t.provider and p.status = any (open) and p.captured_minor = 0
      and p.amount_minor = t.minor and p.currency = t.currency and coalesce(p.provider_reference, t.reference) = t.reference
      and o.status = awaited and o.currency = t.currency and o.goods_minor + p.fee_minor = t.minor and u.is_plain
      and a.provider_account is not null and a.held is not null and a.orders is not null and (a.sales is not null or u.cards = 0) and (a.fees is not null or p.fee_minor = 0)
    order by o.id, t.place
  ) as plain;
  if paid is null then return; end if;

  -- An order's row is its lock: who comes second finds it paid.
  with moved as (
    update shop_order o set status = p.label, captured_minor = p.minor, settled_at = p.moment, fee_minor = p.fee, total_minor = p.minor, cards_delivered = p.cards, updated_at = p.moment
    from unnest(paid) as p where o.id = any (ids) and o.id = p.order_id and o.status = awaited returning o.id
  )
  select array_agg(id) into ids from moved;
  if ids is null then return; end if;
  if cardinality(ids) < cardinality(paid) then
    select array_agg(p order by p.order_id) into paid from unnest(paid) as p where p.order_id = any (ids);
  end if;
  select array_agg(p.attempt) into attempts from unnest(paid) as p;
  update payment_attempt a set status = 'captured', captured_minor = p.minor, captured_currency = p.currency, captures = a.captures + 1, is_applied = true,
    provider_reference = p.reference, failure = null, checks = a.checks + 1, check_at = null, updated_at = p.moment
  from unnest(paid) as p
  where a.id = any (attempts) and a.id = p.attempt and a.status = any (open) and coalesce(a.provider_reference, p.reference) = p.reference;
  get diagnostics done = row_count;
  if done < cardinality(paid) then raise exception 'payment has changed' using errcode = '40001'; end if;

  select array_agg(id) into card_units from order_unit where order_id = any (ids) and delivery = 'card_key';
  if card_units is not null then
    update card_key k set status = 'delivered', delivered_at = p.moment
    from order_unit u, unnest(paid) as p where k.unit_id = any (card_units) and u.id = k.unit_id and p.order_id = u.order_id and k.status = 'claimed';
    get diagnostics done = row_count;
    if done < cardinality(card_units) then
      for wanted in
        select u.item, array_agg(u.id order by u.id) as units, array_agg(p.moment order by u.id) as moments from order_unit u join unnest(paid) as p on p.order_id = u.order_id
        where u.id = any (card_units) and not exists (select from card_key k where k.unit_id = u.id) group by u.item order by u.item
      loop
        if exists (select from card_source where item = wanted.item and source = 'order') then raise exception 'a card is made to order' using errcode = '40001'; end if;
        with picked as materialized (
          select id from card_key where item = wanted.item and status = 'free' and expires_on > (wanted.moments[1] at time zone 'UTC')::date
          order by expires_on, pick limit cardinality(wanted.units) for update skip locked
        )
        update card_key set status = 'delivered', unit_id = wanted.units[bound.place], claimed_at = wanted.moments[bound.place], delivered_at = wanted.moments[bound.place]
        from (select id, row_number() over () as place from picked) as bound where card_key.id = bound.id;
        get diagnostics done = row_count;
        if done < cardinality(wanted.units) then raise exception 'keys are claimed by others, or gone' using errcode = '40001'; end if;
      end loop;
    end if;
    update order_unit u set status = 'delivered', delivered_at = p.moment from unnest(paid) as p where u.id = any (card_units) and u.order_id = p.order_id;
  end if;

  insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at, account_id)
  select uuidv7(), moved.source, moved.source_id, moved.leg, moved.debit, moved.credit, p.currency, moved.minor, p.moment, case when moved.source = 'capture' then p.account_id end
  from unnest(paid) as p cross join lateral (
    values ('capture', p.attempt, p.captures, p.provider_account, p.held, p.minor), ('settle', p.order_id, 0, p.held, p.orders, p.goods), ('settle', p.order_id, 1, p.held, p.fees, p.fee)
    union all select 'deliver', id, 0, p.orders, p.sales, price_minor from order_unit where order_id = p.order_id and delivery = 'card_key'
  ) as moved (source, source_id, leg, debit, credit, minor) where moved.minor > 0;
  insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, is_to_tell)
  select uuidv7(), p.order_id, p.moment, p.actor, p.request_id, 'waiting_for_payment', p.label, 'paid', true from unnest(paid) as p;
  update provider_event e set processed_at = p.moment, outcome = 'money_arrived' from unnest(paid) as p where e.provider = p.provider and e.event_id = p.event_id;
  return query select p.place from unnest(paid) as p;
end $$;

-- The release before notes a dispute with its order alone; which payment it means stands in the event.
create or replace function note_dispute() returns trigger language plpgsql as $$
begin
  if new.reason = 'disputed' then
    update payment_attempt set is_disputed = true where order_id = new.order_id and public_id = new.details ->> 'payment' and not is_disputed;
  else
    update payment_attempt set is_disputed = false where order_id = new.order_id and is_disputed and public_id = coalesce(new.details ->> 'payment', (
      select e.details ->> 'payment' from order_event e where e.order_id = new.order_id and e.reason = 'disputed' order by e.seq desc limit 1));
  end if;
  return null;
end $$;
