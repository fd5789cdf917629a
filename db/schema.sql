-- Generated from db/migrations and db/functions by scripts/db-types.ts, for reading and review: do not edit.

create domain code as text CHECK (((VALUE ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(VALUE) <= 100)));

create domain currency_code as text CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

create domain language_code as text CHECK ((VALUE = ANY (ARRAY['ar'::text, 'de'::text, 'en'::text, 'es'::text, 'fr'::text, 'hi'::text, 'id'::text, 'it'::text, 'ja'::text, 'ko'::text, 'ms'::text, 'my'::text, 'nl'::text, 'pt'::text, 'ro'::text, 'ru'::text, 'th'::text, 'tl'::text, 'vi'::text, 'zh'::text, 'zh-tw'::text])));

create domain minor_amount as numeric(38,0) CHECK ((VALUE >= (0)::numeric));

create domain positive_amount as numeric(38,0) CHECK ((VALUE > (0)::numeric));

create domain public_id as text CHECK ((VALUE ~ '^[A-Za-z0-9_-]{22}$'::text));

create domain publication_status as text CHECK ((VALUE = ANY (ARRAY['active'::text, 'suspended'::text])));

create sequence card_key_pick as bigint maxvalue 9223372036854775807;

create sequence order_sequence as bigint maxvalue 999999999999;

create sequence review_number as bigint maxvalue 9223372036854775807;

CREATE OR REPLACE FUNCTION public.account_status_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = 'erased' then raise exception 'an erased account stays as it is' using errcode = '23514'; end if;
  if new.status = 'erased' and old.status <> 'cancelling' then raise exception 'only a cancelled account is erased' using errcode = '23514'; end if;
  if new.status = 'frozen' and old.status not in ('active','frozen') then raise exception 'only an active account is frozen' using errcode = '23514'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.act_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'what an operator gave, act %, stays', old.id using errcode = '23514', constraint = 'act_stays';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_batch(after_id uuid, until_id uuid, OUT first_id uuid, OUT last_id uuid, OUT kept_rows integer, OUT kept_hash bytea, OUT people_rows integer, OUT people_hash bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select (array_agg(id order by id))[1], (array_agg(id order by id desc))[1],
    (count(*) filter (where not of_people))::integer, sha256(coalesce(string_agg(hash, ''::bytea order by id) filter (where not of_people), ''::bytea)),
    (count(*) filter (where of_people))::integer, sha256(coalesce(string_agg(hash, ''::bytea order by id) filter (where of_people), ''::bytea))
  from (select a.id, a.actor like 'account:%' as of_people, audit_row_hash(a) as hash from audit_log a where a.id > after_id and a.id <= until_id) as hashed
$function$;

CREATE OR REPLACE FUNCTION public.audit_faults(from_number bigint, until_number bigint)
 RETURNS TABLE(number bigint, fault text, rows integer)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  seal audit_seal; past audit_seal; batch record; is_next boolean; kept integer; people integer; total integer;
begin
  select * into past from audit_seal s where s.number < from_number order by s.number desc limit 1;
  for seal in select * from audit_seal s where s.number between from_number and until_number order by s.number loop
    is_next := seal.number = coalesce(past.number, 0) + 1;
    if not is_next then
      number := seal.number; fault := 'seal_missing'; rows := (seal.number - coalesce(past.number, 0) - 1)::integer; return next;
    end if;
    if seal.hash <> audit_seal_hash(seal) or (is_next and seal.previous_hash <> coalesce(past.hash, sha256(''::bytea))) then
      number := seal.number; fault := 'seal_changed'; rows := 0; return next;
    end if;
    -- Without the one before it is not known where the batch began but by its first row; that one is taken in.
    select * into batch from audit_batch(case when is_next then coalesce(past.last_id, '00000000-0000-0000-0000-000000000000') else audit_id_before(seal.first_id) end, seal.last_id);
    kept := case when seal.forgotten_at is null then seal.kept_rows else 0 end;
    people := case when seal.people_forgotten_at is null and seal.forgotten_at is null then seal.people_rows else 0 end;
    total := batch.kept_rows + batch.people_rows - kept - people;
    if total <> 0 then
      number := seal.number; fault := case when total < 0 then 'rows_missing' else 'rows_added' end; rows := abs(total); return next;
    elsif batch.kept_rows <> kept or (kept > 0 and batch.kept_hash <> seal.kept_hash) or (people > 0 and batch.people_hash <> seal.people_hash) then
      number := seal.number; fault := 'rows_changed'; rows := 0; return next;
    end if;
    past := seal;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_id_before(given uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select a.id from audit_log a where a.id < given order by a.id desc limit 1), '00000000-0000-0000-0000-000000000000'::uuid)
$function$;

CREATE OR REPLACE FUNCTION public.audit_log_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('lukado.forgetting', true) = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return old; end if;
  raise exception 'audit_log is append-only' using errcode = '23514';
end $function$;

CREATE OR REPLACE FUNCTION public.audit_row_hash(r audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select sha256(convert_to(jsonb_build_array(r.id, extract(epoch from r.at)::text, r.actor, r.network, r.request_id, r.action, r.subject, r.subject_code, r.before, r.after)::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.audit_row_is_named()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_current_xact_id();
  new.id := uuidv7();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_seal_hash(s audit_seal)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(format('%s %s %s %s %s %s %s %s %s', s.number, s.first_id, s.last_id, s.kept_rows, encode(s.kept_hash, 'hex'),
    s.people_rows, encode(s.people_hash, 'hex'), encode(s.previous_hash, 'hex'), extract(epoch from s.sealed_at)), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.card_key_stays_bound()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.unit_id is not null and new.unit_id is distinct from old.unit_id
    and not (old.status = 'claimed' and new.unit_id is null and new.status in ('free', 'quarantined', 'void'))
    -- Or another was given in its place.
    and not (old.status = 'delivered' and new.status = 'void' and new.unit_id is null
      and exists (select from key_replacement r where r.old_key_id = old.id and r.unit_id = old.unit_id)) then
    raise exception 'key is bound to unit %', old.unit_id using errcode = '23514', constraint = 'card_key_stays_bound';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.cart_fields_hash(fields jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select sha256(convert_to('[' || coalesce(string_agg('[' || to_json(key) || ',' || to_json(value) || ']', ',' order by key collate "C"), '') || ']', 'UTF8')) from jsonb_each_text(fields)
$function$;

CREATE OR REPLACE FUNCTION public.count_by_one()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'numbers follow each other without a gap' using errcode = '23514', constraint = 'sales_invoice_series_gapless';
end $function$;

CREATE OR REPLACE FUNCTION public.credit_of(buyer uuid)
 RETURNS TABLE(currency text, balance_minor numeric, frozen_minor numeric, owed_minor numeric, spendable_minor numeric)
 LANGUAGE sql
 STABLE
AS $function$
  with account as (
    select a.code, a.currency, a.balance_minor,
      (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.debit = a.id) - (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.credit = a.id) as drawn_minor
    from ledger_account a where a.code in ('store_credit:' || buyer, 'credit_debt:' || buyer)
  ), disputed as (
    select f.currency, sum(f.funded_minor - f.reclaimed_minor) as minor from shop_order o join payment_attempt p on p.order_id = o.id and p.is_disputed join funded_credit f on f.attempt_id = p.id
    where o.account_id = buyer group by f.currency
  )
  select s.currency::text, s.balance_minor, f.minor, o.minor, case when exists (select from account where code like 'credit\_debt:%' and drawn_minor > 0) then 0 else s.balance_minor - f.minor end
  from account s
  cross join lateral (select least(s.balance_minor, coalesce((select minor from disputed d where d.currency = s.currency), 0)) as minor) as f
  cross join lateral (select coalesce((select drawn_minor from account d where d.code like 'credit\_debt:%' and d.currency = s.currency), 0) as minor) as o
  where s.code like 'store\_credit:%'
$function$;

CREATE OR REPLACE FUNCTION public.deliver_plainly(told jsonb)
 RETURNS SETOF integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_material TO 'off'
AS $function$
declare
  t record; o shop_order; p purchase; u record; a record; cost numeric; is_last boolean; delivered integer; label text;
begin
  for t in
    select * from jsonb_to_recordset(told) as t (place integer, purchase uuid, order_id uuid, theirs text, minor numeric, currency text, proof text, moment timestamptz, actor text, request_id text)
    order by order_id, place
  loop
    select * into o from shop_order where id = t.order_id for no key update;
    continue when not found or o.hold is not null or o.ended is not null or o.settled_at is null
      or exists (select from payment_attempt where order_id = o.id and is_disputed);
    select n.*, each.public_id, each.status, each.delivery, each.price_minor, l.position, l.id as line_id into u from purchase_unit n
      join order_unit each on each.id = n.unit_id join order_line l on l.id = each.line_id where n.purchase_id = t.purchase for no key update of each;
    continue when not found or u.delivery <> 'direct_charge' or u.status <> 'delivering' or not u.is_live
      or (select count(*) from purchase_unit where purchase_id = t.purchase) <> 1;
    select * into p from purchase where id = t.purchase for no key update;
    continue when p.status not in ('prepared','accepted') or p.quantity <> 1 or coalesce(p.supplier_id, t.theirs) <> t.theirs
      or coalesce(t.currency, p.currency) <> p.currency or coalesce(t.minor, 0) > p.max_minor
      or exists (select from purchase where supplier = p.supplier and supplier_id = t.theirs and id <> p.id);
    select max(id) filter (where code = 'supplier:' || p.supplier and ledger_account.currency = p.currency) as supplier,
      max(id) filter (where code = 'supplier_reserved:' || p.supplier and ledger_account.currency = p.currency) as reserved,
      max(id) filter (where code = 'goods_cost:' || p.supplier and ledger_account.currency = p.currency) as cost,
      max(id) filter (where code = 'orders' and ledger_account.currency = o.currency) as orders, max(id) filter (where code = 'sales' and ledger_account.currency = o.currency) as sales
    into a from ledger_account where code in ('supplier:' || p.supplier, 'supplier_reserved:' || p.supplier, 'goods_cost:' || p.supplier, 'orders', 'sales') and ledger_account.currency in (p.currency, o.currency);
    continue when a.supplier is null or a.reserved is null or a.cost is null or a.orders is null or a.sales is null;

    cost := coalesce(t.minor, p.expected_minor);
    update purchase set status = 'done', actual_minor = cost, supplier_id = t.theirs, next_ask_at = null, ended_at = t.moment, updated_at = t.moment where id = p.id;
    update purchase_unit set is_live = false, is_done = true where purchase_id = p.id;
    update order_unit set status = 'delivered', delivered_at = t.moment, proof = t.proof, claimed_by = null, claimed_until = null where id = u.unit_id;
    insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at)
    select uuidv7(), moved.source, moved.source_id, 0, moved.debit, moved.credit, moved.currency, moved.minor, t.moment from (values
      ('release', p.id, a.supplier, a.reserved, p.currency, p.expected_minor::numeric), ('cost', p.id, a.cost, a.supplier, p.currency, cost),
      ('deliver', u.unit_id, a.orders, a.sales, o.currency, u.price_minor::numeric)
    ) as moved (source, source_id, debit, credit, currency, minor) where moved.minor > 0;
    select count(*) filter (where status in ('queued','delivering','in_doubt','needs_input')) = 0, (count(*) filter (where status = 'delivered'))::integer
      into is_last, delivered from order_unit where order_id = o.id and line_id = u.line_id;
    select order_label.label into label from order_label where id = o.id;
    update shop_order set status = label, updated_at = t.moment where id = o.id;
    insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, details, is_to_tell)
    values (uuidv7(), o.id, t.moment, t.actor, t.request_id, o.status, label, 'delivered',
      jsonb_build_object('line', u.position) || case when is_last then jsonb_build_object('units', delivered) else '{}' end, is_last);
    insert into audit_log (id, at, actor, request_id, action, subject, subject_code, before, after)
    values (uuidv7(), t.moment, t.actor, t.request_id, 'delivered', 'order_unit', u.public_id, jsonb_build_object('status', u.status), '{"status": "delivered"}');
    return next t.place;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.first_supplier(wanted uuid)
 RETURNS code
 LANGUAGE sql
 STABLE
AS $function$
  select o.supplier from supplier_offer o join supplier s on s.code = o.supplier
  where o.item = wanted and o.is_on and s.status = 'on' order by s.rests_until is not null and s.rests_until > now(), o.priority, o.supplier limit 1
$function$;

CREATE OR REPLACE FUNCTION public.follow_supply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.forget_audit(made_before timestamp with time zone, rows_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  edge constant uuid := uuidv7(least(made_before, now() - interval '3650 days') - now()); batch record; gone integer; done integer := 0;
begin
  perform set_config('lukado.forgetting', 'on', true);
  for batch in select s.number, s.first_id, s.last_id from audit_seal s where s.forgotten_at is null and s.last_id < edge order by s.number loop
    exit when done >= rows_most;
    delete from audit_log where id between batch.first_id and batch.last_id;
    get diagnostics gone = row_count; done := done + gone;
    update audit_seal set forgotten_at = now() where number = batch.number;
  end loop;
  perform set_config('lukado.forgetting', '', true);
  return done;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_changes(made_before timestamp with time zone, rows_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  -- Ids are in the order of time: the oldest are found without an index of their own.
  edge constant uuid := uuidv7(least(made_before, now() - interval '540 days') - now()); batch record; gone integer; done integer := 0;
begin
  perform set_config('lukado.forgetting', 'on', true);
  for batch in select s.number, s.first_id, s.last_id from audit_seal s where s.people_forgotten_at is null and s.forgotten_at is null and s.people_rows > 0 and s.last_id < edge order by s.number loop
    exit when done >= rows_most;
    delete from audit_log where id between batch.first_id and batch.last_id and actor like 'account:%';
    get diagnostics gone = row_count; done := done + gone;
    update audit_seal set people_forgotten_at = now() where number = batch.number;
  end loop;
  perform set_config('lukado.forgetting', '', true);
  return done;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_evidence(of_account uuid, notices_before timestamp with time zone, evidence_before timestamp with time zone, rows_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  orders uuid[]; done integer := 0; changed integer;
begin
  if exists (select from account where id = of_account and status = 'active') then
    raise exception 'the account is in use, and its evidence stays' using errcode = 'restrict_violation';
  end if;
  notices_before := least(notices_before, now() - interval '90 days');
  evidence_before := least(evidence_before, now() - interval '540 days');
  -- Here and not in the function's head: an owner that is no superuser may not fix a setting of its own making there.
  perform set_config('lukado.forgetting', 'on', true);
  select array_agg(old.id) into orders from (
    select o.id from shop_order o join account a on a.id = o.account_id
    where (o.account_id = of_account or (of_account is null and (o.created_at < evidence_before or a.status = 'erased')))
      and not exists (select from service_case c where c.order_id = o.id and c.kind = 'dispute' and c.status = 'open')
      and (of_account is not null or o.evidence <> '{}' or exists (select from order_line l where l.order_id = o.id and l.account_fields <> '{}')
        or exists (select from purchase p where p.order_id = o.id and p.fields <> '{}' and p.ended_at is not null) or exists (
        select from order_unit u join card_key k on k.unit_id = u.id join key_access x on x.key_id = k.id where u.order_id = o.id and x.network <> '' and (x.at < evidence_before or a.status = 'erased')))
    limit case when of_account is null then rows_most end
  ) as old;
  update shop_order set evidence = '{}' where id = any(orders) and evidence <> '{}';
  get diagnostics changed = row_count; done := done + changed;
  update order_line set account_fields = '{}' where order_id = any(orders) and account_fields <> '{}';
  get diagnostics changed = row_count; done := done + changed;
  -- Of one that is still open the supplier may have to be asked with them.
  update purchase set fields = '{}', told = null where order_id = any(orders) and (fields <> '{}' or told is not null) and ended_at is not null;
  get diagnostics changed = row_count; done := done + changed;
  update key_access x set network = '' from order_unit u join card_key k on k.unit_id = u.id join shop_order o on o.id = u.order_id join account a on a.id = o.account_id
  where u.order_id = any(orders) and x.key_id = k.id and x.network <> '' and (of_account is not null or x.at < evidence_before or a.status = 'erased');
  get diagnostics changed = row_count; done := done + changed;

  update provider_event e set body = '' from (
    select n.provider, n.event_id from provider_event n left join payment_attempt p on p.provider = n.provider and p.provider_reference = n.provider_reference
    where n.body <> '' and n.processed_at is not null and (case when of_account is null then n.received_at < notices_before else p.order_id = any(orders) end)
      and not exists (select from service_case c where c.order_id = p.order_id and c.kind = 'dispute' and c.status = 'open')
    limit rows_most
  ) as old where e.provider = old.provider and e.event_id = old.event_id;
  get diagnostics changed = row_count; done := done + changed;

  if of_account is null then
    -- Its picture goes with the hourly run, once nothing names it.
    update service_case c set text = '', picture = null from (select id from service_case where (text <> '' or picture is not null) and decided_at < evidence_before limit rows_most) as old where c.id = old.id;
    get diagnostics changed = row_count; done := done + changed;
  end if;
  perform set_config('lukado.forgetting', '', true);
  return done;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_player()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from line_player where line_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_unpaid_orders(ended_before timestamp with time zone, rows_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  orders uuid[];
begin
  ended_before := least(ended_before, now() - interval '180 days');
  perform set_config('lukado.forgetting', 'on', true);
  select array_agg(old.id) into orders from (
    select o.id from shop_order o
    where o.status in ('cancelled', 'expired') and o.created_at < ended_before and o.updated_at < ended_before
      and not exists (
        select from payment_attempt p where p.order_id = o.id and (
          p.status not in ('failed', 'voided', 'expired') or p.check_at is not null
          or exists (select from ledger_transfer t where t.source in ('capture', 'spend') and t.source_id = p.id)
          or exists (select from bank_receipt b where b.attempt_id = p.id) or exists (select from payment_difference d where d.attempt_id = p.id)))
      and not exists (select from refund r where r.order_id = o.id)
      and not exists (select from service_case c where c.order_id = o.id)
      and not exists (select from review r where r.order_id = o.id)
      and not exists (select from operator_act a where a.order_id = o.id)
      and not exists (select from order_unit u join card_key k on k.unit_id = u.id where u.order_id = o.id)
    limit rows_most for update of o skip locked
  ) as old;
  delete from order_note where order_id = any(orders);
  delete from order_event where order_id = any(orders);
  delete from payment_attempt where order_id = any(orders);
  delete from order_unit where order_id = any(orders);
  delete from order_line where order_id = any(orders);
  delete from shop_order where id = any(orders);
  perform set_config('lukado.forgetting', '', true);
  return coalesce(cardinality(orders), 0);
end $function$;

CREATE OR REPLACE FUNCTION public.give_lines_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.in_shop_currency(minor numeric, code text)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select case when shop.currency = code then minor else ceil(minor * minor_per_dollar(shop.currency) / minor_per_dollar(code)) end
  from (select shop_currency() as currency) shop
$function$;

CREATE OR REPLACE FUNCTION public.is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (tg_op = 'UPDATE' or (tg_op = 'DELETE' and tg_table_name = 'order_event')) and current_setting('lukado.forgetting', true) = 'on' and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $function$;

CREATE OR REPLACE FUNCTION public.is_made_to_order(wanted uuid, moment timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from supplier_offer o join supplier s on s.code = o.supplier
    where o.item = wanted and o.is_on and o.kind in ('giftcard','key','voucher') and s.status = 'on' and (s.rests_until is null or s.rests_until <= moment)
  ) and not exists (select from card_source where item = wanted and source = 'stock')
$function$;

CREATE OR REPLACE FUNCTION public.is_selling_stopped(items uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from sale_stop where ended_at is null)
    and (exists (select from sale_stop where kind = 'shop' and code = '' and ended_at is null) or exists (select from stopped_item where item = any (items)))
$function$;

CREATE OR REPLACE FUNCTION public.is_tax_told(wanted uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from order_line where order_id = wanted and tax_class is not null) or exists (select from setting where key = 'invoice')
    -- Placed by a release that kept the tax of an order as a whole.
    or exists (select from shop_order where id = wanted and tax_minor > 0)
$function$;

CREATE OR REPLACE FUNCTION public.keep_to_machine(status_table regclass, machine_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format($trigger$
    create or replace trigger status_moves before update of status on %1$s for each row
    when (old.status is distinct from new.status and old.status || ' ' || new.status <> all (%2$L::text[])) execute function refuse_move(%3$L)
  $trigger$, status_table, (select array_agg(from_status || ' ' || to_status order by from_status, to_status) from transition_rule where machine = machine_name), machine_name);
end $function$;

CREATE OR REPLACE FUNCTION public.keep_to_purchase()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from purchase_unit where unit_id = new.id and is_live) then
    raise exception 'unit % is being bought', new.id using errcode = '23514', constraint = 'unit_is_being_bought';
  end if;
  if new.delivery = 'card_key' and new.status = 'delivered' and not exists (select from card_key where unit_id = new.id and status = 'delivered') then
    raise exception 'card % has no key', new.id using errcode = '23514', constraint = 'bought_card_has_its_key';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.key_that_left_stays_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from key_access where key_id = new.id and purpose = 'export') then new.status := 'quarantined'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.last_owner_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') not in ('read committed','read uncommitted') then
    raise exception 'owners change in transactions that see what others have committed' using errcode = '25001';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('last_owner_stays', 0));
  if not exists (select from operator where role = 'owner' and status = 'active') then
    raise exception 'the last active owner, %, stays', old.name using errcode = '23514', constraint = 'last_owner_stays';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limits_in_shop_currency(limits jsonb, code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select case when shop.currency = code then limits else (
    select coalesce(jsonb_object_agg(key, to_jsonb(case when value ~ '^\d{1,18}$'
      then coalesce(floor(value::numeric * minor_per_dollar(shop.currency) / minor_per_dollar(code)), 0)::text end)), '{}')
    from jsonb_each_text(limits) where value is null or value ~ '^\d{1,18}$'
  ) end from (select shop_currency() as currency) shop
$function$;

CREATE OR REPLACE FUNCTION public.margin_rule_only_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (old.valid_until is not null and new.valid_until is distinct from old.valid_until)
    or (new.id, new.supplier, new.region, new.currency, new.basis_points, new.valid_from, new.created_at, new.created_by)
      is distinct from (old.id, old.supplier, old.region, old.currency, old.basis_points, old.valid_from, old.created_at, old.created_by)
  then raise exception 'a margin rule ends, and nothing else of it changes' using errcode = '23514', constraint = 'margin_rule_only_ends'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.minor_per_dollar(code text)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select case when code = 'USD' then 100 else (
    select r.per_usd * power(10::numeric, c.minor_units) from currency c
    cross join lateral (select per_usd from currency_rate where currency_rate.currency = c.code order by observed_at desc limit 1) r where c.code = minor_per_dollar.code
  ) end
$function$;

CREATE OR REPLACE FUNCTION public.moved_in_all(account integer)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select (select coalesce(sum(amount_minor), 0) from ledger_transfer where credit = account) - (select coalesce(sum(amount_minor), 0) from ledger_transfer where debit = account)
$function$;

CREATE OR REPLACE FUNCTION public.moved_of_order(ordered uuid, account text, money text)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  counted integer;
begin
  select id into counted from ledger_account where code = account and currency = money;
  return (
    select coalesce(sum(case t.credit when counted then t.amount_minor else -t.amount_minor end), 0) from (
      select 'capture' as source, id from payment_attempt where order_id = ordered
      union all select unnest(array['settle', 'shortfall']), ordered
      union all select 'deliver', id from order_unit where order_id = ordered
      union all select kind, r.id from refund r cross join (values ('refund'), ('refund_undone')) as each (kind) where r.order_id = ordered
    ) as of_order join ledger_transfer t on t.source = of_order.source and t.source_id = of_order.id where counted in (t.debit, t.credit)
  );
end $function$;

CREATE OR REPLACE FUNCTION public.moved_of_purchase(bought uuid, source_of text, back text)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(case t.source when source_of then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in (source_of, back) and t.source_id = bought
$function$;

CREATE OR REPLACE FUNCTION public.note_claims()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update shop_order o set has_claims = not o.has_claims
  where o.id = new.order_id and o.has_claims <> (
    exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status <> 'rejected') or exists (select from service_case c where c.order_id = o.id and c.status <> 'withdrawn'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_cost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from added o join supplier s on s.code = o.supplier;
  if found then perform tell_of_costs(); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_cost_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from changed o join before b on b.item = o.item and b.supplier = o.supplier join supplier s on s.code = o.supplier
  where (o.cost_minor, o.cost_currency, o.priority, o.is_on) is distinct from (b.cost_minor, b.cost_currency, b.priority, b.is_on);
  if found then perform tell_of_costs(); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_cost_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value) select 'cost', o.item || ':' || o.supplier, null from gone o;
  if found then perform tell_of_costs(); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_currency()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  values ('currency', new.code, jsonb_build_object('minor_units', new.minor_units, 'rounding_increment', new.rounding_increment::text, 'rounding_mode', new.rounding_mode, 'margin_basis_points', new.margin_basis_points));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_dispute()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.reason = 'disputed' then
    update payment_attempt set is_disputed = true where order_id = new.order_id and public_id = new.details ->> 'payment' and not is_disputed;
  else
    update payment_attempt set is_disputed = false where order_id = new.order_id and is_disputed and public_id = coalesce(new.details ->> 'payment', (
      select e.details ->> 'payment' from order_event e where e.order_id = new.order_id and e.reason = 'disputed' order by e.seq desc limit 1));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_item_price()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency) from added i;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_item_price_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency)
  from changed i join before b on b.id = i.id
  where (i.price_minor, i.price_currency, i.own_prices, i.cost_minor, i.cost_currency) is distinct from (b.price_minor, b.price_currency, b.own_prices, b.cost_minor, b.cost_currency);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_key_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into stock_change (item, batch_id, free, sold, claimed, quarantined, voided)
  values (new.item, new.batch_id, (new.status = 'free')::integer - (old.status = 'free')::integer, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer,
    (new.status = 'claimed')::integer - (old.status = 'claimed')::integer, (new.status = 'quarantined')::integer - (old.status = 'quarantined')::integer,
    (new.status = 'void')::integer - (old.status = 'void')::integer);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_keys_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- One that was bought for its unit is sold as it comes.
  insert into stock_change (item, batch_id, free, sold, quarantined, voided)
  select item, batch_id, count(*) filter (where status = 'free'), count(*) filter (where status = 'delivered'), count(*) filter (where status = 'quarantined'), count(*) filter (where status = 'void')
  from added group by item, batch_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_level_price()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op in ('UPDATE','DELETE') then
    insert into price_input (kind, subject, value) values ('level_price', old.item || ':' || old.level, null);
  end if;
  if tg_op in ('UPDATE','INSERT') then
    insert into price_input (kind, subject, value)
    values ('level_price', new.item || ':' || new.level, jsonb_build_object('price_minor', new.price_minor::text, 'price_currency', new.price_currency));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_price_setting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed constant text := case when tg_op = 'DELETE' then old.key else new.key end;
begin
  if changed in ('prices','payment_methods','exchange_rates','rate_max_age_hours') then
    insert into price_input (kind, subject, value) values ('setting', changed, case when tg_op = 'DELETE' then null else new.value end);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_supplier_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and new.status = 'on')
  from supplier_offer o where o.supplier = new.code;
  if found then perform tell_of_costs(); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_unit_charged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into stock_change (item, free, sold) values (new.item, 0, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_catalogue_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalogue_changed', tg_table_name);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.number_sales_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into sales_invoice_series as s (series, year, last) values (new.series, new.year, 1)
    on conflict (series, year) do update set last = s.last + 1 returning last into new.number;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.paid_by(payment uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select amount_minor from accepted_part where attempt_id = payment),
    (select o.total_minor - o.shortfall_minor - coalesce((select sum(s.amount_minor) from accepted_part s where s.order_id = o.id), 0)
      from payment_attempt p join shop_order o on o.id = p.order_id where p.id = payment and p.is_applied), 0)
$function$;

CREATE OR REPLACE FUNCTION public.password_has_a_chooser()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.password_set_by := null;
  new.password_set_at := new.updated_at;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.place_order(asked jsonb, unpaid_max integer)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.put_in_cart(buyer uuid, wanted jsonb, keep_greater boolean, lines_max integer, quantity_max integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.queue_supply()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into supply_queue (unit_id, supplier, due_at, rank_at, turn)
  select unit.id, unit.supplier, new.settled_at, new.settled_at + unit.turn * interval '200 milliseconds', unit.turn from (
    select u.id, s.supplier, row_number() over (order by u.id) - 1 as turn
    from order_unit u cross join lateral (select first_supplier(u.item) as supplier) as s
    where u.order_id = new.id and (u.delivery = 'direct_charge' or u.to_order) and u.status = 'queued' and s.supplier is not null
  ) as unit
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_tax_of_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- What goes back to several payments is corrected once, with its units.
  if is_tax_told(new.order_id) and not exists (select from refund_part where refund_id = new.id) then
    insert into tax_due (order_id, refund_id, kind, at) values (new.order_id, new.id, case new.status when 'succeeded' then 'refund' else 'returned' end, new.updated_at);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_tax_of_sale()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_tax_told(new.id) then insert into tax_due (order_id, kind, at) values (new.id, 'sale', new.settled_at); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into webhook_delivery (id, public_id, endpoint_id, order_id, order_status, due_at, created_at)
  select uuidv7(), rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '='), e.id, o.id, new.to_status, new.at, new.at
  from shop_order o join webhook_endpoint e on e.account_id = o.account_id and e.status = 'on' where o.id = new.order_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refund_fits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  payment payment_attempt; asked numeric; over numeric; kept numeric;
begin
  select * into payment from payment_attempt where id = new.attempt_id for no key update;
  select coalesce(sum(amount_minor), 0), coalesce(sum(amount_minor) filter (where purpose = 'surplus'), 0) into asked, over from refund
    where attempt_id = new.attempt_id and status not in ('failed','rejected') and id <> new.id;
  if payment.captured_currency is distinct from new.currency or asked + new.amount_minor > payment.captured_minor then
    raise exception 'refund is more than was captured' using errcode = '23514', constraint = 'refund_fits';
  end if;
  if new.purpose = 'surplus' then
    kept := paid_by(new.attempt_id);
    if kept > 0 and over + new.amount_minor > payment.captured_minor - kept then
      raise exception 'what refund % gives back has paid for its order', new.id using errcode = '23514', constraint = 'refund_fits';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refund_is_covered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  payment payment_attempt; out_minor numeric;
begin
  select * into payment from payment_attempt where id = new.attempt_id for no key update;
  if payment.is_disputed then
    raise exception 'payment % is disputed', new.attempt_id using errcode = '23514', constraint = 'refund_not_disputed';
  end if;
  select coalesce(sum(amount_minor), 0) into out_minor from refund
    where attempt_id = new.attempt_id and id <> new.id and purpose <> 'reversal' and status in ('submitted', 'unknown', 'succeeded');
  if out_minor + payment.reversed_minor + new.amount_minor > payment.captured_minor then
    raise exception 'what refund % gives back is gone', new.id using errcode = '23514', constraint = 'refund_is_covered';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% does not go from % to %', tg_argv[0], old.status, new.status
    using errcode = '23514', constraint = 'transition_' || tg_argv[0];
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_new_buyer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a buyer of an invoice is only ever taken out' using errcode = '23514', constraint = 'sales_invoice_buyer_stays';
end $function$;

CREATE OR REPLACE FUNCTION public.seal_audit(edge uuid, rows_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  past audit_seal; made audit_seal; batch record; until uuid;
begin
  perform pg_advisory_xact_lock(7126088);
  edge := least(edge, uuidv7(interval '-1 second'));
  select * into past from audit_seal order by number desc limit 1;
  select id into until from (select id from audit_log where id > coalesce(past.last_id, '00000000-0000-0000-0000-000000000000') and id <= edge order by id limit least(rows_most, 5000)) as next order by id desc limit 1;
  if until is null then return 0; end if;
  select * into batch from audit_batch(coalesce(past.last_id, '00000000-0000-0000-0000-000000000000'), until);
  made.number := coalesce(past.number, 0) + 1;
  made.first_id := batch.first_id; made.last_id := batch.last_id;
  made.kept_rows := batch.kept_rows; made.kept_hash := batch.kept_hash;
  made.people_rows := batch.people_rows; made.people_hash := batch.people_hash;
  made.previous_hash := coalesce(past.hash, sha256(''::bytea));
  made.sealed_at := now();
  made.hash := audit_seal_hash(made);
  insert into audit_seal select made.*;
  return made.kept_rows + made.people_rows;
end $function$;

CREATE OR REPLACE FUNCTION public.settle_plainly(told jsonb)
 RETURNS SETOF integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_material TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.shop_currency()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select value #>> '{}' from setting where key = 'shop_currency' and minor_per_dollar(value #>> '{}') is not null), 'USD')
$function$;

CREATE OR REPLACE FUNCTION public.shop_unit()
 RETURNS numeric
 LANGUAGE sql
 STABLE
AS $function$
  select case when shop.currency = 'USD' then 100 else (
    select greatest(1, power(10::numeric, c.minor_units + round(log(minor_per_dollar(c.code) / power(10::numeric, c.minor_units)))::integer))::numeric(38,0)
    from currency c where c.code = shop.currency
  ) end from (select shop_currency() as currency) shop
$function$;

CREATE OR REPLACE FUNCTION public.spendable_credit(buyer uuid, wanted text)
 RETURNS numeric
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if not exists (select from ledger_account where code = 'store_credit:' || buyer and currency = wanted and balance_minor > 0) then return 0; end if;
  return (select spendable_minor from credit_of(buyer) where currency = wanted);
end $function$;

CREATE OR REPLACE FUNCTION public.start_plainly(buyer uuid, named text, attempt uuid, attempt_name text, with_provider text, with_method text, fee numeric, no_sooner timestamp with time zone, no_later timestamp with time zone, first_check timestamp with time zone, event uuid, moment timestamp with time zone, by_actor text, in_request text)
 RETURNS SETOF begun_payment
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.taken_credit_is_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from ledger_transfer where source = 'spend' and source_id = new.id) then
    raise exception 'payment % does not end without the credit that was taken for it', new.id using errcode = '23514', constraint = 'taken_credit_is_kept';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.tax_due_is_known()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('lukado.tax_known', true) is distinct from 'banks, parts' and (
    exists (select from refund where id = old.refund_id and purpose = 'reversal') or exists (select from refund_part where of_refund_id = old.refund_id)
  ) then
    return null;
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_of_costs()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from margin_rule where valid_until is null or valid_until > now()) or exists (select from setting where key = 'prices' and value ? 'floor') then
    perform pg_notify('catalogue_changed', 'supplier_offer');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.transfers_have_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from written where not exists (select from ledger_account where id = debit and ledger_account.currency = written.currency)
      or not exists (select from ledger_account where id = credit and ledger_account.currency = written.currency)
  ) then
    raise exception 'a movement is between accounts of its currency' using errcode = '23503', constraint = 'transfers_have_accounts';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.withdrawn_key_is_void()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from key_batch where id = new.batch_id and withdrawn_at is not null for key share) then
    new.status := 'void';
  end if;
  return new;
end $function$;

create table accepted_part (
  attempt_id uuid not null,
  order_id uuid not null,
  amount_minor positive_amount not null,
  constraint accepted_part_pkey PRIMARY KEY (attempt_id),
  constraint accepted_part_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint accepted_part_order_id_fkey FOREIGN KEY (order_id) REFERENCES accepted_payment(order_id)
);

CREATE INDEX accepted_part_order ON public.accepted_part USING btree (order_id);

create table accepted_payment (
  order_id uuid not null,
  attempt_id uuid not null,
  was text not null,
  currency currency_code not null,
  shortfall_minor minor_amount not null,
  accepted_by text not null,
  accepted_at timestamp with time zone not null,
  constraint accepted_payment_pkey PRIMARY KEY (order_id),
  constraint accepted_payment_accepted_by_check CHECK (((length(accepted_by) >= 1) AND (length(accepted_by) <= 100))),
  constraint accepted_payment_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint accepted_payment_attempt_id_key UNIQUE (attempt_id),
  constraint accepted_payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint accepted_payment_was_check CHECK ((was = ANY (ARRAY['open'::text, 'cancelled'::text, 'expired'::text])))
);

create table account (
  id uuid not null,
  user_id text not null,
  uid bigint not null,
  user_name text,
  nickname text,
  email text,
  email_verified_at timestamp with time zone,
  mobile text,
  mobile_verified_at timestamp with time zone,
  password_hash text,
  password_changed_at timestamp with time zone,
  avatar uuid,
  language language_code not null,
  role_id smallint not null default 0,
  status text not null default 'active'::text,
  registered_at timestamp with time zone not null,
  cancel_requested_at timestamp with time zone,
  erase_at timestamp with time zone,
  erased_at timestamp with time zone,
  frozen_at timestamp with time zone,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_avatar_fkey FOREIGN KEY (avatar) REFERENCES uploaded_picture(id) ON DELETE SET NULL,
  constraint account_check CHECK (((status = ANY (ARRAY['active'::text, 'frozen'::text])) = (cancel_requested_at IS NULL))),
  constraint account_check1 CHECK (((cancel_requested_at IS NULL) = (erase_at IS NULL))),
  constraint account_check2 CHECK (((status = 'erased'::text) = (erased_at IS NOT NULL))),
  constraint account_check3 CHECK (((status = 'erased'::text) OR ((user_name IS NOT NULL) AND (nickname IS NOT NULL) AND (email IS NOT NULL) AND (email_verified_at IS NOT NULL)))),
  constraint account_check4 CHECK (((status <> 'erased'::text) OR ((user_name IS NULL) AND (nickname IS NULL) AND (email IS NULL) AND (email_verified_at IS NULL) AND (mobile IS NULL) AND (mobile_verified_at IS NULL) AND (password_hash IS NULL) AND (password_changed_at IS NULL) AND (avatar IS NULL)))),
  constraint account_check5 CHECK (((mobile IS NOT NULL) OR (mobile_verified_at IS NULL))),
  constraint account_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint account_frozen_check CHECK (((status = 'frozen'::text) = (frozen_at IS NOT NULL))),
  constraint account_mobile_check CHECK ((mobile ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint account_nickname_check CHECK (((length(nickname) >= 1) AND (length(nickname) <= 40))),
  constraint account_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
  constraint account_role_id_check CHECK ((role_id >= 0)),
  constraint account_status_check CHECK ((status = ANY (ARRAY['active'::text, 'frozen'::text, 'cancelling'::text, 'erased'::text]))),
  constraint account_uid_check CHECK (((uid >= 100000000) AND (uid <= 999999999))),
  constraint account_uid_key UNIQUE (uid),
  constraint account_user_id_check CHECK ((user_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint account_user_id_key UNIQUE (user_id),
  constraint account_user_name_check CHECK ((user_name ~ '^[A-Za-z0-9]{6,32}$'::text))
);

CREATE INDEX account_apart ON public.account USING btree (status, registered_at DESC, id DESC) WHERE (status = ANY (ARRAY['frozen'::text, 'cancelling'::text]));

CREATE UNIQUE INDEX account_email ON public.account USING btree (email);

CREATE INDEX account_email_begins ON public.account USING btree (email text_pattern_ops);

CREATE INDEX account_mobile_begins ON public.account USING btree (mobile text_pattern_ops) WHERE (mobile IS NOT NULL);

CREATE INDEX account_newest ON public.account USING btree (registered_at DESC, id DESC) WHERE (status <> 'erased'::text);

CREATE INDEX account_nickname_begins ON public.account USING btree (lower(nickname) text_pattern_ops);

CREATE INDEX account_to_erase ON public.account USING btree (erase_at) WHERE (status = 'cancelling'::text);

CREATE UNIQUE INDEX account_user_name ON public.account USING btree (lower(user_name));

CREATE INDEX account_user_name_begins ON public.account USING btree (lower(user_name) text_pattern_ops);

CREATE TRIGGER account_status BEFORE UPDATE ON public.account FOR EACH ROW EXECUTE FUNCTION account_status_moves();

create table age_proof (
  account_id uuid not null,
  years smallint not null,
  proved_by text not null,
  proved_at timestamp with time zone not null,
  constraint age_proof_pkey PRIMARY KEY (account_id),
  constraint age_proof_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint age_proof_proved_by_check CHECK (((length(proved_by) >= 1) AND (length(proved_by) <= 100))),
  constraint age_proof_years_check CHECK (((years >= 1) AND (years <= 99)))
);

create table agent_confirmation (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  key_id uuid not null,
  reference text not null,
  request_hash bytea not null,
  lines jsonb not null,
  currency currency_code not null,
  amount_minor minor_amount not null,
  state text not null default 'waiting'::text,
  created_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint agent_confirmation_pkey PRIMARY KEY (id),
  constraint agent_confirmation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint agent_confirmation_account_id_reference_key UNIQUE (account_id, reference),
  constraint agent_confirmation_check CHECK ((ends_at > created_at)),
  constraint agent_confirmation_check1 CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
  constraint agent_confirmation_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint agent_confirmation_key_id_fkey FOREIGN KEY (key_id) REFERENCES reseller_key(id),
  constraint agent_confirmation_lines_check CHECK ((jsonb_typeof(lines) = 'array'::text)),
  constraint agent_confirmation_public_id_key UNIQUE (public_id),
  constraint agent_confirmation_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 80))),
  constraint agent_confirmation_request_hash_check CHECK ((octet_length(request_hash) = 32)),
  constraint agent_confirmation_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text])))
);

CREATE INDEX agent_confirmation_ends ON public.agent_confirmation USING btree (ends_at);

create table alert_matter (
  id uuid not null,
  kind text not null,
  begun_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  over_at timestamp with time zone,
  count integer not null,
  told_at timestamp with time zone,
  added integer not null default 0,
  constraint alert_matter_pkey PRIMARY KEY (id),
  constraint alert_matter_added_check CHECK ((added >= 0)),
  constraint alert_matter_check CHECK ((over_at >= begun_at)),
  constraint alert_matter_count_check CHECK ((count > 0)),
  constraint alert_matter_kind_check CHECK ((kind ~ '^[a-z]+(_[a-z]+)*$'::text))
);

CREATE INDEX alert_matter_age ON public.alert_matter USING btree (over_at) WHERE (over_at IS NOT NULL);

CREATE UNIQUE INDEX alert_matter_open ON public.alert_matter USING btree (kind) WHERE (over_at IS NULL);

create table alert_message (
  id uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  attempts integer not null default 0,
  next_at timestamp with time zone,
  delivered_at timestamp with time zone,
  failure text not null default ''::text,
  constraint alert_message_pkey PRIMARY KEY (id),
  constraint alert_message_attempts_check CHECK ((attempts >= 0)),
  constraint alert_message_body_check CHECK (((length(body) >= 2) AND (length(body) <= 20000))),
  constraint alert_message_check CHECK (((delivered_at IS NULL) OR (next_at IS NULL))),
  constraint alert_message_failure_check CHECK ((length(failure) <= 300))
);

CREATE INDEX alert_message_age ON public.alert_message USING btree (created_at);

CREATE INDEX alert_message_due ON public.alert_message USING btree (next_at) WHERE (next_at IS NOT NULL);

create table answer_template (
  id uuid not null,
  public_id public_id not null,
  name text not null,
  texts jsonb not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  constraint answer_template_pkey PRIMARY KEY (id),
  constraint answer_template_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 100))),
  constraint answer_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint answer_template_name_key UNIQUE (name),
  constraint answer_template_public_id_key UNIQUE (public_id),
  constraint answer_template_texts_check CHECK (((jsonb_typeof(texts) = 'object'::text) AND (texts <> '{}'::jsonb)))
);

create table article (
  kind text not null,
  code code not null,
  category text,
  title text not null,
  summary text not null default ''::text,
  sections jsonb not null,
  related text[] not null default '{}'::text[],
  picture text,
  published_at timestamp with time zone not null,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  constraint article_pkey PRIMARY KEY (kind, code),
  constraint article_kind_check CHECK ((kind = ANY (ARRAY['news'::text, 'faq'::text, 'page'::text]))),
  constraint article_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code)
);

CREATE TRIGGER article_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.article FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table article_category (
  kind text not null,
  code code not null,
  name text not null,
  position integer not null,
  constraint article_category_pkey PRIMARY KEY (kind, code),
  constraint article_category_kind_check CHECK ((kind = ANY (ARRAY['news'::text, 'faq'::text])))
);

CREATE TRIGGER article_category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.article_category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  request_id text not null,
  action text not null,
  subject text not null,
  subject_code text not null,
  before jsonb,
  after jsonb,
  network text not null default ''::text,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_network CHECK ((length(network) <= 60))
);

CREATE INDEX audit_log_action ON public.audit_log USING btree (action, at DESC, id DESC);

CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor, at DESC, id DESC);

CREATE INDEX audit_log_at ON public.audit_log USING btree (at DESC, id DESC);

CREATE INDEX audit_log_of_kind ON public.audit_log USING btree (subject, at DESC, id DESC);

CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, subject_code, at DESC);

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();

CREATE TRIGGER audit_log_named BEFORE INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_row_is_named();

CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table audit_seal (
  number bigint not null,
  first_id uuid not null,
  last_id uuid not null,
  kept_rows integer not null,
  kept_hash bytea not null,
  people_rows integer not null,
  people_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null,
  people_forgotten_at timestamp with time zone,
  forgotten_at timestamp with time zone,
  constraint audit_seal_pkey PRIMARY KEY (number),
  constraint audit_seal_check CHECK ((last_id >= first_id)),
  constraint audit_seal_check1 CHECK (((kept_rows + people_rows) > 0)),
  constraint audit_seal_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_seal_hash_key UNIQUE (hash),
  constraint audit_seal_kept_hash_check CHECK ((octet_length(kept_hash) = 32)),
  constraint audit_seal_kept_rows_check CHECK ((kept_rows >= 0)),
  constraint audit_seal_last_id_key UNIQUE (last_id),
  constraint audit_seal_number_check CHECK ((number > 0)),
  constraint audit_seal_people_hash_check CHECK ((octet_length(people_hash) = 32)),
  constraint audit_seal_people_rows_check CHECK ((people_rows >= 0)),
  constraint audit_seal_previous_hash_check CHECK ((octet_length(previous_hash) = 32))
);

CREATE TRIGGER audit_seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_seal FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table bank_line (
  id uuid not null,
  public_id public_id not null,
  statement_id uuid not null,
  fingerprint bytea not null,
  booked_on date not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  payer text,
  text text not null,
  reference text,
  account text,
  outcome text,
  note text not null default ''::text,
  closed_at timestamp with time zone,
  closed_by text,
  receipt_id uuid,
  constraint bank_line_pkey PRIMARY KEY (id),
  constraint bank_line_account_check CHECK (((length(account) >= 1) AND (length(account) <= 40))),
  constraint bank_line_check CHECK ((((outcome IS NULL) = (closed_at IS NULL)) AND ((outcome IS NULL) = (closed_by IS NULL)))),
  constraint bank_line_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 100))),
  constraint bank_line_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint bank_line_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  constraint bank_line_fingerprint_key UNIQUE (fingerprint),
  constraint bank_line_note_check CHECK ((length(note) <= 500)),
  constraint bank_line_outcome_check CHECK ((outcome = ANY (ARRAY['matched'::text, 'set_aside'::text]))),
  constraint bank_line_payer_check CHECK (((length(payer) >= 1) AND (length(payer) <= 500))),
  constraint bank_line_public_id_key UNIQUE (public_id),
  constraint bank_line_receipt FOREIGN KEY (receipt_id) REFERENCES bank_receipt(id),
  constraint bank_line_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 140))),
  constraint bank_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id),
  constraint bank_line_text_check CHECK ((length(text) <= 500))
);

CREATE INDEX bank_line_open ON public.bank_line USING btree (id) WHERE (outcome IS NULL);

CREATE INDEX bank_line_personal ON public.bank_line USING btree (booked_on) WHERE ((payer IS NOT NULL) OR (text <> ''::text));

CREATE UNIQUE INDEX bank_line_receipt_once ON public.bank_line USING btree (receipt_id) WHERE (receipt_id IS NOT NULL);

CREATE INDEX bank_line_statement ON public.bank_line USING btree (statement_id);

create table bank_receipt (
  id uuid not null,
  attempt_id uuid not null,
  reference text not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  recorded_at timestamp with time zone not null,
  recorded_by text not null,
  constraint bank_receipt_pkey PRIMARY KEY (id),
  constraint bank_receipt_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint bank_receipt_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint bank_receipt_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint bank_receipt_reference_key UNIQUE (reference)
);

CREATE INDEX bank_receipt_amount ON public.bank_receipt USING btree (currency, amount_minor);

CREATE INDEX bank_receipt_attempt ON public.bank_receipt USING btree (attempt_id);

create table bank_return (
  refund_id uuid not null,
  recorded_at timestamp with time zone not null,
  recorded_by text not null,
  constraint bank_return_pkey PRIMARY KEY (refund_id),
  constraint bank_return_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id)
);

create table bank_statement (
  id uuid not null,
  public_id public_id not null,
  format text not null,
  digest bytea not null,
  lines integer not null,
  known integer not null,
  skipped integer not null,
  faulty integer not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  constraint bank_statement_pkey PRIMARY KEY (id),
  constraint bank_statement_digest_check CHECK ((octet_length(digest) = 32)),
  constraint bank_statement_digest_key UNIQUE (digest),
  constraint bank_statement_faulty_check CHECK ((faulty >= 0)),
  constraint bank_statement_format_check CHECK ((format = ANY (ARRAY['camt053'::text, 'csv'::text]))),
  constraint bank_statement_imported_by_check CHECK (((length(imported_by) >= 1) AND (length(imported_by) <= 100))),
  constraint bank_statement_known_check CHECK ((known >= 0)),
  constraint bank_statement_lines_check CHECK ((lines >= 0)),
  constraint bank_statement_public_id_key UNIQUE (public_id),
  constraint bank_statement_skipped_check CHECK ((skipped >= 0))
);

create table billing_address (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  country text not null,
  region text not null default ''::text,
  first_name text not null,
  surname text not null,
  address text not null,
  postal_code text not null default ''::text,
  is_default boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint billing_address_pkey PRIMARY KEY (id),
  constraint billing_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint billing_address_address_check CHECK (((length(address) >= 1) AND (length(address) <= 300))),
  constraint billing_address_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint billing_address_first_name_check CHECK (((length(first_name) >= 1) AND (length(first_name) <= 100))),
  constraint billing_address_postal_code_check CHECK ((length(postal_code) <= 20)),
  constraint billing_address_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint billing_address_public_id_key UNIQUE (public_id),
  constraint billing_address_region_check CHECK ((length(region) <= 100)),
  constraint billing_address_surname_check CHECK (((length(surname) >= 1) AND (length(surname) <= 100)))
);

CREATE INDEX billing_address_account ON public.billing_address USING btree (account_id, created_at);

CREATE UNIQUE INDEX billing_address_default ON public.billing_address USING btree (account_id) WHERE is_default;

create table brand (
  code code not null,
  kind text not null,
  type smallint not null,
  name text not null,
  publisher text not null default ''::text,
  aliases text[] not null default '{}'::text[],
  game text,
  platforms text[] not null default '{}'::text[],
  picture text,
  delivery text not null,
  typical_minutes integer,
  unit text,
  fields jsonb not null default '[]'::jsonb,
  redeem_at text,
  redeem_steps text[] not null default '{}'::text[],
  key_format jsonb,
  validity text,
  recharge jsonb,
  released_year smallint,
  popularity integer not null default 0,
  is_hot boolean not null default false,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  account_check text not null default 'wish'::text,
  constraint brand_pkey PRIMARY KEY (code),
  constraint brand_account_check_check CHECK ((account_check = ANY (ARRAY['none'::text, 'wish'::text, 'must'::text]))),
  constraint brand_delivery_check CHECK ((delivery = ANY (ARRAY['card_key'::text, 'direct_charge'::text]))),
  constraint brand_game_fkey FOREIGN KEY (game) REFERENCES game(code) ON UPDATE CASCADE,
  constraint brand_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'game_card'::text, 'gift_card'::text, 'prepaid_card'::text, 'subscription'::text, 'recharge'::text, 'game_key'::text]))),
  constraint brand_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint brand_released_year_check CHECK (((released_year >= 1970) AND (released_year <= 2100))),
  constraint brand_type_check CHECK (((type >= 1) AND (type <= 4))),
  constraint brand_typical_minutes_check CHECK ((typical_minutes > 0)),
  constraint brand_unit_fkey FOREIGN KEY (unit) REFERENCES unit(key)
);

CREATE TRIGGER brand_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.brand FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table brand_category (
  brand text not null,
  category_id integer not null,
  constraint brand_category_pkey PRIMARY KEY (brand, category_id),
  constraint brand_category_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint brand_category_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id)
);

CREATE TRIGGER brand_category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.brand_category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table broken_promise (
  invariant text not null,
  subject text not null,
  found_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint broken_promise_pkey PRIMARY KEY (invariant, subject),
  constraint broken_promise_invariant_check CHECK ((length(invariant) <= 100)),
  constraint broken_promise_subject_check CHECK ((length(subject) <= 300))
);

create table bulk_run (
  id uuid not null,
  public_id public_id not null,
  act text not null,
  operator_id uuid not null,
  state text not null default 'waiting'::text,
  asked_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint bulk_run_pkey PRIMARY KEY (id),
  constraint bulk_run_act_check CHECK ((act = ANY (ARRAY['cancel'::text, 'requeue'::text]))),
  constraint bulk_run_ends CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  constraint bulk_run_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint bulk_run_public_id_key UNIQUE (public_id),
  constraint bulk_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'cancelled'::text])))
);

CREATE INDEX bulk_run_open ON public.bulk_run USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX bulk_run_own ON public.bulk_run USING btree (operator_id, id DESC);

create table bulk_run_order (
  run_id uuid not null,
  no integer not null,
  order_id uuid not null,
  version text not null,
  state text not null default 'waiting'::text,
  why text,
  constraint bulk_run_order_pkey PRIMARY KEY (run_id, no),
  constraint bulk_run_order_fails CHECK (((why IS NOT NULL) = (state = 'failed'::text))),
  constraint bulk_run_order_no_check CHECK ((no >= 0)),
  constraint bulk_run_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id) ON DELETE CASCADE,
  constraint bulk_run_order_run_id_fkey FOREIGN KEY (run_id) REFERENCES bulk_run(id) ON DELETE CASCADE,
  constraint bulk_run_order_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))),
  constraint bulk_run_order_version_check CHECK ((version ~ '^\d{1,19}$'::text)),
  constraint bulk_run_order_why_check CHECK (((length(why) >= 1) AND (length(why) <= 60)))
);

CREATE INDEX bulk_run_order_order ON public.bulk_run_order USING btree (order_id);

create table card_key (
  id uuid not null,
  item uuid not null,
  batch_id uuid not null,
  pick bigint not null default nextval('card_key_pick'::regclass),
  expires_on date not null default 'infinity'::date,
  status text not null default 'free'::text,
  nonce bytea not null,
  ciphertext bytea not null,
  wrapped_key bytea not null,
  kek_id integer not null,
  fingerprint bytea not null,
  last_four text not null,
  unit_id uuid,
  claimed_at timestamp with time zone,
  delivered_at timestamp with time zone,
  revealed_at timestamp with time zone,
  used_at timestamp with time zone,
  constraint card_key_pkey PRIMARY KEY (id),
  constraint card_key_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES key_batch(id),
  constraint card_key_check CHECK ((((status = ANY (ARRAY['claimed'::text, 'delivered'::text])) = (unit_id IS NOT NULL)) OR (status = 'void'::text))),
  constraint card_key_check1 CHECK (((unit_id IS NULL) = (claimed_at IS NULL))),
  constraint card_key_check2 CHECK (((status <> 'delivered'::text) OR (delivered_at IS NOT NULL))),
  constraint card_key_check3 CHECK (((revealed_at IS NULL) OR (status = ANY (ARRAY['delivered'::text, 'void'::text])))),
  constraint card_key_ciphertext_check CHECK (((length(ciphertext) >= 17) AND (length(ciphertext) <= 1500000))),
  constraint card_key_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint card_key_fingerprint_key UNIQUE (fingerprint),
  constraint card_key_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint card_key_kek_id_fkey FOREIGN KEY (kek_id) REFERENCES key_encryption_key(id),
  constraint card_key_last_four_check CHECK (((length(last_four) >= 1) AND (length(last_four) <= 4))),
  constraint card_key_nonce_check CHECK ((length(nonce) = 12)),
  constraint card_key_status_check CHECK ((status = ANY (ARRAY['quarantined'::text, 'free'::text, 'claimed'::text, 'delivered'::text, 'void'::text]))),
  constraint card_key_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id),
  constraint card_key_unit_id_key UNIQUE (unit_id),
  constraint card_key_wrapped_key_check CHECK ((length(wrapped_key) = 60))
);

CREATE INDEX card_key_batch ON public.card_key USING btree (batch_id, status, id);

CREATE INDEX card_key_free ON public.card_key USING btree (item, expires_on, pick) WHERE (status = 'free'::text);

CREATE INDEX card_key_kek ON public.card_key USING btree (kek_id);

CREATE INDEX card_key_kept_back ON public.card_key USING btree (item, id) WHERE (status = 'quarantined'::text);

CREATE TRIGGER card_key_added AFTER INSERT ON public.card_key REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_keys_added();

CREATE TRIGGER card_key_bound BEFORE UPDATE OF unit_id ON public.card_key FOR EACH ROW WHEN (((old.unit_id IS NOT NULL) AND (new.unit_id IS DISTINCT FROM old.unit_id))) EXECUTE FUNCTION card_key_stays_bound();

CREATE TRIGGER card_key_left BEFORE UPDATE OF status ON public.card_key FOR EACH ROW WHEN (((old.status = 'quarantined'::text) AND (new.status = 'free'::text))) EXECUTE FUNCTION key_that_left_stays_back();

CREATE TRIGGER card_key_moved AFTER UPDATE OF status ON public.card_key FOR EACH ROW WHEN ((((old.status = 'free'::text) <> (new.status = 'free'::text)) OR ((old.status = 'delivered'::text) <> (new.status = 'delivered'::text)))) EXECUTE FUNCTION note_key_moved();

CREATE TRIGGER card_key_moved_aside AFTER UPDATE OF status ON public.card_key FOR EACH ROW WHEN (((old.status <> new.status) AND ((old.status = 'free'::text) = (new.status = 'free'::text)) AND ((old.status = 'delivered'::text) = (new.status = 'delivered'::text)))) EXECUTE FUNCTION note_key_moved();

CREATE TRIGGER card_key_withdrawn BEFORE UPDATE OF status ON public.card_key FOR EACH ROW WHEN (((new.status = ANY (ARRAY['free'::text, 'quarantined'::text])) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION withdrawn_key_is_void();

CREATE TRIGGER card_key_withdrawn_since BEFORE INSERT ON public.card_key FOR EACH ROW WHEN ((new.status = ANY (ARRAY['free'::text, 'quarantined'::text]))) EXECUTE FUNCTION withdrawn_key_is_void();

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.card_key FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"claimed delivered","claimed free","claimed quarantined","claimed void","delivered void","free claimed","free delivered","free quarantined","free void","quarantined free","quarantined void"}'::text[])))) EXECUTE FUNCTION refuse_move('key');

create table card_source (
  item uuid not null,
  source text not null,
  updated_at timestamp with time zone not null,
  constraint card_source_pkey PRIMARY KEY (item),
  constraint card_source_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint card_source_source_check CHECK ((source = ANY (ARRAY['stock'::text, 'order'::text, 'both'::text])))
);

create table cart_line (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  item uuid not null,
  quantity smallint not null,
  account_fields jsonb not null default '{}'::jsonb,
  fields_hash bytea not null,
  seen_minor minor_amount,
  shown_minor minor_amount,
  seen_currency currency_code,
  created_at timestamp with time zone not null,
  amount_minor numeric(38,0),
  constraint cart_line_pkey PRIMARY KEY (id),
  constraint cart_line_account_fields_check CHECK ((jsonb_typeof(account_fields) = 'object'::text)),
  constraint cart_line_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint cart_line_account_id_item_fields_hash_key UNIQUE (account_id, item, fields_hash),
  constraint cart_line_amount CHECK ((amount_minor > (0)::numeric)),
  constraint cart_line_check CHECK ((((seen_minor IS NULL) = (seen_currency IS NULL)) AND ((shown_minor IS NULL) = (seen_currency IS NULL)))),
  constraint cart_line_fields_hash_check CHECK ((length(fields_hash) = 32)),
  constraint cart_line_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint cart_line_public_id_key UNIQUE (public_id),
  constraint cart_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100))),
  constraint cart_line_seen_currency_fkey FOREIGN KEY (seen_currency) REFERENCES currency(code)
);

CREATE INDEX cart_line_newest ON public.cart_line USING btree (account_id, created_at DESC, id DESC);

create table category (
  id integer not null,
  code code not null,
  parent_id integer,
  name text not null,
  icon text not null default ''::text,
  path text not null,
  picture text,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  constraint category_pkey PRIMARY KEY (id),
  constraint category_check CHECK ((parent_id <> id)),
  constraint category_code_key UNIQUE (code),
  constraint category_id_check CHECK ((id > 0)),
  constraint category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES category(id),
  constraint category_path_check CHECK ((path ~~ '/%'::text)),
  constraint category_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code)
);

CREATE TRIGGER category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table code_redirect (
  kind text not null,
  old_code text not null,
  new_code text not null,
  constraint code_redirect_pkey PRIMARY KEY (kind, old_code),
  constraint code_redirect_check CHECK ((new_code <> old_code)),
  constraint code_redirect_kind_check CHECK ((kind = ANY (ARRAY['brand'::text, 'product'::text, 'game'::text, 'category'::text, 'item'::text])))
);

CREATE TRIGGER code_redirect_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.code_redirect FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table country (
  code text not null,
  alpha3 text not null,
  numeric_code text not null,
  name text not null,
  continent text not null,
  dial_code text,
  currency currency_code not null,
  store_currency currency_code not null,
  language language_code not null,
  is_on_sale boolean not null,
  phone jsonb,
  position integer not null,
  constraint country_pkey PRIMARY KEY (code),
  constraint country_alpha3_check CHECK ((alpha3 ~ '^[A-Z]{3}$'::text)),
  constraint country_code_check CHECK ((code ~ '^[A-Z]{2}$'::text)),
  constraint country_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint country_numeric_code_check CHECK ((numeric_code ~ '^[0-9]{3}$'::text)),
  constraint country_store_currency_fkey FOREIGN KEY (store_currency) REFERENCES currency(code)
);

CREATE TRIGGER country_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.country FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table currency (
  code currency_code not null,
  numeric_code text not null,
  name text not null,
  symbol text not null,
  minor_units smallint not null,
  rounding_increment minor_amount not null default 1,
  rounding_mode text not null default 'half_up'::text,
  margin_basis_points integer not null default 0,
  is_checkout boolean not null default false,
  position integer not null,
  locked_fields text[] not null default '{}'::text[],
  constraint currency_pkey PRIMARY KEY (code),
  constraint currency_margin_basis_points_check CHECK (((margin_basis_points >= 0) AND (margin_basis_points <= 5000))),
  constraint currency_minor_units_check CHECK (((minor_units >= 0) AND (minor_units <= 4))),
  constraint currency_numeric_code_check CHECK ((numeric_code ~ '^[0-9]{3}$'::text)),
  constraint currency_rounding_increment_check CHECK (((rounding_increment)::numeric > (0)::numeric)),
  constraint currency_rounding_mode_check CHECK ((rounding_mode = ANY (ARRAY['half_up'::text, 'up'::text])))
);

CREATE TRIGGER currency_added AFTER INSERT ON public.currency FOR EACH ROW EXECUTE FUNCTION note_currency();

CREATE TRIGGER currency_changed AFTER UPDATE ON public.currency FOR EACH ROW WHEN (((((old.minor_units IS DISTINCT FROM new.minor_units) OR ((old.rounding_increment)::numeric IS DISTINCT FROM (new.rounding_increment)::numeric)) OR (old.rounding_mode IS DISTINCT FROM new.rounding_mode)) OR (old.margin_basis_points IS DISTINCT FROM new.margin_basis_points))) EXECUTE FUNCTION note_currency();

CREATE TRIGGER currency_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.currency FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table currency_rate (
  currency currency_code not null,
  observed_at timestamp with time zone not null,
  per_usd numeric(30,12) not null,
  source text not null,
  published_at timestamp with time zone,
  quote_id uuid,
  spread_basis_points integer not null default 0,
  recorded_at timestamp with time zone default now(),
  constraint currency_rate_pkey PRIMARY KEY (currency, observed_at),
  constraint currency_rate_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint currency_rate_per_usd_check CHECK ((per_usd > (0)::numeric)),
  constraint currency_rate_quote CHECK (((quote_id IS NULL) OR (published_at IS NOT NULL))),
  constraint currency_rate_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES rate_quote(id),
  constraint currency_rate_spread_basis_points_check CHECK (((spread_basis_points >= 0) AND (spread_basis_points <= 5000)))
);

CREATE INDEX currency_rate_folder ON public.currency_rate USING btree (currency, observed_at DESC) WHERE (published_at IS NULL);

CREATE INDEX currency_rate_of_quote ON public.currency_rate USING btree (quote_id) WHERE (quote_id IS NOT NULL);

CREATE TRIGGER currency_rate_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.currency_rate FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table delivery_check (
  order_id uuid not null,
  subject bytea not null,
  verdict text not null,
  reasons text[] not null default '{}'::text[],
  checked_at timestamp with time zone not null,
  decision text,
  decided_by text,
  decided_at timestamp with time zone,
  note text,
  constraint delivery_check_pkey PRIMARY KEY (order_id),
  constraint delivery_check_check CHECK ((((decision IS NULL) = (decided_by IS NULL)) AND ((decision IS NULL) = (decided_at IS NULL)))),
  constraint delivery_check_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint delivery_check_decision_check CHECK ((decision = ANY (ARRAY['released'::text, 'refused'::text]))),
  constraint delivery_check_note_check CHECK (((length(note) >= 1) AND (length(note) <= 300))),
  constraint delivery_check_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint delivery_check_subject_check CHECK ((length(subject) = 32)),
  constraint delivery_check_verdict_check CHECK ((verdict = ANY (ARRAY['pass'::text, 'hold'::text, 'refuse'::text])))
);

CREATE INDEX delivery_check_refused ON public.delivery_check USING btree (order_id) WHERE ((verdict = 'refuse'::text) OR (decision = 'refused'::text));

create table delivery_pace (
  product text not null,
  supplier code,
  deliveries integer not null,
  p50_seconds integer not null,
  p95_seconds integer not null,
  now_seconds integer,
  constraint delivery_pace_check CHECK ((p95_seconds >= p50_seconds)),
  constraint delivery_pace_check1 CHECK ((now_seconds > p50_seconds)),
  constraint delivery_pace_deliveries_check CHECK ((deliveries > 0)),
  constraint delivery_pace_p50_seconds_check CHECK ((p50_seconds > 0)),
  constraint delivery_pace_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint delivery_pace_product_supplier_key UNIQUE NULLS NOT DISTINCT (product, supplier),
  constraint delivery_pace_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

CREATE TRIGGER delivery_pace_gone AFTER DELETE ON public.delivery_pace FOR EACH ROW WHEN ((old.supplier IS NULL)) EXECUTE FUNCTION notify_catalogue_changed();

CREATE TRIGGER delivery_pace_notify AFTER INSERT OR UPDATE ON public.delivery_pace FOR EACH ROW WHEN ((new.supplier IS NULL)) EXECUTE FUNCTION notify_catalogue_changed();

create table delivery_time (
  brand text not null,
  deliveries integer not null,
  p50_seconds integer not null,
  p95_seconds integer not null,
  constraint delivery_time_pkey PRIMARY KEY (brand),
  constraint delivery_time_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint delivery_time_check CHECK ((p95_seconds >= p50_seconds)),
  constraint delivery_time_deliveries_check CHECK ((deliveries > 0)),
  constraint delivery_time_p50_seconds_check CHECK ((p50_seconds >= 0))
);

CREATE TRIGGER delivery_time_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.delivery_time FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table delivery_use (
  order_id uuid not null,
  kind text not null,
  subject bytea not null,
  units integer not null,
  usd_minor minor_amount not null,
  at timestamp with time zone not null,
  constraint delivery_use_pkey PRIMARY KEY (order_id, kind, subject),
  constraint delivery_use_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'player'::text, 'shopper'::text]))),
  constraint delivery_use_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint delivery_use_subject_check CHECK ((length(subject) = 32)),
  constraint delivery_use_units_check CHECK ((units > 0))
);

CREATE INDEX delivery_use_at ON public.delivery_use USING btree (at);

CREATE INDEX delivery_use_subject ON public.delivery_use USING btree (kind, subject, at);

create table dispute_evidence (
  id uuid not null,
  case_id uuid not null,
  provider text not null,
  state text not null,
  reference text,
  failure text,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint dispute_evidence_pkey PRIMARY KEY (id),
  constraint dispute_evidence_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint dispute_evidence_case_id_fkey FOREIGN KEY (case_id) REFERENCES service_case(id),
  constraint dispute_evidence_check CHECK (((state = 'sending'::text) = (ended_at IS NULL))),
  constraint dispute_evidence_check1 CHECK (((state = 'sent'::text) = (reference IS NOT NULL))),
  constraint dispute_evidence_check2 CHECK (((state = 'refused'::text) = (failure IS NOT NULL))),
  constraint dispute_evidence_failure_check CHECK (((length(failure) >= 1) AND (length(failure) <= 200))),
  constraint dispute_evidence_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 100))),
  constraint dispute_evidence_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 255))),
  constraint dispute_evidence_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'sent'::text, 'refused'::text])))
);

CREATE INDEX dispute_evidence_case ON public.dispute_evidence USING btree (case_id);

CREATE UNIQUE INDEX dispute_evidence_once ON public.dispute_evidence USING btree (case_id) WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text]));

create table expansion (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint expansion_pkey PRIMARY KEY (name)
);

create table export_part (
  export_id uuid not null,
  part integer not null,
  content text,
  bytes bytea,
  constraint export_part_pkey PRIMARY KEY (export_id, part),
  constraint export_part_check CHECK ((num_nonnulls(content, bytes) = 1)),
  constraint export_part_export_id_fkey FOREIGN KEY (export_id) REFERENCES export_run(id) ON DELETE CASCADE
);

create table export_run (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  from_day date not null,
  until_day date not null,
  state text not null default 'waiting'::text,
  rows integer not null default 0,
  parts integer not null default 0,
  reached uuid,
  failure text,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  format text not null default 'csv'::text,
  is_too_long boolean not null default false,
  sheet_crc bigint not null default 0,
  sheet_bytes bigint not null default 0,
  packed_bytes bigint not null default 0,
  constraint export_run_pkey PRIMARY KEY (id),
  constraint export_run_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint export_run_check CHECK ((until_day >= from_day)),
  constraint export_run_failure_check CHECK ((length(failure) <= 500)),
  constraint export_run_finished CHECK ((((finished_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text]))) OR ((format = 'xlsx'::text) AND (state = ANY (ARRAY['waiting'::text, 'running'::text]))))),
  constraint export_run_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text]))),
  constraint export_run_kind_check CHECK ((kind = ANY (ARRAY['orders'::text, 'units'::text, 'movements'::text, 'vat'::text, 'vat_days'::text]))),
  constraint export_run_parts_check CHECK ((parts >= 0)),
  constraint export_run_public_id_key UNIQUE (public_id),
  constraint export_run_rows_check CHECK ((rows >= 0)),
  constraint export_run_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE INDEX export_run_open ON public.export_run USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX export_run_unmade ON public.export_run USING btree (id) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

create table favourite (
  account_id uuid not null,
  product code not null,
  discount smallint not null default 0,
  created_at timestamp with time zone not null,
  constraint favourite_pkey PRIMARY KEY (account_id, product),
  constraint favourite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint favourite_discount_check CHECK (((discount >= 0) AND (discount <= 100))),
  constraint favourite_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE
);

CREATE INDEX favourite_newest ON public.favourite USING btree (account_id, created_at DESC);

create table figure (
  span text not null,
  dimension text not null,
  begins timestamp with time zone not null,
  value text not null,
  begun integer not null default 0,
  begun_paid integer not null default 0,
  paid integer not null default 0,
  units integer not null default 0,
  sales_usd bigint not null default 0,
  fees_usd bigint not null default 0,
  delivered integer not null default 0,
  costed integer not null default 0,
  costed_usd bigint not null default 0,
  cost_usd bigint not null default 0,
  refunds integer not null default 0,
  refunded_usd bigint not null default 0,
  sales_minor numeric(38,0) not null default 0,
  fees_minor numeric(38,0) not null default 0,
  refunded_minor numeric(38,0) not null default 0,
  times integer[],
  borne_usd bigint not null default 0,
  constraint figure_pkey PRIMARY KEY (span, dimension, begins, value),
  constraint figure_begun_check CHECK ((begun >= 0)),
  constraint figure_check CHECK (((begun_paid >= 0) AND (begun_paid <= begun))),
  constraint figure_check1 CHECK (((costed >= 0) AND (costed <= delivered))),
  constraint figure_check2 CHECK (((dimension ~~ 'currency%'::text) OR ((sales_minor = (0)::numeric) AND (fees_minor = (0)::numeric) AND (refunded_minor = (0)::numeric)))),
  constraint figure_delivered_check CHECK ((delivered >= 0)),
  constraint figure_dimension_check CHECK ((dimension = ANY (ARRAY['all'::text, 'currency'::text, 'method'::text, 'country'::text, 'brand'::text, 'supplier'::text, 'currency_method'::text, 'currency_country'::text, 'currency_brand'::text, 'currency_supplier'::text]))),
  constraint figure_paid_check CHECK ((paid >= 0)),
  constraint figure_refunds_check CHECK ((refunds >= 0)),
  constraint figure_span_check CHECK ((span = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text]))),
  constraint figure_units_check CHECK ((units >= 0)),
  constraint figure_value_check CHECK ((length(value) <= 100))
);

create table figure_due (
  begins timestamp with time zone not null,
  constraint figure_due_pkey PRIMARY KEY (begins)
);

create table figure_progress (
  is_only boolean not null default true,
  time_zone text not null,
  reached timestamp with time zone not null,
  hours_from timestamp with time zone not null,
  edition integer not null default 1,
  constraint figure_progress_pkey PRIMARY KEY (is_only),
  constraint figure_progress_edition_check CHECK ((edition > 0)),
  constraint figure_progress_is_only_check CHECK (is_only),
  constraint figure_progress_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 100)))
);

create table function_edition (
  only_one boolean not null default true,
  number integer not null,
  hash text not null,
  replaced_at timestamp with time zone not null default now(),
  constraint function_edition_pkey PRIMARY KEY (only_one),
  constraint function_edition_only_one_check CHECK (only_one)
);

create table game (
  code code not null,
  name text not null,
  publisher text not null,
  aliases text[] not null default '{}'::text[],
  platforms text[] not null default '{}'::text[],
  category_id integer,
  released_year smallint,
  picture text,
  popularity integer not null default 0,
  is_hot boolean not null default false,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  constraint game_pkey PRIMARY KEY (code),
  constraint game_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id),
  constraint game_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint game_released_year_check CHECK (((released_year >= 1970) AND (released_year <= 2100)))
);

CREATE TRIGGER game_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.game FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table goods_change (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  note text not null default ''::text,
  row_count integer not null,
  undone_by uuid,
  constraint goods_change_pkey PRIMARY KEY (id),
  constraint goods_change_kind_check CHECK ((kind = ANY (ARRAY['inline'::text, 'bulk'::text, 'editor'::text, 'undo'::text, 'import'::text]))),
  constraint goods_change_made_by_check CHECK (((length(made_by) >= 1) AND (length(made_by) <= 100))),
  constraint goods_change_note_check CHECK ((length(note) <= 500)),
  constraint goods_change_public_id_key UNIQUE (public_id),
  constraint goods_change_row_count_check CHECK ((row_count > 0)),
  constraint goods_change_undone_by_fkey FOREIGN KEY (undone_by) REFERENCES goods_change(id),
  constraint goods_change_undone_by_key UNIQUE (undone_by)
);

CREATE INDEX goods_change_latest ON public.goods_change USING btree (made_at DESC, id DESC);

create table goods_change_row (
  change_id uuid not null,
  subject text not null,
  code text not null,
  field text not null,
  before jsonb not null,
  after jsonb not null,
  has_locked boolean not null default false,
  constraint goods_change_row_pkey PRIMARY KEY (change_id, subject, code, field),
  constraint goods_change_row_change_id_fkey FOREIGN KEY (change_id) REFERENCES goods_change(id),
  constraint goods_change_row_check CHECK ((before <> after)),
  constraint goods_change_row_code_check CHECK (((length(code) >= 1) AND (length(code) <= 160))),
  constraint goods_change_row_field_check CHECK (((length(field) >= 1) AND (length(field) <= 100))),
  constraint goods_change_row_subject_check CHECK ((subject = ANY (ARRAY['brand'::text, 'product'::text, 'item'::text, 'game'::text, 'category'::text, 'region'::text, 'platform'::text])))
);

CREATE INDEX goods_change_row_history ON public.goods_change_row USING btree (subject, code, change_id DESC);

CREATE INDEX goods_change_row_picture ON public.goods_change_row USING btree (change_id) WHERE (field = 'picture'::text);

create table goods_file (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  state text not null,
  file_name text not null,
  mark text,
  is_on_sale boolean not null default false,
  operator_id uuid not null,
  bytes bigint not null default 0,
  pieces integer not null default 0,
  step integer not null default 0,
  steps integer not null default 0,
  report jsonb not null default '{}'::jsonb,
  hash text,
  failure text,
  asked_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  token text,
  has_costs boolean not null default true,
  worker uuid,
  constraint goods_file_pkey PRIMARY KEY (id),
  constraint goods_file_bytes_check CHECK (((bytes >= 0) AND (bytes <= 1073741824))),
  constraint goods_file_ends CHECK (((finished_at IS NOT NULL) = (state = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text])))),
  constraint goods_file_fails CHECK (((failure IS NOT NULL) = (state = 'failed'::text))),
  constraint goods_file_failure_check CHECK (((length(failure) >= 1) AND (length(failure) <= 60))),
  constraint goods_file_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 200))),
  constraint goods_file_hash_check CHECK ((hash ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint goods_file_is_seen CHECK (((state <> ALL (ARRAY['checked'::text, 'taking'::text])) OR (kind <> ALL (ARRAY['csv_in'::text, 'folder_in'::text])) OR (hash IS NOT NULL))),
  constraint goods_file_kind_check CHECK ((kind = ANY (ARRAY['csv_in'::text, 'folder_in'::text, 'csv_out'::text, 'folder_out'::text]))),
  constraint goods_file_mark_check CHECK ((mark = ANY (ARRAY['.'::text, ','::text]))),
  constraint goods_file_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint goods_file_pieces_check CHECK (((pieces >= 0) AND (pieces <= 100000))),
  constraint goods_file_public_id_key UNIQUE (public_id),
  constraint goods_file_report_check CHECK (((jsonb_typeof(report) = 'object'::text) AND (pg_column_size(report) <= 262144))),
  constraint goods_file_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'waiting'::text, 'checking'::text, 'checked'::text, 'taking'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint goods_file_step_check CHECK ((step >= 0)),
  constraint goods_file_steps_check CHECK ((steps >= 0)),
  constraint goods_file_token_check CHECK (((length(token) >= 1) AND (length(token) <= 40)))
);

CREATE INDEX goods_file_open ON public.goods_file USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX goods_file_own ON public.goods_file USING btree (operator_id, id DESC);

create table goods_file_fault (
  file_id uuid not null,
  no integer not null,
  line integer,
  place text not null,
  shown text not null,
  reason text,
  why text,
  constraint goods_file_fault_pkey PRIMARY KEY (file_id, no),
  constraint goods_file_fault_file_id_fkey FOREIGN KEY (file_id) REFERENCES goods_file(id) ON DELETE CASCADE,
  constraint goods_file_fault_line_check CHECK ((line > 0)),
  constraint goods_file_fault_no_check CHECK (((no >= 0) AND (no <= 999))),
  constraint goods_file_fault_place_check CHECK ((length(place) <= 300)),
  constraint goods_file_fault_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 60))),
  constraint goods_file_fault_shown_check CHECK ((length(shown) <= 100)),
  constraint goods_file_fault_why_check CHECK (((length(why) >= 1) AND (length(why) <= 500)))
);

create table goods_file_piece (
  file_id uuid not null,
  no integer not null,
  content bytea not null,
  constraint goods_file_piece_pkey PRIMARY KEY (file_id, no),
  constraint goods_file_piece_content_check CHECK (((length(content) >= 1) AND (length(content) <= 8388608))),
  constraint goods_file_piece_file_id_fkey FOREIGN KEY (file_id) REFERENCES goods_file(id) ON DELETE CASCADE,
  constraint goods_file_piece_no_check CHECK ((no >= 0))
);

create table guide_step (
  step text not null,
  choice text not null,
  chosen_at timestamp with time zone not null,
  constraint guide_step_pkey PRIMARY KEY (step),
  constraint guide_step_choice_check CHECK ((choice = ANY (ARRAY['skipped'::text, 'done'::text, 'left'::text, 'dismissed'::text]))),
  constraint guide_step_looked CHECK (((choice <> 'done'::text) OR (step = 'look'::text))),
  constraint guide_step_of_all CHECK (((step = 'guide'::text) = (choice = ANY (ARRAY['left'::text, 'dismissed'::text])))),
  constraint guide_step_step_check CHECK ((step = ANY (ARRAY['owner'::text, 'identity'::text, 'places'::text, 'goods'::text, 'keys'::text, 'pay'::text, 'mail'::text, 'look'::text, 'guide'::text])))
);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  call text not null,
  request_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200))),
  constraint idempotency_key_request_hash_check CHECK ((length(request_hash) = 32))
);

CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

create table item (
  id uuid not null,
  code text not null,
  product text not null,
  kind text not null,
  name text not null,
  units bigint,
  bonus bigint,
  days integer,
  data_mb integer,
  face_minor minor_amount,
  price_minor minor_amount not null,
  price_currency currency_code not null,
  market_minor minor_amount,
  cost_minor minor_amount,
  cost_currency currency_code,
  stock integer,
  sold bigint not null default 0,
  buyer_countries text[],
  blocked_countries text[] not null default '{}'::text[],
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  source_reference text,
  locked_fields text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null,
  own_prices jsonb not null default '{}'::jsonb,
  face_min_minor minor_amount,
  face_max_minor minor_amount,
  face_step_minor minor_amount,
  constraint item_pkey PRIMARY KEY (id),
  constraint item_bonus_check CHECK ((bonus >= 0)),
  constraint item_check CHECK (((cost_minor IS NULL) = (cost_currency IS NULL))),
  constraint item_check1 CHECK (((market_minor IS NULL) OR ((market_minor)::numeric >= (price_minor)::numeric))),
  constraint item_code_check CHECK (((code ~ '^[a-z]+(:[a-z0-9_.-]+){2,3}$'::text) AND (length(code) <= 160))),
  constraint item_code_key UNIQUE (code),
  constraint item_cost_currency_fkey FOREIGN KEY (cost_currency) REFERENCES currency(code),
  constraint item_data_mb_check CHECK ((data_mb > 0)),
  constraint item_days_check CHECK ((days > 0)),
  constraint item_free_amount CHECK ((((face_min_minor IS NULL) AND (face_max_minor IS NULL) AND (face_step_minor IS NULL)) OR ((kind = 'airtime'::text) AND (face_minor IS NOT NULL) AND ((face_minor)::numeric > (0)::numeric) AND (face_min_minor IS NOT NULL) AND (face_max_minor IS NOT NULL) AND (face_step_minor IS NOT NULL) AND ((face_min_minor)::numeric > (0)::numeric) AND ((face_step_minor)::numeric > (0)::numeric) AND ((face_max_minor)::numeric > (face_min_minor)::numeric) AND ((((face_max_minor)::numeric - (face_min_minor)::numeric) % (face_step_minor)::numeric) = (0)::numeric)))),
  constraint item_kind_check CHECK ((kind = ANY (ARRAY['pack'::text, 'pass'::text, 'membership'::text, 'bundle'::text, 'value'::text, 'plan'::text, 'edition'::text, 'airtime'::text, 'data'::text]))),
  constraint item_own_prices_check CHECK ((jsonb_typeof(own_prices) = 'object'::text)),
  constraint item_price_currency_fkey FOREIGN KEY (price_currency) REFERENCES currency(code),
  constraint item_price_minor_check CHECK (((price_minor)::numeric > (0)::numeric)),
  constraint item_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE,
  constraint item_sold_check CHECK ((sold >= 0)),
  constraint item_stock_check CHECK ((stock >= 0)),
  constraint item_units_check CHECK ((units > 0))
);

CREATE INDEX item_changed ON public.item USING btree (updated_at DESC);

CREATE INDEX item_locked ON public.item USING btree (product, "position") WHERE (locked_fields <> '{}'::text[]);

CREATE INDEX item_product ON public.item USING btree (product, "position");

CREATE INDEX item_suspended ON public.item USING btree (product, "position") WHERE ((status)::text = 'suspended'::text);

CREATE INDEX item_words ON public.item USING gin (to_tsvector('simple'::regconfig, ((translate(code, ':_.-'::text, '    '::text) || ' '::text) || name)));

CREATE TRIGGER item_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.item FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

CREATE TRIGGER item_price_added AFTER INSERT ON public.item REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_item_price();

CREATE TRIGGER item_price_changed AFTER UPDATE ON public.item REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_item_price_change();

create table item_level_price (
  item uuid not null,
  level smallint not null,
  price_minor minor_amount not null,
  price_currency currency_code not null,
  constraint item_level_price_pkey PRIMARY KEY (item, level),
  constraint item_level_price_item_fkey FOREIGN KEY (item) REFERENCES item(id) ON DELETE CASCADE,
  constraint item_level_price_level_check CHECK ((level > 0)),
  constraint item_level_price_price_currency_fkey FOREIGN KEY (price_currency) REFERENCES currency(code),
  constraint item_level_price_price_minor_check CHECK (((price_minor)::numeric > (0)::numeric))
);

CREATE TRIGGER item_level_price_noted AFTER INSERT OR DELETE OR UPDATE ON public.item_level_price FOR EACH ROW EXECUTE FUNCTION note_level_price();

CREATE TRIGGER item_level_price_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.item_level_price FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table item_route (
  item uuid not null,
  rule text[],
  loss_basis_points integer,
  updated_at timestamp with time zone not null,
  constraint item_route_pkey PRIMARY KEY (item),
  constraint item_route_check CHECK (((rule IS NOT NULL) OR (loss_basis_points IS NOT NULL))),
  constraint item_route_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint item_route_loss_basis_points_check CHECK (((loss_basis_points >= 0) AND (loss_basis_points <= 10000))),
  constraint item_route_rule_check CHECK (((rule <@ ARRAY['priority'::text, 'cost'::text, 'health'::text, 'time'::text, 'balance'::text]) AND ((cardinality(rule) >= 1) AND (cardinality(rule) <= 5))))
);

create table key_access (
  id uuid not null,
  key_id uuid not null,
  actor text not null,
  purpose text not null,
  network text not null default ''::text,
  request_id text not null,
  at timestamp with time zone not null,
  constraint key_access_pkey PRIMARY KEY (id),
  constraint key_access_key_id_fkey FOREIGN KEY (key_id) REFERENCES card_key(id),
  constraint key_access_network_check CHECK ((length(network) <= 60)),
  constraint key_access_purpose_check CHECK ((purpose = ANY (ARRAY['reveal'::text, 'export'::text, 'picture'::text, 'check'::text])))
);

CREATE INDEX key_access_key ON public.key_access USING btree (key_id, at);

CREATE TRIGGER key_access_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.key_access FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table key_batch (
  id uuid not null,
  item uuid not null,
  file_name text not null,
  imported integer not null,
  duplicates integer not null,
  refused integer not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  withdrawn_at timestamp with time zone,
  withdrawn_by text,
  supplier text,
  cost_minor numeric(38,0),
  cost_currency text,
  constraint key_batch_pkey PRIMARY KEY (id),
  constraint key_batch_cost CHECK ((((cost_minor IS NULL) = (cost_currency IS NULL)) AND (cost_minor >= (0)::numeric))),
  constraint key_batch_cost_currency_fkey FOREIGN KEY (cost_currency) REFERENCES currency(code),
  constraint key_batch_duplicates_check CHECK ((duplicates >= 0)),
  constraint key_batch_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 200))),
  constraint key_batch_imported_check CHECK ((imported >= 0)),
  constraint key_batch_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint key_batch_refused_check CHECK ((refused >= 0)),
  constraint key_batch_supplier_check CHECK (((length(supplier) >= 1) AND (length(supplier) <= 100))),
  constraint key_batch_withdrawn CHECK (((withdrawn_at IS NULL) = (withdrawn_by IS NULL))),
  constraint key_batch_withdrawn_by_check CHECK (((length(withdrawn_by) >= 1) AND (length(withdrawn_by) <= 100)))
);

CREATE INDEX key_batch_item ON public.key_batch USING btree (item, created_at DESC, id DESC);

create table key_batch_level (
  batch_id uuid not null,
  item uuid not null,
  free integer not null,
  claimed integer not null,
  delivered integer not null,
  quarantined integer not null,
  void integer not null,
  updated_at timestamp with time zone not null,
  constraint key_batch_level_pkey PRIMARY KEY (batch_id),
  constraint key_batch_level_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES key_batch(id),
  constraint key_batch_level_item_fkey FOREIGN KEY (item) REFERENCES item(id)
);

CREATE INDEX key_batch_level_item ON public.key_batch_level USING btree (item) WHERE ((free <> 0) OR (claimed <> 0) OR (quarantined <> 0));

create table key_encryption_key (
  id integer not null,
  check_value bytea not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  active_at timestamp with time zone,
  constraint key_encryption_key_pkey PRIMARY KEY (id),
  constraint key_encryption_key_check_value_check CHECK ((length(check_value) = 32)),
  constraint key_encryption_key_id_check CHECK ((id > 0))
);

create table key_export (
  id uuid not null,
  public_id public_id not null,
  batch_id uuid not null,
  item uuid not null,
  reason text not null,
  asked integer not null,
  state text not null,
  keys integer not null default 0,
  pieces integer not null default 0,
  reached uuid,
  wrapped_key bytea,
  kek_id integer,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  approved_by text,
  request_id text not null,
  ready_at timestamp with time zone,
  changed_at timestamp with time zone not null,
  constraint key_export_pkey PRIMARY KEY (id),
  constraint key_export_approved_by_check CHECK (((length(approved_by) >= 1) AND (length(approved_by) <= 100))),
  constraint key_export_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint key_export_asked_check CHECK ((asked >= 1)),
  constraint key_export_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES key_batch(id),
  constraint key_export_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint key_export_kek_id_fkey FOREIGN KEY (kek_id) REFERENCES key_encryption_key(id),
  constraint key_export_key CHECK (((wrapped_key IS NULL) = (kek_id IS NULL))),
  constraint key_export_keys_check CHECK ((keys >= 0)),
  constraint key_export_pieces_check CHECK ((pieces >= 0)),
  constraint key_export_public_id_key UNIQUE (public_id),
  constraint key_export_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300))),
  constraint key_export_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'making'::text, 'ready'::text, 'taken'::text, 'refused'::text, 'failed'::text, 'ended'::text]))),
  constraint key_export_two_people CHECK ((approved_by <> asked_by))
);

CREATE INDEX key_export_batch ON public.key_export USING btree (batch_id, asked_at DESC, id DESC);

CREATE INDEX key_export_changed ON public.key_export USING btree (changed_at);

CREATE INDEX key_export_open ON public.key_export USING btree (id) WHERE (state = 'making'::text);

create table key_export_piece (
  export_id uuid not null,
  no integer not null,
  nonce bytea not null,
  ciphertext bytea not null,
  constraint key_export_piece_pkey PRIMARY KEY (export_id, no),
  constraint key_export_piece_export_id_fkey FOREIGN KEY (export_id) REFERENCES key_export(id) ON DELETE CASCADE,
  constraint key_export_piece_no_check CHECK ((no >= 0)),
  constraint key_export_piece_nonce_check CHECK ((length(nonce) = 12))
);

create table key_import (
  id uuid not null,
  item uuid not null,
  status text not null,
  file_name text not null,
  supplier text,
  cost_minor minor_amount,
  cost_currency currency_code,
  expires_on date,
  wrapped_key bytea,
  kek_id integer,
  bytes bigint not null default 0,
  lines integer not null default 0,
  chunks integer not null default 0,
  checked_chunks integer not null default 0,
  checked_lines integer not null default 0,
  fresh integer not null default 0,
  known integer not null default 0,
  doubled integer not null default 0,
  malformed integer not null default 0,
  expired integer not null default 0,
  taken_chunks integer not null default 0,
  taken_lines integer not null default 0,
  taken integer not null default 0,
  skipped integer not null default 0,
  batch_id uuid,
  usd_minor minor_amount,
  taken_by text,
  taken_at timestamp with time zone,
  approved_by text,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  request_id text not null,
  constraint key_import_pkey PRIMARY KEY (id),
  constraint key_import_approved_by_check CHECK (((length(approved_by) >= 1) AND (length(approved_by) <= 100))),
  constraint key_import_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES key_batch(id),
  constraint key_import_cost CHECK (((cost_minor IS NULL) = (cost_currency IS NULL))),
  constraint key_import_cost_currency_fkey FOREIGN KEY (cost_currency) REFERENCES currency(code),
  constraint key_import_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint key_import_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 200))),
  constraint key_import_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint key_import_kek_id_fkey FOREIGN KEY (kek_id) REFERENCES key_encryption_key(id),
  constraint key_import_key CHECK (((wrapped_key IS NULL) = (kek_id IS NULL))),
  constraint key_import_status_check CHECK ((status = ANY (ARRAY['uploading'::text, 'checking'::text, 'checked'::text, 'waiting'::text, 'taking'::text, 'done'::text, 'cancelled'::text, 'failed'::text]))),
  constraint key_import_supplier_check CHECK (((length(supplier) >= 1) AND (length(supplier) <= 100))),
  constraint key_import_taken CHECK (((taken_by IS NULL) = (taken_at IS NULL))),
  constraint key_import_taken_by_check CHECK (((length(taken_by) >= 1) AND (length(taken_by) <= 100))),
  constraint key_import_wrapped_key_check CHECK ((length(wrapped_key) = 60))
);

CREATE INDEX key_import_item ON public.key_import USING btree (item, created_at DESC, id DESC);

CREATE INDEX key_import_open ON public.key_import USING btree (status, updated_at) WHERE (status = ANY (ARRAY['uploading'::text, 'checking'::text, 'checked'::text, 'waiting'::text, 'taking'::text]));

CREATE INDEX key_import_recent ON public.key_import USING btree (created_at DESC, id DESC);

CREATE INDEX key_import_taken_by ON public.key_import USING btree (taken_by, taken_at);

create table key_import_chunk (
  import_id uuid not null,
  no integer not null,
  first_line integer not null,
  lines integer not null,
  nonce bytea not null,
  ciphertext bytea not null,
  constraint key_import_chunk_pkey PRIMARY KEY (import_id, no),
  constraint key_import_chunk_first_line_check CHECK ((first_line >= 1)),
  constraint key_import_chunk_import_id_fkey FOREIGN KEY (import_id) REFERENCES key_import(id) ON DELETE CASCADE,
  constraint key_import_chunk_lines_check CHECK ((lines >= 1)),
  constraint key_import_chunk_no_check CHECK ((no >= 0)),
  constraint key_import_chunk_nonce_check CHECK ((length(nonce) = 12))
);

create table key_import_fault (
  import_id uuid not null,
  line integer not null,
  fault text not null,
  part text,
  same_as integer,
  constraint key_import_fault_pkey PRIMARY KEY (import_id, line),
  constraint key_import_fault_fault_check CHECK ((fault = ANY (ARRAY['columns'::text, 'part'::text, 'date'::text, 'expired'::text, 'too_long'::text, 'known'::text, 'doubled'::text]))),
  constraint key_import_fault_import_id_fkey FOREIGN KEY (import_id) REFERENCES key_import(id) ON DELETE CASCADE,
  constraint key_import_fault_line_check CHECK ((line >= 1)),
  constraint key_import_fault_part_check CHECK ((length(part) <= 100)),
  constraint key_import_fault_same_as_check CHECK ((same_as >= 1))
);

create table key_replacement (
  old_key_id uuid not null,
  new_key_id uuid not null,
  unit_id uuid not null,
  reason text not null,
  replaced_by text not null,
  replaced_at timestamp with time zone not null,
  constraint key_replacement_pkey PRIMARY KEY (old_key_id),
  constraint key_replacement_check CHECK ((new_key_id <> old_key_id)),
  constraint key_replacement_new_key_id_fkey FOREIGN KEY (new_key_id) REFERENCES card_key(id),
  constraint key_replacement_new_key_id_key UNIQUE (new_key_id),
  constraint key_replacement_old_key_id_fkey FOREIGN KEY (old_key_id) REFERENCES card_key(id),
  constraint key_replacement_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint key_replacement_replaced_by_check CHECK (((length(replaced_by) >= 1) AND (length(replaced_by) <= 100))),
  constraint key_replacement_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id)
);

CREATE INDEX key_replacement_unit ON public.key_replacement USING btree (unit_id);

create table key_sale_day (
  item uuid not null,
  day date not null,
  sold integer not null,
  constraint key_sale_day_pkey PRIMARY KEY (item, day),
  constraint key_sale_day_item_fkey FOREIGN KEY (item) REFERENCES item(id)
);

CREATE INDEX key_sale_day_day ON public.key_sale_day USING btree (day);

create table key_shelf (
  item uuid not null,
  low_days smallint,
  version integer not null default 0,
  free integer not null,
  quarantined integer not null,
  expiring integer not null,
  sold integer not null,
  cover_hours integer not null,
  is_low boolean not null,
  updated_at timestamp with time zone not null,
  constraint key_shelf_pkey PRIMARY KEY (item),
  constraint key_shelf_cover_hours_check CHECK (((cover_hours >= 0) AND (cover_hours <= 8760000))),
  constraint key_shelf_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint key_shelf_low_days_check CHECK (((low_days >= 0) AND (low_days <= 365)))
);

CREATE INDEX key_shelf_cover ON public.key_shelf USING btree (cover_hours, item);

CREATE INDEX key_shelf_expiring ON public.key_shelf USING btree (cover_hours, item) WHERE (expiring > 0);

CREATE INDEX key_shelf_low ON public.key_shelf USING btree (cover_hours, item) WHERE is_low;

CREATE INDEX key_shelf_quarantined ON public.key_shelf USING btree (cover_hours, item) WHERE (quarantined > 0);

create table known_device (
  account_id uuid not null,
  fingerprint bytea not null,
  seen_at timestamp with time zone not null,
  constraint known_device_pkey PRIMARY KEY (account_id, fingerprint),
  constraint known_device_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint known_device_fingerprint_check CHECK ((length(fingerprint) = 32))
);

CREATE INDEX known_device_age ON public.known_device USING btree (seen_at);

create table ledger_account (
  id integer not null,
  code text not null,
  currency currency_code not null,
  balance_minor numeric(38,0),
  constraint ledger_account_pkey PRIMARY KEY (id),
  constraint ledger_account_balance_minor_check CHECK ((balance_minor >= (0)::numeric)),
  constraint ledger_account_code_check CHECK (((code ~ '^[a-z_]+(:[a-z0-9-]+)?$'::text) AND (length(code) <= 100))),
  constraint ledger_account_code_currency_key UNIQUE (code, currency),
  constraint ledger_account_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint ledger_account_id_currency_key UNIQUE (id, currency)
);

CREATE TRIGGER ledger_account_stays BEFORE DELETE OR UPDATE OF id, code, currency OR TRUNCATE ON public.ledger_account FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table ledger_closing (
  day date not null,
  begins timestamp with time zone not null,
  ends timestamp with time zone not null,
  transfers integer not null,
  closed_at timestamp with time zone not null,
  constraint ledger_closing_pkey PRIMARY KEY (day),
  constraint ledger_closing_check CHECK ((ends > begins)),
  constraint ledger_closing_ends_key UNIQUE (ends),
  constraint ledger_closing_transfers_check CHECK ((transfers >= 0))
);

create table ledger_day (
  day date not null,
  account text not null,
  currency currency_code not null,
  debit_minor minor_amount not null,
  credit_minor minor_amount not null,
  balance_minor numeric(38,0) not null,
  constraint ledger_day_pkey PRIMARY KEY (day, account, currency),
  constraint ledger_day_account_check CHECK (((account ~ '^[a-z_]+(:[a-z0-9-]+)?$'::text) AND (length(account) <= 100))),
  constraint ledger_day_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint ledger_day_day_fkey FOREIGN KEY (day) REFERENCES ledger_closing(day)
);

create table ledger_transfer (
  id uuid not null,
  source text not null,
  source_id uuid not null,
  leg smallint not null default 0,
  debit integer not null,
  credit integer not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  at timestamp with time zone not null,
  account_id uuid,
  constraint ledger_transfer_pkey PRIMARY KEY (id),
  constraint ledger_transfer_check CHECK ((credit <> debit)),
  constraint ledger_transfer_leg_check CHECK ((leg >= 0)),
  constraint ledger_transfer_source_check CHECK ((source ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint ledger_transfer_source_source_id_leg_key UNIQUE (source, source_id, leg)
);

CREATE INDEX ledger_transfer_at ON public.ledger_transfer USING brin (at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX ledger_transfer_credit ON public.ledger_transfer USING btree (credit, at DESC);

CREATE INDEX ledger_transfer_debit ON public.ledger_transfer USING btree (debit, at DESC);

CREATE INDEX ledger_transfer_shown ON public.ledger_transfer USING btree (account_id, at DESC, id DESC) WHERE (account_id IS NOT NULL);

CREATE TRIGGER ledger_transfer_accounts AFTER INSERT ON public.ledger_transfer REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION transfers_have_accounts();

CREATE TRIGGER ledger_transfer_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table line_player (
  line_id uuid not null,
  name text not null,
  constraint line_player_pkey PRIMARY KEY (line_id),
  constraint line_player_line_id_fkey FOREIGN KEY (line_id) REFERENCES order_line(id) ON DELETE CASCADE,
  constraint line_player_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);

create table linked_identity (
  id uuid not null,
  account_id uuid not null,
  platform code not null,
  issuer text not null,
  subject text not null,
  display_name text not null default ''::text,
  linked_at timestamp with time zone not null,
  constraint linked_identity_pkey PRIMARY KEY (id),
  constraint linked_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint linked_identity_account_id_platform_key UNIQUE (account_id, platform),
  constraint linked_identity_display_name_check CHECK ((length(display_name) <= 200)),
  constraint linked_identity_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
  constraint linked_identity_issuer_subject_key UNIQUE (issuer, subject),
  constraint linked_identity_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

create table list_columns (
  operator_id uuid not null,
  list text not null,
  columns text[] not null,
  constraint list_columns_pkey PRIMARY KEY (operator_id, list),
  constraint list_columns_columns_check CHECK ((cardinality(columns) <= 20)),
  constraint list_columns_list_check CHECK (((length(list) >= 1) AND (length(list) <= 40))),
  constraint list_columns_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);

create table margin_rule (
  id uuid not null,
  brand text,
  supplier code,
  region text,
  currency currency_code,
  basis_points integer not null,
  valid_from timestamp with time zone not null,
  valid_until timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  ended_by text,
  constraint margin_rule_pkey PRIMARY KEY (id),
  constraint margin_rule_basis_points_check CHECK (((basis_points >= 0) AND (basis_points <= 100000))),
  constraint margin_rule_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE,
  constraint margin_rule_check CHECK ((valid_until >= valid_from)),
  constraint margin_rule_check1 CHECK (((valid_until IS NULL) = (ended_by IS NULL))),
  constraint margin_rule_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint margin_rule_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint margin_rule_ended_by_check CHECK (((length(ended_by) >= 1) AND (length(ended_by) <= 100))),
  constraint margin_rule_region_fkey FOREIGN KEY (region) REFERENCES region(code),
  constraint margin_rule_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

CREATE INDEX margin_rule_open ON public.margin_rule USING btree (valid_from) WHERE (valid_until IS NULL);

CREATE TRIGGER margin_rule_ends BEFORE DELETE OR UPDATE ON public.margin_rule FOR EACH ROW EXECUTE FUNCTION margin_rule_only_ends();

CREATE TRIGGER margin_rule_notify AFTER INSERT OR UPDATE ON public.margin_rule FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table migration (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table notice (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  kind text not null,
  params jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint notice_pkey PRIMARY KEY (id),
  constraint notice_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint notice_kind_check CHECK ((kind ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint notice_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint notice_public_id_key UNIQUE (public_id)
);

CREATE INDEX notice_newest ON public.notice USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX notice_unread ON public.notice USING btree (account_id) WHERE (read_at IS NULL);

create table operator (
  id uuid not null,
  name text not null,
  role text not null,
  status text not null default 'active'::text,
  password_hash text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  created_by text,
  password_set_by text,
  password_set_at timestamp with time zone,
  email text,
  display_name text,
  language language_code not null default 'en'::text,
  theme text not null default 'system'::text,
  handle public_id,
  disabled_at timestamp with time zone,
  constraint operator_pkey PRIMARY KEY (id),
  constraint operator_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint operator_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 80))),
  constraint operator_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint operator_handle_key UNIQUE (handle),
  constraint operator_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'::text)),
  constraint operator_name_key UNIQUE (name),
  constraint operator_password_set_by_check CHECK (((length(password_set_by) >= 1) AND (length(password_set_by) <= 100))),
  constraint operator_role_known FOREIGN KEY (role) REFERENCES operator_role(code),
  constraint operator_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  constraint operator_theme_check CHECK ((theme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text])))
);

CREATE INDEX operator_by_role ON public.operator USING btree (role);

CREATE UNIQUE INDEX operator_email ON public.operator USING btree (email);

CREATE TRIGGER last_owner_is_kept AFTER DELETE ON public.operator FOR EACH ROW WHEN (((old.role = 'owner'::text) AND (old.status = 'active'::text))) EXECUTE FUNCTION last_owner_stays();

CREATE TRIGGER last_owner_stays AFTER UPDATE OF role, status ON public.operator FOR EACH ROW WHEN (((old.role = 'owner'::text) AND (old.status = 'active'::text) AND ((new.role IS DISTINCT FROM 'owner'::text) OR (new.status IS DISTINCT FROM 'active'::text)))) EXECUTE FUNCTION last_owner_stays();

CREATE TRIGGER password_has_a_chooser BEFORE UPDATE OF password_hash ON public.operator FOR EACH ROW WHEN (((old.password_hash IS DISTINCT FROM new.password_hash) AND (NOT (old.password_set_at IS DISTINCT FROM new.password_set_at)))) EXECUTE FUNCTION password_has_a_chooser();

create table operator_act (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  permission text not null,
  status text not null,
  subject text not null,
  account_id uuid,
  order_id uuid,
  currency currency_code,
  amount_minor minor_amount not null,
  usd_minor minor_amount,
  details jsonb not null default '{}'::jsonb,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  decided_by text,
  decided_at timestamp with time zone,
  reason text not null default ''::text,
  request_id text not null,
  counted_minor numeric(38,0),
  counted_currency text,
  constraint operator_act_pkey PRIMARY KEY (id),
  constraint operator_act_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint operator_act_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint operator_act_check CHECK ((((status = 'waiting'::text) = (decided_by IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)))),
  constraint operator_act_check1 CHECK (
CASE status
    WHEN 'given'::text THEN (decided_by = asked_by)
    WHEN 'approved'::text THEN (decided_by <> asked_by)
    ELSE true
END),
  constraint operator_act_check2 CHECK (((status <> 'given'::text) OR (usd_minor IS NOT NULL))),
  constraint operator_act_counted CHECK ((((counted_minor IS NULL) = (counted_currency IS NULL)) AND (counted_minor >= (0)::numeric))),
  constraint operator_act_counted_currency CHECK ((counted_currency ~ '^[A-Z]{3}$'::text)),
  constraint operator_act_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint operator_act_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint operator_act_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint operator_act_has_money CHECK ((((permission = ANY (ARRAY['staff.manage'::text, 'payment.settings'::text, 'price.change'::text, 'supplier.change'::text, 'shop.manage'::text])) = (currency IS NULL)) AND ((currency IS NOT NULL) OR ((amount_minor)::numeric = (0)::numeric)))),
  constraint operator_act_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'case'::text, 'held_money'::text, 'unit_failure'::text, 'store_credit'::text, 'bank_receipt'::text, 'bank_return'::text, 'stray_return'::text, 'stray_close'::text, 'difference_book'::text, 'difference_close'::text, 'hold_release'::text, 'staff_invite'::text, 'staff_role'::text, 'role_change'::text, 'factor_reset'::text, 'replacement'::text, 'doubt_failure'::text, 'hand_delivery'::text, 'key_import'::text, 'payment_service'::text, 'payment_method'::text, 'key_export'::text, 'late_accept'::text, 'short_accept'::text, 'stray_match'::text, 'price_change'::text, 'supplier_service'::text, 'shop_setting'::text, 'legal_text'::text]))),
  constraint operator_act_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint operator_act_permission_check CHECK ((permission = ANY (ARRAY['order.refund'::text, 'shopper.credit'::text, 'payment.note'::text, 'order.decide'::text, 'staff.manage'::text, 'order.deliver'::text, 'key.import'::text, 'payment.settings'::text, 'price.change'::text, 'supplier.change'::text, 'shop.manage'::text]))),
  constraint operator_act_public_id_key UNIQUE (public_id),
  constraint operator_act_reason_check CHECK ((length(reason) <= 500)),
  constraint operator_act_status_check CHECK ((status = ANY (ARRAY['given'::text, 'waiting'::text, 'approved'::text, 'refused'::text, 'ended'::text]))),
  constraint operator_act_subject_check CHECK ((length(subject) <= 300))
);

CREATE INDEX operator_act_account ON public.operator_act USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX operator_act_follow ON public.operator_act USING btree (decided_at) WHERE ((kind = ANY (ARRAY['doubt_failure'::text, 'stray_return'::text])) AND (status = ANY (ARRAY['given'::text, 'approved'::text])));

CREATE INDEX operator_act_order ON public.operator_act USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX operator_act_sum ON public.operator_act USING btree (decided_by, decided_at) WHERE (status = ANY (ARRAY['given'::text, 'approved'::text]));

CREATE UNIQUE INDEX operator_act_waiting ON public.operator_act USING btree (kind, subject) WHERE (status = 'waiting'::text);

CREATE TRIGGER act_is_kept BEFORE DELETE ON public.operator_act FOR EACH ROW EXECUTE FUNCTION act_stays();

CREATE TRIGGER act_stays BEFORE UPDATE ON public.operator_act FOR EACH ROW WHEN ((((((((old.kind IS DISTINCT FROM new.kind) OR (old.permission IS DISTINCT FROM new.permission)) OR ((old.currency)::text IS DISTINCT FROM (new.currency)::text)) OR ((old.amount_minor)::numeric IS DISTINCT FROM (new.amount_minor)::numeric)) OR (old.asked_by IS DISTINCT FROM new.asked_by)) OR (old.asked_at IS DISTINCT FROM new.asked_at)) OR ((((old.usd_minor)::numeric IS DISTINCT FROM (new.usd_minor)::numeric) OR (old.counted_minor IS DISTINCT FROM new.counted_minor)) OR (old.counted_currency IS DISTINCT FROM new.counted_currency)) OR ((old.decided_at IS NOT NULL) AND ((old.decided_by IS DISTINCT FROM new.decided_by) OR (old.decided_at IS DISTINCT FROM new.decided_at))))) EXECUTE FUNCTION act_stays();

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.operator_act FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"waiting approved","waiting ended","waiting refused"}'::text[])))) EXECUTE FUNCTION refuse_move('act');

create table operator_answer (
  operator text not null,
  key text not null,
  call text not null,
  request_hash bytea not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  constraint operator_answer_pkey PRIMARY KEY (operator, key),
  constraint operator_answer_call_check CHECK (((length(call) >= 1) AND (length(call) <= 100))),
  constraint operator_answer_key_check CHECK (((length(key) >= 8) AND (length(key) <= 100))),
  constraint operator_answer_operator_check CHECK (((length(operator) >= 1) AND (length(operator) <= 100))),
  constraint operator_answer_request_hash_check CHECK ((length(request_hash) = 32))
);

CREATE INDEX operator_answer_old ON public.operator_answer USING btree (created_at);

create table operator_factor_reset (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  state text not null,
  created_at timestamp with time zone not null,
  asked_by text,
  due_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  constraint operator_factor_reset_pkey PRIMARY KEY (id),
  constraint operator_factor_reset_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint operator_factor_reset_check CHECK (((state = ANY (ARRAY['asked'::text, 'delayed'::text])) <= (asked_by IS NOT NULL))),
  constraint operator_factor_reset_check1 CHECK (((state = 'delayed'::text) <= (due_at IS NOT NULL))),
  constraint operator_factor_reset_check2 CHECK ((((state = ANY (ARRAY['done'::text, 'stopped'::text])) = (ended_at IS NOT NULL)) AND ((ended_at IS NULL) = (ended_by IS NULL)))),
  constraint operator_factor_reset_ended_by_check CHECK (((length(ended_by) >= 1) AND (length(ended_by) <= 100))),
  constraint operator_factor_reset_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_factor_reset_public_id_key UNIQUE (public_id),
  constraint operator_factor_reset_state_check CHECK ((state = ANY (ARRAY['reported'::text, 'asked'::text, 'delayed'::text, 'done'::text, 'stopped'::text])))
);

CREATE INDEX operator_factor_reset_due ON public.operator_factor_reset USING btree (due_at) WHERE (state = 'delayed'::text);

CREATE UNIQUE INDEX operator_factor_reset_open ON public.operator_factor_reset USING btree (operator_id) WHERE (ended_at IS NULL);

CREATE INDEX operator_factor_reset_operator ON public.operator_factor_reset USING btree (operator_id);

create table operator_invitation (
  id uuid not null,
  public_id public_id not null,
  name text not null,
  display_name text,
  email text not null,
  role text not null,
  language language_code not null,
  invited_by text not null,
  waits boolean not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint operator_invitation_pkey PRIMARY KEY (id),
  constraint operator_invitation_check CHECK (((accepted_at IS NULL) OR (withdrawn_at IS NULL))),
  constraint operator_invitation_check1 CHECK (((accepted_at IS NULL) OR (NOT waits))),
  constraint operator_invitation_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 80))),
  constraint operator_invitation_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint operator_invitation_invited_by_check CHECK (((length(invited_by) >= 1) AND (length(invited_by) <= 100))),
  constraint operator_invitation_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'::text)),
  constraint operator_invitation_public_id_key UNIQUE (public_id),
  constraint operator_invitation_role_fkey FOREIGN KEY (role) REFERENCES operator_role(code)
);

CREATE UNIQUE INDEX operator_invitation_name ON public.operator_invitation USING btree (name) WHERE ((accepted_at IS NULL) AND (withdrawn_at IS NULL));

CREATE UNIQUE INDEX operator_invitation_open ON public.operator_invitation USING btree (email) WHERE ((accepted_at IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX operator_invitation_role ON public.operator_invitation USING btree (role);

create table operator_passkey (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  is_backed_up boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint operator_passkey_pkey PRIMARY KEY (id),
  constraint operator_passkey_counter_check CHECK ((counter >= 0)),
  constraint operator_passkey_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023))),
  constraint operator_passkey_credential_id_key UNIQUE (credential_id),
  constraint operator_passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint operator_passkey_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_passkey_public_id_key UNIQUE (public_id),
  constraint operator_passkey_public_key_check CHECK (((octet_length(public_key) >= 1) AND (octet_length(public_key) <= 2000)))
);

CREATE INDEX operator_passkey_operator ON public.operator_passkey USING btree (operator_id);

create table operator_proof (
  session_id uuid not null,
  kind text not null,
  proved_at timestamp with time zone not null,
  constraint operator_proof_pkey PRIMARY KEY (session_id, kind),
  constraint operator_proof_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'personal'::text, 'payment'::text, 'staff'::text, 'access'::text]))),
  constraint operator_proof_session_id_fkey FOREIGN KEY (session_id) REFERENCES operator_session(id) ON DELETE CASCADE
);

create table operator_recovery_code (
  operator_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint operator_recovery_code_pkey PRIMARY KEY (operator_id, code_hash),
  constraint operator_recovery_code_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint operator_recovery_code_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);

create table operator_role (
  code text not null,
  is_own boolean not null,
  name text,
  permissions text[],
  limits jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  limit_currency text not null default 'USD'::text,
  price_limit integer default 1000,
  constraint operator_role_pkey PRIMARY KEY (code),
  constraint operator_role_check1 CHECK (((is_own = (name IS NOT NULL)) AND (is_own = (permissions IS NOT NULL)))),
  constraint operator_role_code_check CHECK ((code ~ '^[a-z0-9][a-z0-9-]{0,39}$'::text)),
  constraint operator_role_limit_currency CHECK ((limit_currency ~ '^[A-Z]{3}$'::text)),
  constraint operator_role_limits_check CHECK ((jsonb_typeof(limits) = 'object'::text)),
  constraint operator_role_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint operator_role_permissions_check CHECK (((cardinality(permissions) >= 1) AND (cardinality(permissions) <= 100))),
  constraint operator_role_price_limit_check CHECK (((price_limit >= 0) AND (price_limit <= 100000))),
  constraint operator_role_version_check CHECK ((version > 0))
);

CREATE UNIQUE INDEX operator_role_name ON public.operator_role USING btree (lower(name));

create table operator_session (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  token_hash bytea not null,
  browser text not null,
  system text not null,
  network text not null,
  factor text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint operator_session_pkey PRIMARY KEY (id),
  constraint operator_session_browser_check CHECK ((length(browser) <= 40)),
  constraint operator_session_factor_check CHECK ((factor = ANY (ARRAY['none'::text, 'totp'::text, 'recovery'::text, 'passkey'::text]))),
  constraint operator_session_network_check CHECK ((length(network) <= 60)),
  constraint operator_session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_session_public_id_key UNIQUE (public_id),
  constraint operator_session_system_check CHECK ((length(system) <= 40)),
  constraint operator_session_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint operator_session_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX operator_session_expiry ON public.operator_session USING btree (expires_at);

CREATE INDEX operator_session_operator ON public.operator_session USING btree (operator_id, seen_at DESC);

create table operator_ticket (
  id uuid not null,
  purpose text not null,
  operator_id uuid,
  digest bytea not null,
  tries smallint not null default 0,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint operator_ticket_pkey PRIMARY KEY (id),
  constraint operator_ticket_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
  constraint operator_ticket_digest_check CHECK ((octet_length(digest) = 32)),
  constraint operator_ticket_digest_key UNIQUE (digest),
  constraint operator_ticket_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_ticket_purpose_check CHECK ((purpose = ANY (ARRAY['factor'::text, 'enrol'::text, 'passkey'::text]))),
  constraint operator_ticket_tries_check CHECK (((tries >= 0) AND (tries <= 5)))
);

CREATE INDEX operator_ticket_expiry ON public.operator_ticket USING btree (expires_at);

create table operator_token (
  id uuid not null,
  operator_id uuid not null,
  digest bytea not null,
  label text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  ended_at timestamp with time zone,
  permissions text[],
  constraint operator_token_pkey PRIMARY KEY (id),
  constraint operator_token_digest_check CHECK ((octet_length(digest) = 32)),
  constraint operator_token_digest_key UNIQUE (digest),
  constraint operator_token_label_check CHECK (((length(label) >= 1) AND (length(label) <= 100))),
  constraint operator_token_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint operator_token_permissions_check CHECK ((((cardinality(permissions) >= 1) AND (cardinality(permissions) <= 60)) AND (array_position(permissions, NULL::text) IS NULL)))
);

CREATE INDEX operator_token_operator ON public.operator_token USING btree (operator_id) WHERE (ended_at IS NULL);

create table operator_totp (
  operator_id uuid not null,
  sealed_seed bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint operator_totp_pkey PRIMARY KEY (operator_id),
  constraint operator_totp_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id)
);

create table order_event (
  id uuid not null,
  seq bigint not null,
  order_id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  request_id text not null,
  from_status text,
  to_status text not null,
  reason text not null,
  details jsonb not null default '{}'::jsonb,
  is_to_tell boolean not null default false,
  constraint order_event_pkey PRIMARY KEY (id),
  constraint order_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint order_event_reason_check CHECK ((reason ~ '^[a-z]+(_[a-z]+)*$'::text))
);

CREATE INDEX order_event_order ON public.order_event USING btree (order_id, seq);

CREATE INDEX order_event_to_tell ON public.order_event USING btree (seq) WHERE is_to_tell;

CREATE TRIGGER order_event_append_only BEFORE DELETE OR UPDATE OF id, seq, order_id, at, actor, request_id, from_status, to_status, reason, details OR TRUNCATE ON public.order_event FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

CREATE TRIGGER order_event_of_dispute AFTER INSERT ON public.order_event FOR EACH ROW WHEN ((new.reason = ANY (ARRAY['disputed'::text, 'dispute_over'::text]))) EXECUTE FUNCTION note_dispute();

CREATE TRIGGER order_event_webhook AFTER INSERT ON public.order_event FOR EACH ROW WHEN (((new.to_status IS DISTINCT FROM new.from_status) AND (new.to_status <> ALL (ARRAY['pending_payment'::text, 'waiting_for_payment'::text])))) EXECUTE FUNCTION queue_webhooks();

create table order_line (
  id uuid not null,
  order_id uuid not null,
  position smallint not null,
  item uuid,
  item_code text not null,
  product text not null,
  goods_type smallint not null,
  delivery text not null,
  product_name text not null,
  item_name text not null,
  quantity smallint not null,
  price_minor positive_amount not null,
  base_minor positive_amount not null,
  base_currency currency_code not null,
  account_fields jsonb not null default '{}'::jsonb,
  amount_minor numeric(38,0),
  amount_currency text,
  price_steps jsonb,
  tax_class text,
  tax_basis_points integer,
  tax_minor numeric(38,0),
  constraint order_line_pkey PRIMARY KEY (id),
  constraint order_line_account_fields_check CHECK ((jsonb_typeof(account_fields) = 'object'::text)),
  constraint order_line_amount CHECK ((((amount_minor IS NULL) = (amount_currency IS NULL)) AND (amount_minor > (0)::numeric))),
  constraint order_line_amount_currency CHECK ((amount_currency ~ '^[A-Z]{3}$'::text)),
  constraint order_line_base_currency_fkey FOREIGN KEY (base_currency) REFERENCES currency(code),
  constraint order_line_check CHECK (((item IS NULL) = (delivery = 'store_credit'::text))),
  constraint order_line_check1 CHECK (((goods_type = 0) = (delivery = 'store_credit'::text))),
  constraint order_line_delivery_check CHECK ((delivery = ANY (ARRAY['card_key'::text, 'direct_charge'::text, 'store_credit'::text]))),
  constraint order_line_goods_type_check CHECK (((goods_type >= 0) AND (goods_type <= 4))),
  constraint order_line_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint order_line_item_name_check CHECK (((length(item_name) >= 1) AND (length(item_name) <= 200))),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint order_line_order_id_position_key UNIQUE (order_id, "position"),
  constraint order_line_position_check CHECK (("position" >= 0)),
  constraint order_line_price_steps CHECK (((price_steps IS NULL) OR (jsonb_typeof(price_steps) = 'array'::text))),
  constraint order_line_product_name_check CHECK (((length(product_name) >= 1) AND (length(product_name) <= 200))),
  constraint order_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100))),
  constraint order_line_tax_check CHECK ((((tax_class IS NULL) = (tax_basis_points IS NULL)) AND ((tax_class IS NULL) = (tax_minor IS NULL)) AND COALESCE((((tax_basis_points >= 0) AND (tax_basis_points <= 10000)) AND ((tax_minor >= (0)::numeric) AND (tax_minor <= (price_minor)::numeric))), true) AND ((tax_class = ANY (ARRAY['single_purpose'::text, 'service'::text])) OR (COALESCE(tax_minor, (0)::numeric) = (0)::numeric)))),
  constraint order_line_tax_class_check CHECK ((tax_class = ANY (ARRAY['single_purpose'::text, 'multi_purpose'::text, 'service'::text, 'none'::text])))
);

CREATE INDEX order_line_account ON public.order_line USING gin (account_fields jsonb_path_ops) WHERE (account_fields <> '{}'::jsonb);

CREATE INDEX order_line_item ON public.order_line USING btree (item);

CREATE TRIGGER order_line_player AFTER UPDATE OF account_fields ON public.order_line FOR EACH ROW WHEN ((new.account_fields <> old.account_fields)) EXECUTE FUNCTION forget_player();

CREATE TRIGGER order_line_tax_stays BEFORE UPDATE OF tax_class, tax_basis_points, tax_minor ON public.order_line FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table order_looker (
  order_id uuid not null,
  operator_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint order_looker_pkey PRIMARY KEY (order_id, operator_id),
  constraint order_looker_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint order_looker_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id) ON DELETE CASCADE
);

CREATE INDEX order_looker_seen ON public.order_looker USING btree (seen_at);

create table order_note (
  id uuid not null,
  public_id public_id not null,
  order_id uuid not null,
  author text not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint order_note_pkey PRIMARY KEY (id),
  constraint order_note_author_check CHECK (((length(author) >= 1) AND (length(author) <= 100))),
  constraint order_note_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint order_note_public_id_key UNIQUE (public_id),
  constraint order_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);

CREATE INDEX order_note_order ON public.order_note USING btree (order_id, created_at);

create table order_unit (
  id uuid not null,
  public_id public_id not null,
  order_id uuid not null,
  line_id uuid not null,
  unit_no smallint not null,
  item uuid,
  delivery text not null,
  status text not null default 'queued'::text,
  price_minor positive_amount not null,
  delivered_at timestamp with time zone,
  claimed_by text,
  claimed_until timestamp with time zone,
  proof text,
  input_until timestamp with time zone,
  to_order boolean not null default false,
  constraint order_unit_pkey PRIMARY KEY (id),
  constraint order_unit_check CHECK (((item IS NULL) = (delivery = 'store_credit'::text))),
  constraint order_unit_check1 CHECK (((status <> 'delivered'::text) OR (delivered_at IS NOT NULL))),
  constraint order_unit_check2 CHECK (((claimed_by IS NULL) = (claimed_until IS NULL))),
  constraint order_unit_claimed_by_check CHECK (((length(claimed_by) >= 1) AND (length(claimed_by) <= 100))),
  constraint order_unit_delivery_check CHECK ((delivery = ANY (ARRAY['card_key'::text, 'direct_charge'::text, 'store_credit'::text]))),
  constraint order_unit_input CHECK (((status <> 'needs_input'::text) OR (input_until IS NOT NULL))),
  constraint order_unit_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint order_unit_line_id_fkey FOREIGN KEY (line_id) REFERENCES order_line(id),
  constraint order_unit_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint order_unit_order_id_line_id_unit_no_key UNIQUE (order_id, line_id, unit_no),
  constraint order_unit_proof_check CHECK (((length(proof) >= 1) AND (length(proof) <= 200))),
  constraint order_unit_public_id_key UNIQUE (public_id),
  constraint order_unit_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'delivering'::text, 'in_doubt'::text, 'needs_input'::text, 'delivered'::text, 'failed'::text, 'refund_due'::text, 'refunded'::text, 'released'::text]))),
  constraint order_unit_unit_no_check CHECK (((unit_no >= 1) AND (unit_no <= 100)))
);

CREATE INDEX order_unit_by_hand ON public.order_unit USING btree (id) WHERE ((delivery = 'direct_charge'::text) AND (status = ANY (ARRAY['queued'::text, 'delivering'::text, 'in_doubt'::text, 'failed'::text])));

CREATE INDEX order_unit_line ON public.order_unit USING btree (line_id);

CREATE INDEX order_unit_needs_input ON public.order_unit USING btree (input_until) WHERE (status = 'needs_input'::text);

CREATE INDEX order_unit_to_order ON public.order_unit USING btree (order_id) WHERE (to_order AND (status = ANY (ARRAY['queued'::text, 'delivering'::text, 'in_doubt'::text, 'failed'::text])));

CREATE TRIGGER order_unit_charged AFTER UPDATE OF status ON public.order_unit FOR EACH ROW WHEN (((new.delivery = 'direct_charge'::text) AND ((old.status = 'delivered'::text) <> (new.status = 'delivered'::text)))) EXECUTE FUNCTION note_unit_charged();

CREATE TRIGGER order_unit_purchase BEFORE UPDATE OF status ON public.order_unit FOR EACH ROW WHEN (((new.delivery = 'direct_charge'::text) AND (old.status = ANY (ARRAY['delivering'::text, 'in_doubt'::text])) AND (new.status <> ALL (ARRAY['delivering'::text, 'in_doubt'::text])))) EXECUTE FUNCTION keep_to_purchase();

CREATE TRIGGER order_unit_purchase_cards BEFORE UPDATE OF status ON public.order_unit FOR EACH ROW WHEN (((new.delivery = 'card_key'::text) AND (old.status = ANY (ARRAY['delivering'::text, 'in_doubt'::text])) AND (new.status <> ALL (ARRAY['delivering'::text, 'in_doubt'::text])))) EXECUTE FUNCTION keep_to_purchase();

CREATE TRIGGER order_unit_supply AFTER UPDATE OF status ON public.order_unit FOR EACH ROW WHEN (((new.delivery = 'direct_charge'::text) AND ((old.status = 'queued'::text) <> (new.status = 'queued'::text)))) EXECUTE FUNCTION follow_supply();

CREATE TRIGGER order_unit_supply_cards AFTER UPDATE OF status, to_order ON public.order_unit FOR EACH ROW WHEN (((new.delivery = 'card_key'::text) AND (old.to_order OR new.to_order) AND ((old.to_order <> new.to_order) OR ((old.status = 'queued'::text) <> (new.status = 'queued'::text))))) EXECUTE FUNCTION follow_supply();

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.order_unit FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"delivered refund_due","delivering delivered","delivering failed","delivering in_doubt","delivering needs_input","failed needs_input","failed queued","failed refund_due","in_doubt delivered","in_doubt failed","in_doubt needs_input","needs_input queued","needs_input refund_due","queued delivered","queued delivering","queued refund_due","queued released","refund_due delivered","refund_due queued","refund_due refunded","refunded queued","refunded refund_due","released queued"}'::text[])))) EXECUTE FUNCTION refuse_move('unit');

create table order_view (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  name text not null,
  filters jsonb not null,
  created_at timestamp with time zone not null,
  constraint order_view_pkey PRIMARY KEY (id),
  constraint order_view_filters_check CHECK ((jsonb_typeof(filters) = 'object'::text)),
  constraint order_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint order_view_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint order_view_operator_id_name_key UNIQUE (operator_id, name),
  constraint order_view_public_id_key UNIQUE (public_id)
);

create table outgoing_mail (
  id uuid not null,
  kind text not null,
  account_id uuid,
  recipient text,
  language language_code not null,
  params jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  job_key text,
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint outgoing_mail_kind_check CHECK ((kind ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint outgoing_mail_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

CREATE INDEX outgoing_mail_account ON public.outgoing_mail USING btree (account_id);

CREATE INDEX outgoing_mail_lost ON public.outgoing_mail USING btree (id) WHERE ((sent_at IS NULL) AND (recipient IS NULL));

CREATE INDEX outgoing_mail_unsent ON public.outgoing_mail USING btree (created_at) WHERE (sent_at IS NULL);

create table outgoing_sms (
  id uuid not null,
  account_id uuid not null,
  mobile text,
  language language_code not null,
  created_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  sent_at timestamp with time zone,
  constraint outgoing_sms_pkey PRIMARY KEY (id),
  constraint outgoing_sms_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint outgoing_sms_check CHECK (((sent_at IS NULL) OR (attempted_at IS NOT NULL))),
  constraint outgoing_sms_mobile_check CHECK ((mobile ~ '^\+[1-9][0-9]{6,14}$'::text))
);

CREATE INDEX outgoing_sms_account ON public.outgoing_sms USING btree (account_id);

CREATE INDEX outgoing_sms_age ON public.outgoing_sms USING btree (created_at);

create table page_count (
  day date not null,
  pages bigint not null default 0,
  constraint page_count_pkey PRIMARY KEY (day),
  constraint page_count_pages_check CHECK ((pages >= 0))
);

create table page_read (
  actor text not null,
  token text not null,
  call text not null,
  hour timestamp with time zone not null,
  calls integer not null,
  rows bigint not null,
  constraint page_read_pkey PRIMARY KEY (actor, token, call, hour),
  constraint page_read_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 100))),
  constraint page_read_call_check CHECK (((length(call) >= 1) AND (length(call) <= 100))),
  constraint page_read_calls_check CHECK ((calls > 0)),
  constraint page_read_rows_check CHECK ((rows >= 0)),
  constraint page_read_token_check CHECK ((length(token) <= 40))
);

create table passkey (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  is_backed_up boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint passkey_counter_check CHECK ((counter >= 0)),
  constraint passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint passkey_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint passkey_public_id_key UNIQUE (public_id)
);

CREATE INDEX passkey_account ON public.passkey USING btree (account_id);

create table payment_attempt (
  id uuid not null,
  public_id public_id not null,
  order_id uuid not null,
  provider code not null,
  method code not null,
  status text not null default 'created'::text,
  currency currency_code not null,
  amount_minor positive_amount not null,
  fee_minor minor_amount not null default 0,
  provider_reference text,
  redirect_url text,
  captured_minor minor_amount not null default 0,
  captured_currency currency_code,
  captures smallint not null default 0,
  refunded_minor minor_amount not null default 0,
  reversed_minor minor_amount not null default 0,
  is_applied boolean not null default false,
  failure text,
  check_at timestamp with time zone,
  checks smallint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  is_disputed boolean not null default false,
  constraint payment_attempt_pkey PRIMARY KEY (id),
  constraint payment_attempt_captures_check CHECK ((captures >= 0)),
  constraint payment_attempt_check CHECK (((fee_minor)::numeric < (amount_minor)::numeric)),
  constraint payment_attempt_check1 CHECK (((refunded_minor)::numeric <= (captured_minor)::numeric)),
  constraint payment_attempt_check2 CHECK (((status = 'captured'::text) OR ((captured_minor)::numeric = (0)::numeric))),
  constraint payment_attempt_check3 CHECK ((((captured_minor)::numeric = (0)::numeric) = (captured_currency IS NULL))),
  constraint payment_attempt_check4 CHECK (((NOT is_applied) OR ((status = 'captured'::text) AND ((captured_currency)::text = (currency)::text)))),
  constraint payment_attempt_check5 CHECK (((reversed_minor)::numeric <= (captured_minor)::numeric)),
  constraint payment_attempt_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint payment_attempt_failure_check CHECK ((length(failure) <= 200)),
  constraint payment_attempt_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint payment_attempt_provider_provider_reference_key UNIQUE (provider, provider_reference),
  constraint payment_attempt_provider_reference_check CHECK (((length(provider_reference) >= 1) AND (length(provider_reference) <= 255))),
  constraint payment_attempt_public_id_key UNIQUE (public_id),
  constraint payment_attempt_redirect_url_check CHECK ((length(redirect_url) <= 4000)),
  constraint payment_attempt_status_check CHECK ((status = ANY (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text, 'captured'::text, 'failed'::text, 'voided'::text, 'expired'::text])))
);

CREATE UNIQUE INDEX payment_attempt_applied ON public.payment_attempt USING btree (order_id) WHERE is_applied;

CREATE INDEX payment_attempt_disputed ON public.payment_attempt USING btree (order_id) WHERE is_disputed;

CREATE INDEX payment_attempt_due ON public.payment_attempt USING btree (provider, check_at) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX payment_attempt_open ON public.payment_attempt USING btree (order_id) WHERE (status = ANY (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text]));

CREATE INDEX payment_attempt_open_due ON public.payment_attempt USING btree (provider, check_at) WHERE ((check_at IS NOT NULL) AND (status = ANY (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text])));

CREATE INDEX payment_attempt_order ON public.payment_attempt USING btree (order_id);

CREATE INDEX payment_attempt_transfer ON public.payment_attempt USING btree (currency, amount_minor) WHERE ((provider)::text = 'bank-transfer'::text);

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.payment_attempt FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"authorised captured","authorised expired","authorised failed","authorised voided","created authorised","created captured","created expired","created failed","created requires_action","created seen","created voided","expired captured","failed captured","requires_action authorised","requires_action captured","requires_action expired","requires_action failed","requires_action seen","requires_action voided","seen authorised","seen captured","seen expired","seen failed","seen requires_action","seen voided","voided captured"}'::text[])))) EXECUTE FUNCTION refuse_move('payment');

CREATE TRIGGER taken_credit_is_kept BEFORE UPDATE OF status ON public.payment_attempt FOR EACH ROW WHEN ((((new.provider)::text = 'store-credit'::text) AND (new.status = ANY (ARRAY['failed'::text, 'voided'::text, 'expired'::text])) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION taken_credit_is_kept();

create table payment_difference (
  id uuid not null,
  public_id public_id not null,
  attempt_id uuid not null,
  kind text not null,
  currency currency_code not null,
  told_minor minor_amount not null,
  known_minor minor_amount not null,
  found_at timestamp with time zone not null,
  outcome text,
  note text not null default ''::text,
  closed_at timestamp with time zone,
  closed_by text,
  constraint payment_difference_pkey PRIMARY KEY (id),
  constraint payment_difference_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint payment_difference_check CHECK ((((known_minor)::numeric <> (told_minor)::numeric) = (kind <> 'not_comparable'::text))),
  constraint payment_difference_check1 CHECK ((((outcome IS NULL) = (closed_at IS NULL)) AND ((outcome IS NULL) = (closed_by IS NULL)))),
  constraint payment_difference_check2 CHECK (((outcome <> 'booked'::text) OR (kind = 'refunded_elsewhere'::text))),
  constraint payment_difference_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 100))),
  constraint payment_difference_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint payment_difference_kind_check CHECK ((kind = ANY (ARRAY['refunded_elsewhere'::text, 'captured_less'::text, 'not_comparable'::text]))),
  constraint payment_difference_note_check CHECK ((length(note) <= 500)),
  constraint payment_difference_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'seen_to'::text, 'gone'::text]))),
  constraint payment_difference_public_id_key UNIQUE (public_id)
);

CREATE INDEX payment_difference_attempt ON public.payment_difference USING btree (attempt_id);

CREATE UNIQUE INDEX payment_difference_once ON public.payment_difference USING btree (attempt_id, kind) WHERE (outcome IS NULL);

CREATE INDEX payment_difference_open ON public.payment_difference USING btree (found_at) WHERE (outcome IS NULL);

create table payment_service (
  code text not null,
  sealed bytea,
  version integer not null,
  tried text not null,
  set_by text not null,
  set_at timestamp with time zone not null,
  account_id text,
  account_name text,
  account_version integer,
  constraint payment_service_pkey PRIMARY KEY (code),
  constraint payment_service_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 100))),
  constraint payment_service_account_name_check CHECK (((length(account_name) >= 1) AND (length(account_name) <= 200))),
  constraint payment_service_code_check CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 40))),
  constraint payment_service_sealed_check CHECK (((octet_length(sealed) >= 29) AND (octet_length(sealed) <= 16384))),
  constraint payment_service_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100))),
  constraint payment_service_tried_check CHECK ((tried = ANY (ARRAY['good'::text, 'refused'::text, 'unknown'::text]))),
  constraint payment_service_version_check CHECK ((version >= 1))
);

CREATE TRIGGER payment_service_notify AFTER INSERT OR DELETE OR UPDATE ON public.payment_service FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table payment_service_draft (
  code text not null,
  sealed bytea,
  tried text not null,
  made_at timestamp with time zone not null,
  constraint payment_service_draft_pkey PRIMARY KEY (code),
  constraint payment_service_draft_code_check CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 40))),
  constraint payment_service_draft_sealed_check CHECK (((octet_length(sealed) >= 29) AND (octet_length(sealed) <= 16384))),
  constraint payment_service_draft_tried_check CHECK ((tried = ANY (ARRAY['good'::text, 'refused'::text, 'unknown'::text])))
);

create table payment_service_former (
  code text not null,
  version integer not null,
  sealed bytea not null,
  account_id text,
  account_name text,
  replaced_at timestamp with time zone not null,
  constraint payment_service_former_pkey PRIMARY KEY (code, version),
  constraint payment_service_former_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 100))),
  constraint payment_service_former_account_name_check CHECK (((length(account_name) >= 1) AND (length(account_name) <= 200))),
  constraint payment_service_former_code_check CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 40))),
  constraint payment_service_former_sealed_check CHECK (((octet_length(sealed) >= 29) AND (octet_length(sealed) <= 16384))),
  constraint payment_service_former_version_check CHECK ((version >= 1))
);

CREATE TRIGGER payment_service_former_notify AFTER DELETE ON public.payment_service_former FOR EACH ROW EXECUTE FUNCTION notify_catalogue_changed();

create table picture (
  code text not null,
  kind text not null,
  recipe jsonb,
  path text,
  design jsonb,
  short text,
  crop jsonb,
  constraint picture_pkey PRIMARY KEY (code),
  constraint picture_check CHECK (((kind = 'cover'::text) = (recipe IS NOT NULL))),
  constraint picture_check1 CHECK (((kind = 'file'::text) = (path IS NOT NULL))),
  constraint picture_code_check CHECK (((code ~ '^[a-z0-9]+([/-][a-z0-9]+)*$'::text) AND (length(code) <= 160))),
  constraint picture_crop CHECK (((crop IS NULL) OR ((kind = 'file'::text) AND (jsonb_typeof(crop) = 'object'::text)))),
  constraint picture_design CHECK (((kind = 'cover'::text) OR ((design IS NULL) AND (short IS NULL)))),
  constraint picture_kind_check CHECK ((kind = ANY (ARRAY['cover'::text, 'file'::text]))),
  constraint picture_short_check CHECK (((length(short) >= 1) AND (length(short) <= 40)))
);

CREATE TRIGGER picture_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.picture FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table platform (
  code code not null,
  name text not null,
  position integer not null,
  locked_fields text[] not null default '{}'::text[],
  constraint platform_pkey PRIMARY KEY (code)
);

CREATE TRIGGER platform_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.platform FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table price_effect (
  id uuid not null,
  actor text not null,
  happened_at timestamp with time zone not null,
  prices text[] not null,
  constraint price_effect_pkey PRIMARY KEY (id),
  constraint price_effect_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 100))),
  constraint price_effect_prices_check CHECK (((cardinality(prices) >= 1) AND (cardinality(prices) <= 10000)))
);

CREATE INDEX price_effect_age ON public.price_effect USING btree (happened_at);

CREATE INDEX price_effect_of ON public.price_effect USING btree (actor, happened_at);

create table price_effect_item (
  effect_id uuid not null,
  item_id uuid not null,
  moves integer[] not null,
  constraint price_effect_item_pkey PRIMARY KEY (effect_id, item_id),
  constraint price_effect_item_effect_id_fkey FOREIGN KEY (effect_id) REFERENCES price_effect(id) ON DELETE CASCADE,
  constraint price_effect_item_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint price_effect_item_moves_check CHECK (((cardinality(moves) >= 1) AND (cardinality(moves) <= 10000)))
);

create table price_input (
  id bigint not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  subject text not null,
  value jsonb,
  constraint price_input_pkey PRIMARY KEY (id),
  constraint price_input_kind_check CHECK ((kind = ANY (ARRAY['item'::text, 'cost'::text, 'level_price'::text, 'currency'::text, 'setting'::text]))),
  constraint price_input_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 200)))
);

CREATE INDEX price_input_newest ON public.price_input USING btree (kind, subject, recorded_at DESC, id DESC);

CREATE TRIGGER price_input_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.price_input FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table product (
  code code not null,
  brand text not null,
  region text not null,
  region_name text,
  countries text[],
  lock text not null default 'none'::text,
  lock_note text not null default ''::text,
  face_currency currency_code,
  face_min_minor minor_amount,
  face_max_minor minor_amount,
  picture text,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  min_age smallint,
  typical_minutes integer,
  seo_title text,
  seo_description text,
  constraint product_pkey PRIMARY KEY (code),
  constraint product_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE,
  constraint product_brand_region_key UNIQUE (brand, region),
  constraint product_check CHECK (((face_min_minor IS NULL) = (face_max_minor IS NULL))),
  constraint product_check1 CHECK (((face_max_minor)::numeric > (face_min_minor)::numeric)),
  constraint product_face_currency_fkey FOREIGN KEY (face_currency) REFERENCES currency(code),
  constraint product_lock_check CHECK ((lock = ANY (ARRAY['country'::text, 'currency'::text, 'zone'::text, 'none'::text]))),
  constraint product_min_age_check CHECK (((min_age >= 1) AND (min_age <= 99))),
  constraint product_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint product_region_fkey FOREIGN KEY (region) REFERENCES region(code),
  constraint product_seo_description_check CHECK (((length(seo_description) >= 1) AND (length(seo_description) <= 320))),
  constraint product_seo_title_check CHECK (((length(seo_title) >= 1) AND (length(seo_title) <= 120))),
  constraint product_typical_minutes_check CHECK ((typical_minutes > 0))
);

CREATE TRIGGER product_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.product FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table program_key (
  is_only boolean not null default true,
  check_value bytea not null,
  noted_at timestamp with time zone not null,
  constraint program_key_pkey PRIMARY KEY (is_only),
  constraint program_key_check_value_check CHECK ((length(check_value) = 32)),
  constraint program_key_is_only_check CHECK (is_only)
);

create table promise_look (
  name text not null,
  position uuid,
  looked_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint promise_look_pkey PRIMARY KEY (name),
  constraint promise_look_name_check CHECK ((name = ANY (ARRAY['changed'::text, 'everything'::text])))
);

create table provider_balance (
  provider text not null,
  currency text not null,
  available_minor bigint not null,
  told_at timestamp with time zone not null,
  constraint provider_balance_pkey PRIMARY KEY (provider, currency),
  constraint provider_balance_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint provider_balance_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 100)))
);

create table provider_event (
  provider code not null,
  event_id text not null,
  kind text not null,
  provider_reference text,
  body bytea not null,
  received_at timestamp with time zone not null,
  taken_until timestamp with time zone,
  processed_at timestamp with time zone,
  outcome text,
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  tries smallint not null default 0,
  request_id text,
  constraint provider_event_pkey PRIMARY KEY (provider, event_id),
  constraint provider_event_body_check CHECK ((length(body) <= 262144)),
  constraint provider_event_check CHECK (((processed_at IS NULL) = (outcome IS NULL))),
  constraint provider_event_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 255))),
  constraint provider_event_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 100))),
  constraint provider_event_outcome_check CHECK ((length(outcome) <= 100)),
  constraint provider_event_provider_reference_check CHECK (((length(provider_reference) >= 1) AND (length(provider_reference) <= 255))),
  constraint provider_event_request_id_check CHECK ((length(request_id) <= 64))
);

CREATE INDEX provider_event_due ON public.provider_event USING btree (provider, due_at, received_at) WHERE (processed_at IS NULL);

CREATE INDEX provider_event_of ON public.provider_event USING btree (provider, received_at DESC);

CREATE INDEX provider_event_received ON public.provider_event USING btree (received_at DESC, ((provider)::text) DESC, event_id DESC);

create table provider_standing (
  provider text not null,
  begun_day integer not null,
  paid_day integer not null,
  begun_week integer not null,
  paid_week integer not null,
  counted_at timestamp with time zone not null,
  constraint provider_standing_pkey PRIMARY KEY (provider),
  constraint provider_standing_begun_day_check CHECK ((begun_day >= 0)),
  constraint provider_standing_begun_week_check CHECK ((begun_week >= 0)),
  constraint provider_standing_check CHECK (((paid_day >= 0) AND (paid_day <= begun_day))),
  constraint provider_standing_check1 CHECK (((paid_week >= 0) AND (paid_week <= begun_week))),
  constraint provider_standing_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 100)))
);

create table purchase (
  id uuid not null,
  reference text not null,
  supplier code not null,
  supplier_id text,
  order_id uuid not null,
  item uuid not null,
  status text not null default 'prepared'::text,
  kind text not null,
  product text not null,
  quantity smallint not null,
  face_minor positive_amount,
  face_currency currency_code,
  fields jsonb not null default '{}'::jsonb,
  currency currency_code not null,
  expected_minor minor_amount not null,
  max_minor minor_amount not null,
  actual_minor minor_amount,
  failure_class text,
  failure_code text,
  told text,
  why jsonb not null,
  asked smallint not null default 0,
  next_ask_at timestamp with time zone,
  request_id text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint purchase_pkey PRIMARY KEY (id),
  constraint purchase_asked_check CHECK ((asked >= 0)),
  constraint purchase_check CHECK (((face_minor IS NULL) = (face_currency IS NULL))),
  constraint purchase_check1 CHECK (((status = ANY (ARRAY['done'::text, 'late'::text, 'reversed'::text])) = (actual_minor IS NOT NULL))),
  constraint purchase_check2 CHECK (((status = ANY (ARRAY['prepared'::text, 'accepted'::text, 'unknown'::text, 'doubt'::text])) = (ended_at IS NULL))),
  constraint purchase_failure_class_check CHECK ((failure_class = ANY (ARRAY['customer'::text, 'wait'::text, 'ours'::text, 'price'::text, 'stock'::text, 'supplier'::text]))),
  constraint purchase_failure_code_check CHECK (((length(failure_code) >= 1) AND (length(failure_code) <= 100))),
  constraint purchase_fields_check CHECK ((jsonb_typeof(fields) = 'object'::text)),
  constraint purchase_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint purchase_kind_check CHECK ((kind = ANY (ARRAY['topup'::text, 'recharge'::text, 'data'::text, 'giftcard'::text, 'key'::text, 'voucher'::text]))),
  constraint purchase_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint purchase_product_check CHECK (((length(product) >= 1) AND (length(product) <= 200))),
  constraint purchase_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100))),
  constraint purchase_reference_check CHECK ((reference ~ '^[A-Za-z0-9-]{1,40}$'::text)),
  constraint purchase_reference_key UNIQUE (reference),
  constraint purchase_status_check CHECK ((status = ANY (ARRAY['prepared'::text, 'accepted'::text, 'unknown'::text, 'doubt'::text, 'done'::text, 'failed'::text, 'late'::text, 'reversed'::text]))),
  constraint purchase_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint purchase_supplier_id_check CHECK (((length(supplier_id) >= 1) AND (length(supplier_id) <= 200))),
  constraint purchase_told_check CHECK ((length(told) <= 300))
);

CREATE INDEX purchase_due ON public.purchase USING btree (supplier, next_ask_at) WHERE (next_ask_at IS NOT NULL);

CREATE INDEX purchase_ended ON public.purchase USING btree (supplier, ended_at);

CREATE INDEX purchase_in_doubt ON public.purchase USING btree (updated_at) WHERE (status = 'doubt'::text);

CREATE INDEX purchase_order ON public.purchase USING btree (order_id);

CREATE UNIQUE INDEX purchase_theirs ON public.purchase USING btree (supplier, supplier_id) WHERE (supplier_id IS NOT NULL);

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.purchase FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"accepted done","accepted doubt","accepted failed","accepted late","accepted unknown","done reversed","doubt done","doubt failed","doubt late","failed done","failed late","prepared accepted","prepared done","prepared doubt","prepared failed","prepared late","prepared unknown","unknown accepted","unknown done","unknown doubt","unknown failed","unknown late"}'::text[])))) EXECUTE FUNCTION refuse_move('purchase');

create table purchase_unit (
  purchase_id uuid not null,
  unit_id uuid not null,
  is_live boolean not null default true,
  is_done boolean not null default false,
  constraint purchase_unit_pkey PRIMARY KEY (purchase_id, unit_id),
  constraint purchase_unit_check CHECK ((NOT (is_live AND is_done))),
  constraint purchase_unit_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchase(id),
  constraint purchase_unit_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id)
);

CREATE UNIQUE INDEX purchase_unit_done ON public.purchase_unit USING btree (unit_id) WHERE is_done;

CREATE UNIQUE INDEX purchase_unit_live ON public.purchase_unit USING btree (unit_id) WHERE is_live;

CREATE INDEX purchase_unit_unit ON public.purchase_unit USING btree (unit_id);

create table rate_limit (
  key bytea not null,
  used_up_to timestamp with time zone not null,
  constraint rate_limit_pkey PRIMARY KEY (key),
  constraint rate_limit_key_check CHECK ((length(key) = 32))
);

CREATE INDEX rate_limit_age ON public.rate_limit USING btree (used_up_to);

create table rate_quote (
  id uuid not null,
  source code not null,
  currency currency_code not null,
  published_at timestamp with time zone not null,
  fetched_at timestamp with time zone not null,
  base currency_code not null,
  per_base numeric not null,
  usd_per_base numeric not null,
  state text not null default 'usable'::text,
  decided_at timestamp with time zone,
  decided_by text,
  constraint rate_quote_pkey PRIMARY KEY (id),
  constraint rate_quote_check CHECK ((((base)::text <> 'USD'::text) OR (usd_per_base = (1)::numeric))),
  constraint rate_quote_check1 CHECK ((((state = ANY (ARRAY['accepted'::text, 'refused'::text])) = (decided_at IS NOT NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint rate_quote_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint rate_quote_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint rate_quote_per_base_check CHECK ((per_base > (0)::numeric)),
  constraint rate_quote_state_check CHECK ((state = ANY (ARRAY['usable'::text, 'held'::text, 'accepted'::text, 'refused'::text, 'superseded'::text]))),
  constraint rate_quote_usd_per_base_check CHECK ((usd_per_base > (0)::numeric))
);

CREATE UNIQUE INDEX rate_quote_held ON public.rate_quote USING btree (currency, source) WHERE (state = 'held'::text);

CREATE UNIQUE INDEX rate_quote_newest ON public.rate_quote USING btree (currency, source, published_at DESC, fetched_at DESC);

create table reconciliation (
  provider code not null,
  reached_at timestamp with time zone not null,
  constraint reconciliation_pkey PRIMARY KEY (provider)
);

create table reconciliation_failure (
  provider code not null,
  reference text not null,
  tries smallint not null,
  failure text not null,
  failed_at timestamp with time zone not null,
  constraint reconciliation_failure_pkey PRIMARY KEY (provider, reference),
  constraint reconciliation_failure_failure_check CHECK ((length(failure) <= 500)),
  constraint reconciliation_failure_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 255))),
  constraint reconciliation_failure_tries_check CHECK ((tries > 0))
);

create table recovery_code (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (account_id, code_hash),
  constraint recovery_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint recovery_code_code_hash_check CHECK ((length(code_hash) = 32))
);

create table refund (
  id uuid not null,
  public_id public_id not null,
  order_id uuid not null,
  attempt_id uuid not null,
  purpose text not null,
  destination text not null,
  status text not null default 'requested'::text,
  currency currency_code not null,
  amount_minor positive_amount not null,
  fee_minor minor_amount not null default 0,
  reason text not null,
  requested_by text not null,
  approved_by text,
  provider code not null,
  provider_reference text,
  failure text,
  check_at timestamp with time zone,
  checks smallint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  request_id text,
  rest_minor minor_amount not null default 0,
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint refund_check CHECK (((fee_minor)::numeric <= (amount_minor)::numeric)),
  constraint refund_check1 CHECK (((approved_by IS NULL) OR (approved_by <> requested_by) OR (requested_by = 'system'::text))),
  constraint refund_check2 CHECK (((status = ANY (ARRAY['requested'::text, 'rejected'::text])) OR (approved_by IS NOT NULL))),
  constraint refund_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint refund_destination_check CHECK ((destination = ANY (ARRAY['original'::text, 'store_credit'::text]))),
  constraint refund_failure_check CHECK ((length(failure) <= 200)),
  constraint refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint refund_provider_provider_reference_key UNIQUE (provider, provider_reference),
  constraint refund_provider_reference_check CHECK (((length(provider_reference) >= 1) AND (length(provider_reference) <= 255))),
  constraint refund_public_id_key UNIQUE (public_id),
  constraint refund_purpose_check CHECK ((purpose = ANY (ARRAY['goods'::text, 'surplus'::text, 'reversal'::text]))),
  constraint refund_reason_check CHECK ((reason ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint refund_request_id_check CHECK ((length(request_id) <= 64)),
  constraint refund_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'submitted'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text, 'rejected'::text])))
);

CREATE INDEX refund_due ON public.refund USING btree ((
CASE
    WHEN (destination = 'store_credit'::text) THEN destination
    ELSE (provider)::text
END), check_at) WHERE (check_at IS NOT NULL);

CREATE UNIQUE INDEX refund_in_flight ON public.refund USING btree (attempt_id) WHERE (status = ANY (ARRAY['approved'::text, 'submitted'::text, 'unknown'::text]));

CREATE INDEX refund_order ON public.refund USING btree (order_id);

CREATE TRIGGER refund_asked AFTER INSERT ON public.refund FOR EACH ROW EXECUTE FUNCTION note_claims();

CREATE TRIGGER refund_fits BEFORE INSERT ON public.refund FOR EACH ROW EXECUTE FUNCTION refund_fits();

CREATE TRIGGER refund_goes_out BEFORE UPDATE OF status ON public.refund FOR EACH ROW WHEN (((new.status = 'submitted'::text) AND (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION refund_is_covered();

CREATE TRIGGER refund_taken_back AFTER UPDATE OF status ON public.refund FOR EACH ROW WHEN ((new.status = 'rejected'::text)) EXECUTE FUNCTION note_claims();

CREATE TRIGGER refund_taxed AFTER UPDATE OF status ON public.refund FOR EACH ROW WHEN (((new.purpose = ANY (ARRAY['goods'::text, 'reversal'::text])) AND (old.status <> new.status) AND (('succeeded'::text = old.status) OR ('succeeded'::text = new.status)))) EXECUTE FUNCTION queue_tax_of_refund();

CREATE TRIGGER reversal_taxed AFTER INSERT ON public.refund FOR EACH ROW WHEN (((new.purpose = 'reversal'::text) AND (new.status = 'succeeded'::text))) EXECUTE FUNCTION queue_tax_of_refund();

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.refund FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"approved rejected","approved submitted","requested approved","requested rejected","submitted failed","submitted succeeded","submitted unknown","succeeded failed","unknown failed","unknown succeeded"}'::text[])))) EXECUTE FUNCTION refuse_move('refund');

create table refund_part (
  refund_id uuid not null,
  of_refund_id uuid not null,
  constraint refund_part_pkey PRIMARY KEY (refund_id),
  constraint refund_part_of_refund_id_fkey FOREIGN KEY (of_refund_id) REFERENCES refund(id),
  constraint refund_part_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id)
);

CREATE INDEX refund_part_of ON public.refund_part USING btree (of_refund_id);

create table refund_unit (
  refund_id uuid not null,
  unit_id uuid not null,
  constraint refund_unit_pkey PRIMARY KEY (refund_id, unit_id),
  constraint refund_unit_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id),
  constraint refund_unit_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id)
);

CREATE INDEX refund_unit_unit ON public.refund_unit USING btree (unit_id);

create table region (
  code code not null,
  name text not null,
  position integer not null,
  locked_fields text[] not null default '{}'::text[],
  constraint region_pkey PRIMARY KEY (code)
);

CREATE TRIGGER region_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.region FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table report_mail (
  report_id uuid not null,
  operator_id uuid not null,
  rhythm text not null,
  next_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint report_mail_pkey PRIMARY KEY (report_id, operator_id),
  constraint report_mail_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint report_mail_report_id_fkey FOREIGN KEY (report_id) REFERENCES saved_report(id) ON DELETE CASCADE,
  constraint report_mail_rhythm_check CHECK ((rhythm = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])))
);

CREATE INDEX report_mail_due ON public.report_mail USING btree (next_at);

create table reseller_key (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  name text not null,
  scopes text[] not null,
  salt bytea not null,
  former_salt bytea,
  former_until timestamp with time zone,
  order_max_minor minor_amount not null,
  day_max_minor minor_amount not null,
  agent_max_minor minor_amount,
  networks text[] not null default '{}'::text[],
  contract text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint reseller_key_pkey PRIMARY KEY (id),
  constraint reseller_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint reseller_key_check CHECK (((day_max_minor)::numeric >= (order_max_minor)::numeric)),
  constraint reseller_key_check1 CHECK (((former_salt IS NULL) = (former_until IS NULL))),
  constraint reseller_key_contract_check CHECK (((length(contract) >= 1) AND (length(contract) <= 100))),
  constraint reseller_key_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint reseller_key_former_salt_check CHECK ((octet_length(former_salt) = 32)),
  constraint reseller_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint reseller_key_order_max_minor_check CHECK (((order_max_minor)::numeric > (0)::numeric)),
  constraint reseller_key_public_id_key UNIQUE (public_id),
  constraint reseller_key_salt_check CHECK ((octet_length(salt) = 32)),
  constraint reseller_key_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['browse'::text, 'order'::text, 'reveal'::text, 'agent'::text])))
);

CREATE INDEX reseller_key_account ON public.reseller_key USING btree (account_id) WHERE (revoked_at IS NULL);

create table reseller_nonce (
  key_id uuid not null,
  nonce text not null,
  at timestamp with time zone not null,
  constraint reseller_nonce_pkey PRIMARY KEY (key_id, nonce),
  constraint reseller_nonce_nonce_check CHECK (((length(nonce) >= 8) AND (length(nonce) <= 80)))
);

CREATE INDEX reseller_nonce_at ON public.reseller_nonce USING btree (at);

create table reseller_order (
  id uuid not null,
  account_id uuid not null,
  key_id uuid not null,
  reference text not null,
  request_hash bytea not null,
  currency currency_code not null,
  amount_minor minor_amount not null,
  usd_minor minor_amount not null,
  state text not null default 'open'::text,
  refusal text,
  order_id uuid,
  created_at timestamp with time zone not null,
  constraint reseller_order_pkey PRIMARY KEY (id),
  constraint reseller_order_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint reseller_order_account_id_reference_key UNIQUE (account_id, reference),
  constraint reseller_order_check CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
  constraint reseller_order_check1 CHECK (((state <> 'open'::text) OR (order_id IS NULL))),
  constraint reseller_order_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint reseller_order_key_id_fkey FOREIGN KEY (key_id) REFERENCES reseller_key(id),
  constraint reseller_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id) ON DELETE SET NULL,
  constraint reseller_order_order_id_key UNIQUE (order_id),
  constraint reseller_order_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 80))),
  constraint reseller_order_refusal_check CHECK ((refusal ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint reseller_order_request_hash_check CHECK ((octet_length(request_hash) = 32)),
  constraint reseller_order_state_check CHECK ((state = ANY (ARRAY['open'::text, 'placed'::text, 'refused'::text])))
);

CREATE INDEX reseller_order_day ON public.reseller_order USING btree (key_id, created_at) WHERE (state <> 'refused'::text);

CREATE INDEX reseller_order_listed ON public.reseller_order USING btree (account_id, created_at);

create table reseller_test_delivery (
  id uuid not null,
  public_id public_id not null,
  key_id uuid not null,
  order_id uuid not null,
  order_status text not null,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null,
  answer text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint reseller_test_delivery_pkey PRIMARY KEY (id),
  constraint reseller_test_delivery_answer_check CHECK ((length(answer) <= 100)),
  constraint reseller_test_delivery_attempts_check CHECK ((attempts >= 0)),
  constraint reseller_test_delivery_check CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint reseller_test_delivery_key_id_fkey FOREIGN KEY (key_id) REFERENCES reseller_test_key(id) ON DELETE CASCADE,
  constraint reseller_test_delivery_order_id_fkey FOREIGN KEY (order_id) REFERENCES reseller_test_order(id) ON DELETE CASCADE,
  constraint reseller_test_delivery_order_status_check CHECK (((length(order_status) >= 1) AND (length(order_status) <= 40))),
  constraint reseller_test_delivery_public_id_key UNIQUE (public_id),
  constraint reseller_test_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'given_up'::text])))
);

CREATE INDEX reseller_test_delivery_due ON public.reseller_test_delivery USING btree (key_id, due_at) WHERE (state = 'waiting'::text);

CREATE INDEX reseller_test_delivery_order ON public.reseller_test_delivery USING btree (order_id);

create table reseller_test_key (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  name text not null,
  salt bytea not null,
  order_max_minor minor_amount not null,
  day_max_minor minor_amount not null,
  webhook_url text,
  last_attempt_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  revoked_at timestamp with time zone,
  constraint reseller_test_key_pkey PRIMARY KEY (id),
  constraint reseller_test_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint reseller_test_key_check CHECK (((day_max_minor)::numeric >= (order_max_minor)::numeric)),
  constraint reseller_test_key_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint reseller_test_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint reseller_test_key_order_max_minor_check CHECK (((order_max_minor)::numeric > (0)::numeric)),
  constraint reseller_test_key_public_id_check CHECK ((public_id ~ '^test_[A-Za-z0-9_-]{22}$'::text)),
  constraint reseller_test_key_public_id_key UNIQUE (public_id),
  constraint reseller_test_key_salt_check CHECK ((octet_length(salt) = 32)),
  constraint reseller_test_key_webhook_url_check CHECK (((length(webhook_url) >= 1) AND (length(webhook_url) <= 500)))
);

CREATE INDEX reseller_test_key_account ON public.reseller_test_key USING btree (account_id);

create table reseller_test_order (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  key_id uuid not null,
  reference text not null,
  request_hash bytea not null,
  currency currency_code not null,
  usd_minor minor_amount not null,
  lines jsonb not null,
  refusal text,
  created_at timestamp with time zone not null,
  constraint reseller_test_order_pkey PRIMARY KEY (id),
  constraint reseller_test_order_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint reseller_test_order_account_id_reference_key UNIQUE (account_id, reference),
  constraint reseller_test_order_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint reseller_test_order_key_id_fkey FOREIGN KEY (key_id) REFERENCES reseller_test_key(id) ON DELETE CASCADE,
  constraint reseller_test_order_lines_check CHECK ((jsonb_typeof(lines) = 'array'::text)),
  constraint reseller_test_order_public_id_check CHECK ((public_id ~ '^test_[A-Za-z0-9_-]{22}$'::text)),
  constraint reseller_test_order_public_id_key UNIQUE (public_id),
  constraint reseller_test_order_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 80))),
  constraint reseller_test_order_refusal_check CHECK ((refusal ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint reseller_test_order_request_hash_check CHECK ((octet_length(request_hash) = 32))
);

CREATE INDEX reseller_test_order_age ON public.reseller_test_order USING btree (created_at);

CREATE INDEX reseller_test_order_day ON public.reseller_test_order USING btree (key_id, created_at);

create table review (
  id bigint not null,
  brand text not null,
  language language_code not null,
  country text,
  rating smallint not null,
  text text not null,
  nickname text not null,
  helpful integer not null default 0,
  published_at timestamp with time zone not null,
  status publication_status not null default 'active'::text,
  source text not null,
  account_id uuid,
  order_id uuid,
  answer text,
  answered_at timestamp with time zone,
  looked_at timestamp with time zone,
  constraint review_pkey PRIMARY KEY (id),
  constraint review_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint review_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 1000))),
  constraint review_answered_check CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint review_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE,
  constraint review_check CHECK (((account_id IS NULL) OR (order_id IS NOT NULL))),
  constraint review_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint review_helpful_check CHECK ((helpful >= 0)),
  constraint review_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint review_rating_check CHECK (((rating >= 1) AND (rating <= 5)))
);

CREATE INDEX review_account ON public.review USING btree (account_id, published_at) WHERE (account_id IS NOT NULL);

CREATE INDEX review_brand ON public.review USING btree (brand, published_at DESC);

CREATE UNIQUE INDEX review_once ON public.review USING btree (order_id, brand) WHERE (order_id IS NOT NULL);

CREATE INDEX review_to_look_at ON public.review USING btree (published_at DESC, id DESC) WHERE ((looked_at IS NULL) AND (source = 'shopper'::text));

CREATE INDEX review_told ON public.review USING btree (published_at DESC, id DESC) WHERE (source = 'shopper'::text);

CREATE TRIGGER review_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.review FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table running_process (
  id uuid not null,
  kind text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  clock_skew_ms bigint not null,
  disk_low text,
  constraint running_process_pkey PRIMARY KEY (id),
  constraint running_process_disk_low_check CHECK ((length(disk_low) <= 500)),
  constraint running_process_kind_check CHECK ((kind = ANY (ARRAY['web'::text, 'worker'::text])))
);

create table sale_stop (
  id uuid not null,
  kind text not null,
  code text not null,
  reason text not null,
  stopped_by text not null,
  stopped_at timestamp with time zone not null,
  ended_by text,
  ended_at timestamp with time zone,
  constraint sale_stop_pkey PRIMARY KEY (id),
  constraint sale_stop_check CHECK (((kind = 'shop'::text) = (code = ''::text))),
  constraint sale_stop_check1 CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint sale_stop_check2 CHECK ((ended_at >= stopped_at)),
  constraint sale_stop_code_check CHECK ((length(code) <= 200)),
  constraint sale_stop_kind_check CHECK ((kind = ANY (ARRAY['shop'::text, 'product'::text, 'shelf'::text, 'supplier'::text, 'method'::text]))),
  constraint sale_stop_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 300)))
);

CREATE INDEX sale_stop_ended ON public.sale_stop USING btree (ended_at DESC, id DESC) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX sale_stop_in_force ON public.sale_stop USING btree (kind, code) WHERE (ended_at IS NULL);

CREATE TRIGGER sale_stop_changed AFTER INSERT OR DELETE OR UPDATE ON public.sale_stop FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table sales_invoice (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  order_id uuid not null,
  refund_id uuid,
  series text not null,
  year integer not null,
  number integer not null,
  issued_at timestamp with time zone not null,
  currency currency_code not null,
  gross_minor positive_amount not null,
  tax_minor minor_amount not null,
  content jsonb not null,
  buyer jsonb,
  keep_until date not null,
  constraint sales_invoice_pkey PRIMARY KEY (id),
  constraint sales_invoice_buyer_check CHECK ((jsonb_typeof(buyer) = 'object'::text)),
  constraint sales_invoice_check CHECK (((tax_minor)::numeric <= (gross_minor)::numeric)),
  constraint sales_invoice_check1 CHECK (((kind = 'invoice'::text) OR (refund_id IS NOT NULL))),
  constraint sales_invoice_content_check CHECK ((jsonb_typeof(content) = 'object'::text)),
  constraint sales_invoice_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint sales_invoice_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint sales_invoice_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint sales_invoice_order_id_refund_id_kind_key UNIQUE NULLS NOT DISTINCT (order_id, refund_id, kind),
  constraint sales_invoice_public_id_key UNIQUE (public_id),
  constraint sales_invoice_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id),
  constraint sales_invoice_series_year_fkey FOREIGN KEY (series, year) REFERENCES sales_invoice_series(series, year),
  constraint sales_invoice_series_year_number_key UNIQUE (series, year, number)
);

CREATE INDEX sales_invoice_to_forget ON public.sales_invoice USING btree (keep_until) WHERE (buyer IS NOT NULL);

CREATE TRIGGER sales_invoice_append_only BEFORE DELETE OR UPDATE OF id, public_id, kind, order_id, refund_id, series, year, number, issued_at, currency, gross_minor, tax_minor, content, keep_until OR TRUNCATE ON public.sales_invoice FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

CREATE TRIGGER sales_invoice_buyer_stays BEFORE UPDATE OF buyer ON public.sales_invoice FOR EACH ROW WHEN ((new.buyer IS NOT NULL)) EXECUTE FUNCTION refuse_new_buyer();

CREATE TRIGGER sales_invoice_numbered BEFORE INSERT ON public.sales_invoice FOR EACH ROW EXECUTE FUNCTION number_sales_invoice();

create table sales_invoice_series (
  series text not null,
  year integer not null,
  last integer not null,
  constraint sales_invoice_series_pkey PRIMARY KEY (series, year),
  constraint sales_invoice_series_last_check CHECK ((last > 0)),
  constraint sales_invoice_series_series_check CHECK ((series ~ '^[A-Z0-9]{1,10}$'::text)),
  constraint sales_invoice_series_year_check CHECK (((year >= 2000) AND (year <= 9999)))
);

CREATE TRIGGER sales_invoice_series_gapless BEFORE UPDATE OF last ON public.sales_invoice_series FOR EACH ROW WHEN ((new.last <> (old.last + 1))) EXECUTE FUNCTION count_by_one();

CREATE TRIGGER sales_invoice_series_stays BEFORE DELETE OR UPDATE OF series, year OR TRUNCATE ON public.sales_invoice_series FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table saved_account (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  field_set text not null,
  label text not null,
  fields jsonb not null,
  fields_hash bytea not null,
  created_at timestamp with time zone not null,
  constraint saved_account_pkey PRIMARY KEY (id),
  constraint saved_account_account_id_field_set_fields_hash_key UNIQUE (account_id, field_set, fields_hash),
  constraint saved_account_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint saved_account_field_set_check CHECK (((length(field_set) >= 1) AND (length(field_set) <= 100))),
  constraint saved_account_fields_check CHECK (((jsonb_typeof(fields) = 'object'::text) AND (fields <> '{}'::jsonb))),
  constraint saved_account_fields_hash_check CHECK ((length(fields_hash) = 32)),
  constraint saved_account_label_check CHECK (((length(label) >= 1) AND (length(label) <= 40))),
  constraint saved_account_public_id_key UNIQUE (public_id)
);

create table saved_report (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  name text not null,
  report text not null,
  choice text not null,
  is_shared boolean not null default false,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint saved_report_pkey PRIMARY KEY (id),
  constraint saved_report_choice_check CHECK ((length(choice) <= 300)),
  constraint saved_report_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint saved_report_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint saved_report_public_id_key UNIQUE (public_id),
  constraint saved_report_report_check CHECK (((length(report) >= 1) AND (length(report) <= 20))),
  constraint saved_report_version_check CHECK ((version > 0))
);

CREATE INDEX saved_report_of ON public.saved_report USING btree (operator_id, id);

CREATE INDEX saved_report_shared ON public.saved_report USING btree (id) WHERE is_shared;

create table screening_check (
  id uuid not null,
  account_id uuid not null,
  subject bytea not null,
  state text not null,
  matches text[] not null default '{}'::text[],
  tries integer not null default 0,
  fault text,
  wanted_at timestamp with time zone not null,
  next_at timestamp with time zone,
  answered_at timestamp with time zone,
  constraint screening_check_pkey PRIMARY KEY (id),
  constraint screening_check_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint screening_check_account_id_subject_key UNIQUE (account_id, subject),
  constraint screening_check_check CHECK (((state = 'asked'::text) = (answered_at IS NULL))),
  constraint screening_check_check1 CHECK (((state = 'asked'::text) = (next_at IS NOT NULL))),
  constraint screening_check_check2 CHECK (((state = 'match'::text) = (matches <> '{}'::text[]))),
  constraint screening_check_fault_check CHECK (((length(fault) >= 1) AND (length(fault) <= 200))),
  constraint screening_check_matches_check CHECK ((cardinality(matches) <= 10)),
  constraint screening_check_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'clear'::text, 'match'::text]))),
  constraint screening_check_subject_check CHECK ((octet_length(subject) = 32)),
  constraint screening_check_tries_check CHECK ((tries >= 0))
);

CREATE INDEX screening_check_answered ON public.screening_check USING btree (answered_at) WHERE (answered_at IS NOT NULL);

CREATE INDEX screening_check_due ON public.screening_check USING btree (next_at) WHERE (next_at IS NOT NULL);

create table screening_entry (
  list code not null,
  position integer not null,
  reference text not null,
  name_key text,
  email text,
  constraint screening_entry_pkey PRIMARY KEY (list, "position"),
  constraint screening_entry_check CHECK (((name_key IS NOT NULL) OR (email IS NOT NULL))),
  constraint screening_entry_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint screening_entry_name_key_check CHECK (((length(name_key) >= 1) AND (length(name_key) <= 400))),
  constraint screening_entry_position_check CHECK (("position" >= 0)),
  constraint screening_entry_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 100)))
);

CREATE INDEX screening_entry_email ON public.screening_entry USING btree (email) WHERE (email IS NOT NULL);

CREATE INDEX screening_entry_name ON public.screening_entry USING btree (name_key) WHERE (name_key IS NOT NULL);

create table search_miss (
  day date not null,
  words text not null,
  searches integer not null,
  constraint search_miss_pkey PRIMARY KEY (day, words),
  constraint search_miss_searches_check CHECK ((searches > 0)),
  constraint search_miss_words_check CHECK (((length(words) >= 2) AND (length(words) <= 40)))
);

create table second_factor (
  account_id uuid not null,
  sealed_seed bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint second_factor_pkey PRIMARY KEY (account_id),
  constraint second_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table service_case (
  id uuid not null,
  public_id public_id not null,
  kind text not null,
  order_id uuid not null,
  account_id uuid not null,
  reason text not null,
  text text not null default ''::text,
  picture uuid,
  destination text not null default 'original'::text,
  status text not null default 'open'::text,
  decided_by text,
  note text not null default ''::text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  claimed_by text,
  claimed_at timestamp with time zone,
  due_at timestamp with time zone,
  constraint service_case_pkey PRIMARY KEY (id),
  constraint service_case_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint service_case_check CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  constraint service_case_check1 CHECK (((decided_by IS NULL) = (decided_at IS NULL))),
  constraint service_case_check2 CHECK (((kind = 'dispute'::text) = (reason = 'disputed'::text))),
  constraint service_case_claimed_by_check CHECK (((length(claimed_by) >= 1) AND (length(claimed_by) <= 100))),
  constraint service_case_claimed_check CHECK (((claimed_by IS NULL) = (claimed_at IS NULL))),
  constraint service_case_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint service_case_destination_check CHECK ((destination = ANY (ARRAY['original'::text, 'store_credit'::text]))),
  constraint service_case_due_check CHECK (((due_at IS NULL) OR (kind = 'dispute'::text))),
  constraint service_case_kind_check CHECK ((kind = ANY (ARRAY['refund_request'::text, 'faulty_key'::text, 'dispute'::text]))),
  constraint service_case_note_check CHECK ((length(note) <= 2000)),
  constraint service_case_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint service_case_picture_fkey FOREIGN KEY (picture) REFERENCES uploaded_picture(id) ON DELETE SET NULL,
  constraint service_case_public_id_key UNIQUE (public_id),
  constraint service_case_reason_check CHECK ((reason = ANY (ARRAY['not_delivered'::text, 'code_invalid'::text, 'code_used'::text, 'wrong_goods'::text, 'mistake'::text, 'other'::text, 'disputed'::text]))),
  constraint service_case_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text]))),
  constraint service_case_text_check CHECK ((length(text) <= 2000))
);

CREATE INDEX service_case_account ON public.service_case USING btree (account_id, created_at);

CREATE INDEX service_case_closed ON public.service_case USING btree (decided_at DESC, id DESC) WHERE (status <> 'open'::text);

CREATE INDEX service_case_kind ON public.service_case USING btree (kind, created_at);

CREATE UNIQUE INDEX service_case_once ON public.service_case USING btree (order_id, kind) WHERE ((status = 'open'::text) AND (kind <> 'faulty_key'::text));

CREATE INDEX service_case_open ON public.service_case USING btree (created_at) WHERE (status = 'open'::text);

CREATE INDEX service_case_open_kind ON public.service_case USING btree (kind, created_at, id) WHERE (status = 'open'::text);

CREATE INDEX service_case_order ON public.service_case USING btree (order_id, created_at);

CREATE TRIGGER service_case_asked AFTER INSERT ON public.service_case FOR EACH ROW EXECUTE FUNCTION note_claims();

CREATE TRIGGER service_case_taken_back AFTER UPDATE OF status ON public.service_case FOR EACH ROW WHEN ((new.status = 'withdrawn'::text)) EXECUTE FUNCTION note_claims();

create table service_case_unit (
  case_id uuid not null,
  unit_id uuid not null,
  is_open boolean not null default true,
  constraint service_case_unit_pkey PRIMARY KEY (case_id, unit_id),
  constraint service_case_unit_case_id_fkey FOREIGN KEY (case_id) REFERENCES service_case(id),
  constraint service_case_unit_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id)
);

CREATE UNIQUE INDEX service_case_unit_once ON public.service_case_unit USING btree (unit_id) WHERE is_open;

CREATE INDEX service_case_unit_unit ON public.service_case_unit USING btree (unit_id);

create table session (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  token_hash bytea not null,
  handle_hash bytea not null,
  browser text not null,
  system text not null,
  network text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proved_at timestamp with time zone not null,
  handle_seen_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint session_browser_check CHECK ((length(browser) <= 40)),
  constraint session_handle_hash_check CHECK ((length(handle_hash) = 32)),
  constraint session_handle_hash_key UNIQUE (handle_hash),
  constraint session_network_check CHECK ((length(network) <= 60)),
  constraint session_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint session_public_id_key UNIQUE (public_id),
  constraint session_system_check CHECK ((length(system) <= 40)),
  constraint session_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint session_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX session_account ON public.session USING btree (account_id, seen_at DESC);

CREATE INDEX session_expiry ON public.session USING btree (expires_at);

create table setting (
  key text not null,
  value jsonb not null,
  constraint setting_pkey PRIMARY KEY (key)
);

CREATE TRIGGER setting_noted AFTER INSERT OR DELETE OR UPDATE ON public.setting FOR EACH ROW EXECUTE FUNCTION note_price_setting();

CREATE TRIGGER setting_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.setting FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table shop_image (
  hash text not null,
  content bytea not null,
  width integer not null,
  height integer not null,
  sent_at timestamp with time zone not null,
  constraint shop_image_pkey PRIMARY KEY (hash),
  constraint shop_image_content_check CHECK (((octet_length(content) >= 1) AND (octet_length(content) <= 8388608))),
  constraint shop_image_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint shop_image_height_check CHECK (((height >= 1) AND (height <= 4000))),
  constraint shop_image_width_check CHECK (((width >= 1) AND (width <= 4000)))
);

CREATE INDEX shop_image_sent ON public.shop_image USING btree (sent_at);

create table shop_order (
  id uuid not null,
  public_id public_id not null,
  number text not null,
  account_id uuid not null,
  request_key text not null,
  request_hash bytea not null,
  status text not null default 'pending_payment'::text,
  currency currency_code not null,
  goods_minor positive_amount not null,
  fee_minor minor_amount not null default 0,
  total_minor positive_amount not null,
  tax_minor minor_amount not null default 0,
  tax_basis_points integer not null default 0,
  captured_minor minor_amount not null default 0,
  refunded_minor minor_amount not null default 0,
  hold text,
  ended text,
  settled_at timestamp with time zone,
  pricing jsonb not null,
  language language_code not null,
  country text,
  evidence jsonb not null default '{}'::jsonb,
  terms_version text not null,
  waived_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  has_cards boolean not null default false,
  has_charging boolean not null default false,
  has_claims boolean not null default false,
  cards_delivered smallint not null default 0,
  from_cart boolean not null default false,
  shortfall_minor numeric not null default 0,
  constraint shop_order_pkey PRIMARY KEY (id),
  constraint shop_order_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint shop_order_account_id_request_key_key UNIQUE (account_id, request_key),
  constraint shop_order_cards_delivered_check CHECK ((cards_delivered >= 0)),
  constraint shop_order_check CHECK (((total_minor)::numeric = ((goods_minor)::numeric + (fee_minor)::numeric))),
  constraint shop_order_check1 CHECK (((tax_minor)::numeric <= (total_minor)::numeric)),
  constraint shop_order_check2 CHECK (((refunded_minor)::numeric <= (captured_minor)::numeric)),
  constraint shop_order_check3 CHECK (((status <> ALL (ARRAY['pending_payment'::text, 'waiting_for_payment'::text])) OR (((captured_minor)::numeric = (0)::numeric) AND (settled_at IS NULL) AND (ended IS NULL) AND (hold IS NULL)))),
  constraint shop_order_check4 CHECK (((status <> ALL (ARRAY['waiting_for_shipment'::text, 'shipping'::text, 'completed'::text])) OR ((settled_at IS NOT NULL) AND (((captured_minor)::numeric + shortfall_minor) >= (total_minor)::numeric) AND (hold IS NULL)))),
  constraint shop_order_check5 CHECK (((status <> ALL (ARRAY['cancelled'::text, 'expired'::text])) OR ((ended = status) AND ((captured_minor)::numeric = (0)::numeric) AND (hold IS NULL)))),
  constraint shop_order_check6 CHECK (((status <> 'refunded'::text) OR (((captured_minor)::numeric > (0)::numeric) AND ((refunded_minor)::numeric = (captured_minor)::numeric)))),
  constraint shop_order_check7 CHECK (((settled_at IS NULL) OR (ended IS NULL))),
  constraint shop_order_check8 CHECK (((settled_at IS NULL) OR (((captured_minor)::numeric + shortfall_minor) >= (total_minor)::numeric))),
  constraint shop_order_check9 CHECK (((waived_at IS NOT NULL) OR ((status = ANY (ARRAY['pending_payment'::text, 'cancelled'::text, 'expired'::text])) AND (settled_at IS NULL) AND ((captured_minor)::numeric = (0)::numeric)))),
  constraint shop_order_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint shop_order_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint shop_order_ended_check CHECK ((ended = ANY (ARRAY['cancelled'::text, 'expired'::text]))),
  constraint shop_order_hold_check CHECK ((hold = ANY (ARRAY['late'::text, 'underpaid'::text, 'wrong_currency'::text, 'out_of_stock'::text, 'disputed'::text, 'risk'::text, 'refund_requested'::text]))),
  constraint shop_order_number_check CHECK ((number ~ '^[0-9]{13}$'::text)),
  constraint shop_order_number_key UNIQUE (number),
  constraint shop_order_public_id_key UNIQUE (public_id),
  constraint shop_order_request_hash_check CHECK ((length(request_hash) = 32)),
  constraint shop_order_request_key_check CHECK (((length(request_key) >= 1) AND (length(request_key) <= 200))),
  constraint shop_order_shortfall CHECK (((shortfall_minor >= (0)::numeric) AND (shortfall_minor = trunc(shortfall_minor)) AND ((shortfall_minor = (0)::numeric) OR (shortfall_minor < (total_minor)::numeric)))),
  constraint shop_order_status_check CHECK ((status = ANY (ARRAY['pending_payment'::text, 'waiting_for_payment'::text, 'waiting_for_shipment'::text, 'shipping'::text, 'processing'::text, 'cancelled'::text, 'refunded'::text, 'expired'::text, 'completed'::text]))),
  constraint shop_order_tax_basis_points_check CHECK (((tax_basis_points >= 0) AND (tax_basis_points <= 10000))),
  constraint shop_order_terms_version_check CHECK (((length(terms_version) >= 1) AND (length(terms_version) <= 40)))
);

CREATE INDEX shop_order_listed ON public.shop_order USING btree (account_id, created_at DESC, id DESC) INCLUDE (status, hold, has_cards, has_charging, has_claims, cards_delivered);

CREATE INDEX shop_order_recent ON public.shop_order USING btree (status, created_at DESC, id DESC);

CREATE INDEX shop_order_to_decide ON public.shop_order USING btree (updated_at) WHERE (status = 'processing'::text);

CREATE INDEX shop_order_to_expire ON public.shop_order USING btree (expires_at) WHERE (status = ANY (ARRAY['pending_payment'::text, 'waiting_for_payment'::text]));

CREATE INDEX shop_order_unpaid ON public.shop_order USING btree (account_id) WHERE (status = ANY (ARRAY['pending_payment'::text, 'waiting_for_payment'::text]));

CREATE TRIGGER shop_order_lines_back AFTER UPDATE OF ended ON public.shop_order FOR EACH ROW WHEN ((new.from_cart AND (old.ended IS DISTINCT FROM new.ended))) EXECUTE FUNCTION give_lines_back();

CREATE TRIGGER shop_order_supply AFTER UPDATE OF settled_at ON public.shop_order FOR EACH ROW WHEN ((new.has_charging AND (old.settled_at IS NULL) AND (new.settled_at IS NOT NULL))) EXECUTE FUNCTION queue_supply();

CREATE TRIGGER shop_order_supply_cards AFTER UPDATE OF settled_at ON public.shop_order FOR EACH ROW WHEN ((new.has_cards AND (new.status <> 'completed'::text) AND (old.settled_at IS NULL) AND (new.settled_at IS NOT NULL))) EXECUTE FUNCTION queue_supply();

CREATE TRIGGER shop_order_taxed AFTER UPDATE OF settled_at ON public.shop_order FOR EACH ROW WHEN (((old.settled_at IS NULL) AND (new.settled_at IS NOT NULL))) EXECUTE FUNCTION queue_tax_of_sale();

CREATE TRIGGER status_moves BEFORE UPDATE OF status ON public.shop_order FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (((old.status || ' '::text) || new.status) <> ALL ('{"cancelled processing","completed processing","completed refunded","expired processing","pending_payment cancelled","pending_payment completed","pending_payment expired","pending_payment processing","pending_payment shipping","pending_payment waiting_for_payment","pending_payment waiting_for_shipment","processing cancelled","processing completed","processing expired","processing pending_payment","processing refunded","processing shipping","processing waiting_for_payment","processing waiting_for_shipment","refunded completed","refunded processing","refunded shipping","refunded waiting_for_shipment","shipping completed","shipping processing","shipping refunded","shipping waiting_for_shipment","waiting_for_payment cancelled","waiting_for_payment completed","waiting_for_payment expired","waiting_for_payment pending_payment","waiting_for_payment processing","waiting_for_payment shipping","waiting_for_payment waiting_for_shipment","waiting_for_shipment completed","waiting_for_shipment processing","waiting_for_shipment refunded","waiting_for_shipment shipping"}'::text[])))) EXECUTE FUNCTION refuse_move('order');

create table shopper_note (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  author text not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint shopper_note_pkey PRIMARY KEY (id),
  constraint shopper_note_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint shopper_note_author_check CHECK (((length(author) >= 1) AND (length(author) <= 100))),
  constraint shopper_note_public_id_key UNIQUE (public_id),
  constraint shopper_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);

CREATE INDEX shopper_note_account ON public.shopper_note USING btree (account_id, created_at DESC, id DESC);

create table sign_in_guard (
  key bytea not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_guard_pkey PRIMARY KEY (key),
  constraint sign_in_guard_failures_check CHECK ((failures > 0)),
  constraint sign_in_guard_key_check CHECK ((length(key) = 32))
);

create table starter_goods (
  id uuid not null,
  public_id public_id not null,
  operator_id uuid not null,
  kinds text[] not null,
  is_on_sale boolean not null,
  state text not null,
  step integer not null default 0,
  steps integer not null,
  failure text,
  asked_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint starter_goods_pkey PRIMARY KEY (id),
  constraint starter_goods_check CHECK (((steps >= 1) AND (step <= steps))),
  constraint starter_goods_failure CHECK (((failure IS NULL) = (state <> 'failed'::text))),
  constraint starter_goods_failure_check CHECK ((length(failure) <= 500)),
  constraint starter_goods_kinds_check CHECK (((array_length(kinds, 1) IS NULL) OR (array_length(kinds, 1) <= 7))),
  constraint starter_goods_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operator(id),
  constraint starter_goods_over CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'taking'::text])))),
  constraint starter_goods_public_id_key UNIQUE (public_id),
  constraint starter_goods_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'taking'::text, 'done'::text, 'failed'::text]))),
  constraint starter_goods_step_check CHECK ((step >= 0))
);

CREATE UNIQUE INDEX starter_goods_open ON public.starter_goods USING btree ((true)) WHERE (finished_at IS NULL);

create table stock_change (
  item uuid not null,
  free integer not null,
  sold integer not null,
  batch_id uuid,
  claimed integer not null default 0,
  quarantined integer not null default 0,
  voided integer not null default 0
);

create table stock_level (
  item uuid not null,
  free bigint not null,
  sold bigint not null,
  updated_at timestamp with time zone not null,
  is_to_order boolean not null default false,
  constraint stock_level_pkey PRIMARY KEY (item),
  constraint stock_level_item_fkey FOREIGN KEY (item) REFERENCES item(id) ON DELETE CASCADE
);

CREATE INDEX stock_level_recent ON public.stock_level USING btree (updated_at);

create table stray_payment (
  id uuid not null,
  public_id public_id not null,
  provider code not null,
  provider_reference text not null,
  our_reference text not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  found_at timestamp with time zone not null,
  outcome text,
  note text not null default ''::text,
  closed_at timestamp with time zone,
  closed_by text,
  attempt_id uuid,
  constraint stray_payment_pkey PRIMARY KEY (id),
  constraint stray_payment_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES payment_attempt(id),
  constraint stray_payment_attempt_id_key UNIQUE (attempt_id),
  constraint stray_payment_check CHECK ((((outcome IS NULL) = (closed_at IS NULL)) AND ((outcome IS NULL) = (closed_by IS NULL)))),
  constraint stray_payment_matched CHECK (((NOT (outcome IS DISTINCT FROM 'matched'::text)) = (attempt_id IS NOT NULL))),
  constraint stray_payment_note_check CHECK ((length(note) <= 500)),
  constraint stray_payment_our_reference_check CHECK ((length(our_reference) <= 255)),
  constraint stray_payment_outcome_check CHECK ((outcome = ANY (ARRAY['returned'::text, 'seen_to'::text, 'matched'::text]))),
  constraint stray_payment_provider_provider_reference_key UNIQUE (provider, provider_reference),
  constraint stray_payment_provider_reference_check CHECK (((length(provider_reference) >= 1) AND (length(provider_reference) <= 255))),
  constraint stray_payment_public_id_key UNIQUE (public_id)
);

CREATE INDEX stray_payment_open ON public.stray_payment USING btree (found_at) WHERE (outcome IS NULL);

create table supplier (
  code code not null,
  status text not null default 'on'::text,
  failures integer not null default 0,
  rests_until timestamp with time zone,
  rests_for text,
  rests_code text,
  created_at timestamp with time zone not null,
  p50_ms integer,
  noticed_at timestamp with time zone,
  constraint supplier_pkey PRIMARY KEY (code),
  constraint supplier_check CHECK (((rests_until IS NULL) = (rests_for IS NULL))),
  constraint supplier_failures_check CHECK ((failures >= 0)),
  constraint supplier_p50_ms_check CHECK ((p50_ms >= 0)),
  constraint supplier_rests_code_check CHECK (((length(rests_code) >= 1) AND (length(rests_code) <= 100))),
  constraint supplier_rests_for_check CHECK ((rests_for = ANY (ARRAY['trouble'::text, 'ours'::text]))),
  constraint supplier_status_check CHECK ((status = ANY (ARRAY['on'::text, 'off'::text])))
);

CREATE TRIGGER supplier_status_changed AFTER UPDATE OF status ON public.supplier FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION note_supplier_status();

create table supplier_balance (
  supplier code not null,
  currency currency_code not null,
  available_minor minor_amount not null,
  asked_at timestamp with time zone not null,
  constraint supplier_balance_pkey PRIMARY KEY (supplier, currency),
  constraint supplier_balance_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

create table supplier_balance_reading (
  supplier code not null,
  currency currency_code not null,
  at timestamp with time zone not null,
  available_minor minor_amount not null,
  booked_minor numeric not null,
  constraint supplier_balance_reading_pkey PRIMARY KEY (supplier, currency, at),
  constraint supplier_balance_reading_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

create table supplier_commission (
  id uuid not null,
  supplier code not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  reference text not null,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  constraint supplier_commission_pkey PRIMARY KEY (id),
  constraint supplier_commission_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 100))),
  constraint supplier_commission_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint supplier_commission_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supplier_commission_supplier_reference_key UNIQUE (supplier, reference)
);

create table supplier_deposit (
  id uuid not null,
  supplier code not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  fee_minor minor_amount not null default 0,
  reference text not null,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  paid_minor positive_amount,
  paid_currency currency_code,
  constraint supplier_deposit_pkey PRIMARY KEY (id),
  constraint supplier_deposit_check CHECK (((paid_minor IS NULL) = (paid_currency IS NULL))),
  constraint supplier_deposit_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 100))),
  constraint supplier_deposit_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint supplier_deposit_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supplier_deposit_supplier_reference_key UNIQUE (supplier, reference)
);

create table supplier_invoice (
  id uuid not null,
  supplier code not null,
  kind text not null,
  number text not null,
  currency currency_code not null,
  amount_minor positive_amount not null,
  from_on date not null,
  until_on date not null,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  note text,
  constraint supplier_invoice_pkey PRIMARY KEY (id),
  constraint supplier_invoice_check CHECK ((until_on >= from_on)),
  constraint supplier_invoice_check1 CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (note IS NULL)))),
  constraint supplier_invoice_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 100))),
  constraint supplier_invoice_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint supplier_invoice_note_check CHECK (((length(note) >= 1) AND (length(note) <= 300))),
  constraint supplier_invoice_number_check CHECK (((length(number) >= 1) AND (length(number) <= 100))),
  constraint supplier_invoice_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 100))),
  constraint supplier_invoice_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supplier_invoice_supplier_number_key UNIQUE (supplier, number)
);

CREATE INDEX supplier_invoice_open ON public.supplier_invoice USING btree (recorded_at) WHERE (closed_at IS NULL);

create table supplier_offer (
  item uuid not null,
  supplier code not null,
  priority smallint not null default 0,
  is_on boolean not null default true,
  kind text not null,
  product text not null,
  face_minor positive_amount,
  face_currency currency_code,
  cost_minor minor_amount not null,
  cost_currency currency_code not null,
  fields jsonb not null default '{}'::jsonb,
  fixed jsonb not null default '{}'::jsonb,
  updated_at timestamp with time zone not null,
  constraint supplier_offer_pkey PRIMARY KEY (item, supplier),
  constraint supplier_offer_check CHECK (((face_minor IS NULL) = (face_currency IS NULL))),
  constraint supplier_offer_fields_check CHECK ((jsonb_typeof(fields) = 'object'::text)),
  constraint supplier_offer_fixed_check CHECK ((jsonb_typeof(fixed) = 'object'::text)),
  constraint supplier_offer_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint supplier_offer_kind_check CHECK ((kind = ANY (ARRAY['topup'::text, 'recharge'::text, 'data'::text, 'giftcard'::text, 'key'::text, 'voucher'::text]))),
  constraint supplier_offer_priority_check CHECK (((priority >= 0) AND (priority <= 1000))),
  constraint supplier_offer_product_check CHECK (((length(product) >= 1) AND (length(product) <= 200))),
  constraint supplier_offer_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

CREATE INDEX supplier_offer_supplier ON public.supplier_offer USING btree (supplier);

CREATE TRIGGER supplier_offer_added AFTER INSERT ON public.supplier_offer REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_cost();

CREATE TRIGGER supplier_offer_changed AFTER UPDATE ON public.supplier_offer REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_cost_change();

CREATE TRIGGER supplier_offer_gone AFTER DELETE ON public.supplier_offer REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_cost_end();

create table supplier_product (
  supplier code not null,
  product text not null,
  face text not null default ''::text,
  kind text not null,
  name text not null,
  brand text,
  country text,
  cost_minor minor_amount,
  cost_currency currency_code,
  stock integer,
  item uuid,
  matched_by text,
  score smallint,
  status text not null,
  sync_cost text not null default 'follow'::text,
  sync_stock text not null default 'follow'::text,
  sync_name text not null default 'once'::text,
  sync_faces text not null default 'once'::text,
  is_locked boolean not null default false,
  took_off boolean not null default false,
  held_minor minor_amount,
  held_currency currency_code,
  held_at timestamp with time zone,
  first_seen_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  range_min_minor minor_amount,
  range_max_minor minor_amount,
  range_step_minor minor_amount,
  range_currency currency_code,
  buyer_countries text[],
  blocked_countries text[] not null default '{}'::text[],
  min_age smallint,
  sync_limits text not null default 'follow'::text,
  refused_minor numeric,
  refused_currency text,
  constraint supplier_product_pkey PRIMARY KEY (supplier, product, face),
  constraint supplier_product_brand_check CHECK ((length(brand) <= 200)),
  constraint supplier_product_check CHECK (((cost_minor IS NULL) = (cost_currency IS NULL))),
  constraint supplier_product_check1 CHECK (((item IS NULL) = (matched_by IS NULL))),
  constraint supplier_product_check2 CHECK (((status <> ALL (ARRAY['mapped'::text, 'draft'::text])) OR (item IS NOT NULL))),
  constraint supplier_product_check3 CHECK ((((held_minor IS NULL) = (held_at IS NULL)) AND ((held_minor IS NULL) = (held_currency IS NULL)))),
  constraint supplier_product_country_check CHECK ((length(country) <= 10)),
  constraint supplier_product_face_check CHECK ((face ~ '^(\d{1,18} [A-Z]{3})?$'::text)),
  constraint supplier_product_item_fkey FOREIGN KEY (item) REFERENCES item(id),
  constraint supplier_product_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 20))),
  constraint supplier_product_matched_by_check CHECK ((matched_by = ANY (ARRAY['hand'::text, 'id'::text, 'name'::text, 'draft'::text]))),
  constraint supplier_product_min_age CHECK (((min_age >= 1) AND (min_age <= 99))),
  constraint supplier_product_name_check CHECK ((length(name) <= 300)),
  constraint supplier_product_product_check CHECK (((length(product) >= 1) AND (length(product) <= 200))),
  constraint supplier_product_range CHECK ((((range_min_minor IS NULL) = (range_max_minor IS NULL)) AND ((range_min_minor IS NULL) = (range_currency IS NULL)))),
  constraint supplier_product_refused_currency_check CHECK ((refused_currency ~ '^[A-Z]{3}$'::text)),
  constraint supplier_product_refused_minor_check CHECK (((refused_minor >= (0)::numeric) AND (refused_minor = trunc(refused_minor)))),
  constraint supplier_product_score_check CHECK (((score >= 0) AND (score <= 100))),
  constraint supplier_product_status_check CHECK ((status = ANY (ARRAY['mapped'::text, 'draft'::text, 'unmatched'::text, 'excluded'::text, 'gone'::text]))),
  constraint supplier_product_stock_check CHECK ((stock >= 0)),
  constraint supplier_product_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supplier_product_sync_cost_check CHECK ((sync_cost = ANY (ARRAY['follow'::text, 'once'::text, 'never'::text]))),
  constraint supplier_product_sync_faces_check CHECK ((sync_faces = ANY (ARRAY['follow'::text, 'once'::text, 'never'::text]))),
  constraint supplier_product_sync_limits CHECK ((sync_limits = ANY (ARRAY['follow'::text, 'once'::text, 'never'::text]))),
  constraint supplier_product_sync_name_check CHECK ((sync_name = ANY (ARRAY['follow'::text, 'once'::text, 'never'::text]))),
  constraint supplier_product_sync_stock_check CHECK ((sync_stock = ANY (ARRAY['follow'::text, 'once'::text, 'never'::text])))
);

CREATE INDEX supplier_product_guessed ON public.supplier_product USING btree (supplier, product, face) WHERE ((matched_by = 'name'::text) AND (status = ANY (ARRAY['mapped'::text, 'draft'::text])));

CREATE INDEX supplier_product_held ON public.supplier_product USING btree (held_at) WHERE (held_at IS NOT NULL);

CREATE UNIQUE INDEX supplier_product_item ON public.supplier_product USING btree (supplier, item) WHERE (status = ANY (ARRAY['mapped'::text, 'draft'::text]));

CREATE INDEX supplier_product_jumped ON public.supplier_product USING btree (supplier, product, face) WHERE (held_at IS NOT NULL);

CREATE INDEX supplier_product_state ON public.supplier_product USING btree (supplier, status, product, face);

create table supplier_service (
  code text not null,
  sealed bytea,
  version integer not null,
  tried text not null,
  account_id text,
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint supplier_service_pkey PRIMARY KEY (code),
  constraint supplier_service_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 200))),
  constraint supplier_service_code_check CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 40))),
  constraint supplier_service_sealed_check CHECK (((octet_length(sealed) >= 29) AND (octet_length(sealed) <= 16384))),
  constraint supplier_service_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100))),
  constraint supplier_service_tried_check CHECK ((tried = ANY (ARRAY['good'::text, 'refused'::text, 'unknown'::text]))),
  constraint supplier_service_version_check CHECK ((version >= 1))
);

CREATE TRIGGER supplier_service_notify AFTER INSERT OR DELETE OR UPDATE ON public.supplier_service FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table supplier_service_draft (
  code text not null,
  sealed bytea,
  tried text not null,
  made_at timestamp with time zone not null,
  constraint supplier_service_draft_pkey PRIMARY KEY (code),
  constraint supplier_service_draft_code_check CHECK (((code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(code) <= 40))),
  constraint supplier_service_draft_sealed_check CHECK (((octet_length(sealed) >= 29) AND (octet_length(sealed) <= 16384))),
  constraint supplier_service_draft_tried_check CHECK ((tried = ANY (ARRAY['good'::text, 'refused'::text, 'unknown'::text])))
);

create table supplier_usage (
  id uuid not null,
  supplier code not null,
  currency currency_code not null,
  paid_currency currency_code not null,
  used_until timestamp with time zone not null,
  used_minor positive_amount not null,
  average_minor minor_amount not null,
  rate_minor minor_amount not null,
  booked_at timestamp with time zone not null,
  constraint supplier_usage_pkey PRIMARY KEY (id),
  constraint supplier_usage_supplier_currency_used_until_key UNIQUE (supplier, currency, used_until),
  constraint supplier_usage_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

create table supply_case (
  id uuid not null,
  purchase_id uuid not null,
  kind text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  note text,
  constraint supply_case_pkey PRIMARY KEY (id),
  constraint supply_case_check CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (note IS NULL)))),
  constraint supply_case_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 100))),
  constraint supply_case_kind_check CHECK ((kind = ANY (ARRAY['late'::text, 'reversed'::text, 'cost'::text, 'known'::text]))),
  constraint supply_case_note_check CHECK (((length(note) >= 1) AND (length(note) <= 300))),
  constraint supply_case_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchase(id),
  constraint supply_case_purchase_id_kind_key UNIQUE (purchase_id, kind)
);

CREATE INDEX supply_case_open ON public.supply_case USING btree (opened_at) WHERE (closed_at IS NULL);

create table supply_comparison (
  supplier code not null,
  compared_to timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  told integer not null,
  constraint supply_comparison_pkey PRIMARY KEY (supplier),
  constraint supply_comparison_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supply_comparison_told_check CHECK ((told >= 0))
);

create table supply_difference (
  id uuid not null,
  supplier code not null,
  kind text not null,
  purchase_id uuid,
  their_id text,
  their_reference text,
  our_status text,
  their_status text,
  currency currency_code,
  our_minor minor_amount,
  their_minor minor_amount,
  their_at timestamp with time zone,
  found_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  note text,
  constraint supply_difference_pkey PRIMARY KEY (id),
  constraint supply_difference_check CHECK (((kind = 'missing_here'::text) OR (purchase_id IS NOT NULL))),
  constraint supply_difference_check1 CHECK (((kind <> 'missing_here'::text) OR ((purchase_id IS NULL) AND (their_id IS NOT NULL)))),
  constraint supply_difference_check2 CHECK ((((closed_at IS NULL) = (closed_by IS NULL)) AND ((closed_at IS NULL) = (note IS NULL)))),
  constraint supply_difference_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 100))),
  constraint supply_difference_kind_check CHECK ((kind = ANY (ARRAY['missing_here'::text, 'missing_there'::text, 'amount'::text, 'state'::text]))),
  constraint supply_difference_note_check CHECK (((length(note) >= 1) AND (length(note) <= 300))),
  constraint supply_difference_our_status_check CHECK (((length(our_status) >= 1) AND (length(our_status) <= 20))),
  constraint supply_difference_purchase_id_fkey FOREIGN KEY (purchase_id) REFERENCES purchase(id),
  constraint supply_difference_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supply_difference_their_id_check CHECK (((length(their_id) >= 1) AND (length(their_id) <= 200))),
  constraint supply_difference_their_reference_check CHECK (((length(their_reference) >= 1) AND (length(their_reference) <= 200))),
  constraint supply_difference_their_status_check CHECK (((length(their_status) >= 1) AND (length(their_status) <= 20)))
);

CREATE INDEX supply_difference_open ON public.supply_difference USING btree (found_at) WHERE (closed_at IS NULL);

CREATE UNIQUE INDEX supply_difference_open_purchase ON public.supply_difference USING btree (purchase_id, kind) WHERE ((closed_at IS NULL) AND (purchase_id IS NOT NULL));

CREATE UNIQUE INDEX supply_difference_open_theirs ON public.supply_difference USING btree (supplier, their_id) WHERE ((closed_at IS NULL) AND (purchase_id IS NULL));

CREATE INDEX supply_difference_purchase ON public.supply_difference USING btree (purchase_id);

CREATE INDEX supply_difference_theirs ON public.supply_difference USING btree (supplier, their_id);

create table supply_queue (
  unit_id uuid not null,
  supplier code not null,
  due_at timestamp with time zone not null,
  rank_at timestamp with time zone not null,
  turn integer not null,
  taken_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  held text,
  is_allowed boolean not null default false,
  allowed_minor numeric(38,0),
  allowed_currency text,
  constraint supply_queue_pkey PRIMARY KEY (unit_id),
  constraint supply_queue_allowed CHECK ((((allowed_minor IS NULL) = (allowed_currency IS NULL)) AND (allowed_minor >= (0)::numeric))),
  constraint supply_queue_allowed_currency CHECK ((allowed_currency ~ '^[A-Z]{3}$'::text)),
  constraint supply_queue_check CHECK ((rank_at >= due_at)),
  constraint supply_queue_held_check CHECK ((held = ANY (ARRAY['price'::text, 'known'::text]))),
  constraint supply_queue_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code),
  constraint supply_queue_turn_check CHECK ((turn >= 0)),
  constraint supply_queue_unit_id_fkey FOREIGN KEY (unit_id) REFERENCES order_unit(id) ON DELETE CASCADE
);

CREATE INDEX supply_queue_rank ON public.supply_queue USING btree (supplier, rank_at) WHERE (held IS NULL);

create table supply_schedule (
  supplier code not null,
  every_seconds integer not null,
  next_at timestamp with time zone not null,
  failures integer not null default 0,
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint supply_schedule_pkey PRIMARY KEY (supplier),
  constraint supply_schedule_every_seconds_check CHECK (((every_seconds >= 900) AND (every_seconds <= 604800))),
  constraint supply_schedule_failures_check CHECK ((failures >= 0)),
  constraint supply_schedule_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100))),
  constraint supply_schedule_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

create table supply_sync_run (
  id uuid not null,
  supplier code not null,
  started_by text not null,
  began_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text,
  error text,
  report jsonb,
  is_dry boolean not null default false,
  read_count integer not null default 0,
  constraint supply_sync_run_pkey PRIMARY KEY (id),
  constraint supply_sync_run_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint supply_sync_run_check1 CHECK (((outcome IS DISTINCT FROM 'done'::text) OR (report IS NOT NULL))),
  constraint supply_sync_run_error_check CHECK (((length(error) >= 1) AND (length(error) <= 500))),
  constraint supply_sync_run_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text, 'refused'::text, 'lost'::text]))),
  constraint supply_sync_run_read_count_check CHECK ((read_count >= 0)),
  constraint supply_sync_run_report_check CHECK ((jsonb_typeof(report) = 'object'::text)),
  constraint supply_sync_run_started_by_check CHECK (((length(started_by) >= 1) AND (length(started_by) <= 100))),
  constraint supply_sync_run_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

CREATE INDEX supply_sync_run_latest ON public.supply_sync_run USING btree (supplier, began_at DESC);

CREATE UNIQUE INDEX supply_sync_run_live ON public.supply_sync_run USING btree (supplier) WHERE (ended_at IS NULL);

create table supply_sync_wish (
  supplier code not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  is_dry boolean not null,
  applies_jumps boolean not null,
  constraint supply_sync_wish_pkey PRIMARY KEY (supplier),
  constraint supply_sync_wish_asked_by_check CHECK (((length(asked_by) >= 1) AND (length(asked_by) <= 100))),
  constraint supply_sync_wish_supplier_fkey FOREIGN KEY (supplier) REFERENCES supplier(code)
);

create table sweep (
  name text not null,
  begun_at timestamp with time zone,
  finished_at timestamp with time zone,
  duration_ms integer,
  error text,
  failures integer not null default 0,
  wanted_at timestamp with time zone,
  leased_by uuid,
  leased_until timestamp with time zone,
  constraint sweep_pkey PRIMARY KEY (name),
  constraint sweep_check CHECK (((leased_by IS NULL) = (leased_until IS NULL))),
  constraint sweep_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint sweep_error_check CHECK ((length(error) <= 500)),
  constraint sweep_failures_check CHECK ((failures >= 0)),
  constraint sweep_name_check CHECK ((name ~ '^[a-z]+(_[a-z]+)*(:[a-z0-9_-]+)?$'::text))
);

create table system_check (
  subject text not null,
  place smallint not null,
  problems text[] not null,
  work text[] not null,
  note text not null,
  looked_at timestamp with time zone not null,
  constraint system_check_pkey PRIMARY KEY (subject),
  constraint system_check_note_check CHECK ((length(note) <= 2000)),
  constraint system_check_subject_check CHECK (((subject ~ '^[a-z]+([ -][a-z]+)*$'::text) AND (length(subject) <= 60)))
);

create table tally (
  span text not null,
  subject text not null,
  begins timestamp with time zone not null,
  value text not null,
  currency text not null,
  done integer not null default 0,
  failed integer not null default 0,
  minor numeric(38,0) not null default 0,
  part_minor numeric(38,0) not null default 0,
  usd bigint not null default 0,
  part_usd bigint not null default 0,
  times integer[],
  constraint tally_pkey PRIMARY KEY (span, subject, begins, value, currency),
  constraint tally_currency_check CHECK ((currency ~ '^([A-Z]{3})?$'::text)),
  constraint tally_done_check CHECK ((done >= 0)),
  constraint tally_failed_check CHECK ((failed >= 0)),
  constraint tally_span_check CHECK ((span = ANY (ARRAY['day'::text, 'month'::text]))),
  constraint tally_subject_check CHECK ((subject = ANY (ARRAY['purchase'::text, 'key_bought'::text, 'key_sold'::text, 'tax'::text]))),
  constraint tally_value_check CHECK ((length(value) <= 100))
);

create table tally_due (
  begins timestamp with time zone not null,
  constraint tally_due_pkey PRIMARY KEY (begins)
);

create table tally_month (
  begins timestamp with time zone not null,
  constraint tally_month_pkey PRIMARY KEY (begins)
);

create table tally_progress (
  is_only boolean not null default true,
  time_zone text not null,
  reached timestamp with time zone not null,
  edition integer not null,
  constraint tally_progress_pkey PRIMARY KEY (is_only),
  constraint tally_progress_edition_check CHECK ((edition > 0)),
  constraint tally_progress_is_only_check CHECK (is_only),
  constraint tally_progress_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 100)))
);

create table tax_booking (
  id uuid not null,
  order_id uuid not null,
  refund_id uuid,
  kind text not null,
  at timestamp with time zone not null,
  country text,
  class text not null,
  basis_points integer not null,
  currency currency_code not null,
  gross_minor numeric(38,0) not null,
  tax_minor numeric(38,0) not null,
  constraint tax_booking_pkey PRIMARY KEY (id),
  constraint tax_booking_basis_points_check CHECK (((basis_points >= 0) AND (basis_points <= 10000))),
  constraint tax_booking_check CHECK (((kind = 'sale'::text) = (refund_id IS NULL))),
  constraint tax_booking_check1 CHECK (
CASE
    WHEN (kind = 'refund'::text) THEN ((gross_minor < (0)::numeric) AND ((tax_minor >= gross_minor) AND (tax_minor <= (0)::numeric)))
    ELSE ((gross_minor > (0)::numeric) AND ((tax_minor >= (0)::numeric) AND (tax_minor <= gross_minor)))
END),
  constraint tax_booking_class_check CHECK ((class = ANY (ARRAY['single_purpose'::text, 'multi_purpose'::text, 'service'::text, 'none'::text]))),
  constraint tax_booking_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint tax_booking_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint tax_booking_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'refund'::text, 'returned'::text]))),
  constraint tax_booking_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint tax_booking_order_id_refund_id_kind_class_basis_points_key UNIQUE NULLS NOT DISTINCT (order_id, refund_id, kind, class, basis_points),
  constraint tax_booking_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id)
);

CREATE INDEX tax_booking_at ON public.tax_booking USING btree (at);

CREATE TRIGGER tax_booking_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.tax_booking FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

create table tax_class (
  id uuid not null,
  product text,
  country text,
  class text,
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint tax_class_pkey PRIMARY KEY (id),
  constraint tax_class_class_check CHECK ((class = ANY (ARRAY['single_purpose'::text, 'multi_purpose'::text, 'service'::text, 'none'::text]))),
  constraint tax_class_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint tax_class_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE,
  constraint tax_class_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100)))
);

CREATE INDEX tax_class_newest ON public.tax_class USING btree (product, country, id DESC);

CREATE TRIGGER tax_class_append_only BEFORE DELETE OR UPDATE OF id, country, class, set_by, set_at OR TRUNCATE ON public.tax_class FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

CREATE TRIGGER tax_class_notify AFTER INSERT ON public.tax_class FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table tax_due (
  id bigint not null,
  order_id uuid not null,
  refund_id uuid,
  kind text not null,
  at timestamp with time zone not null,
  constraint tax_due_pkey PRIMARY KEY (id),
  constraint tax_due_check CHECK (((kind = 'sale'::text) = (refund_id IS NULL))),
  constraint tax_due_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'refund'::text, 'returned'::text]))),
  constraint tax_due_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id),
  constraint tax_due_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund(id)
);

CREATE INDEX tax_due_of_order ON public.tax_due USING btree (order_id);

CREATE TRIGGER tax_due_known BEFORE DELETE ON public.tax_due FOR EACH ROW WHEN ((old.refund_id IS NOT NULL)) EXECUTE FUNCTION tax_due_is_known();

create table tax_rate (
  id uuid not null,
  country text not null,
  class text not null,
  basis_points integer not null,
  valid_from timestamp with time zone not null,
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint tax_rate_pkey PRIMARY KEY (id),
  constraint tax_rate_basis_points_check CHECK (((basis_points >= 0) AND (basis_points <= 10000))),
  constraint tax_rate_class_check CHECK ((class = ANY (ARRAY['single_purpose'::text, 'service'::text]))),
  constraint tax_rate_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint tax_rate_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100)))
);

CREATE INDEX tax_rate_newest ON public.tax_rate USING btree (country, class, valid_from DESC, id DESC);

CREATE TRIGGER tax_rate_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.tax_rate FOR EACH STATEMENT EXECUTE FUNCTION is_append_only();

CREATE TRIGGER tax_rate_notify AFTER INSERT ON public.tax_rate FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table text_override (
  language language_code not null,
  key text not null,
  text text not null,
  original_hash text not null,
  made_by text not null,
  made_at timestamp with time zone not null,
  constraint text_override_pkey PRIMARY KEY (language, key),
  constraint text_override_key_check CHECK (((key ~ '^[a-zA-Z0-9._-]+$'::text) AND (length(key) <= 200))),
  constraint text_override_made_by_check CHECK (((length(made_by) >= 1) AND (length(made_by) <= 100))),
  constraint text_override_original_hash_check CHECK ((original_hash ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint text_override_text_check CHECK (((length(text) >= 1) AND (length(text) <= 4000)))
);

CREATE TRIGGER text_override_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.text_override FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table transition_rule (
  machine text not null,
  from_status text not null,
  to_status text not null,
  constraint transition_rule_pkey PRIMARY KEY (machine, from_status, to_status)
);

create table translation (
  subject text not null,
  subject_code text not null,
  field text not null,
  language language_code not null,
  text text not null,
  origin text not null,
  english_hash text not null,
  constraint translation_pkey PRIMARY KEY (subject, subject_code, field, language),
  constraint translation_english_hash_check CHECK ((english_hash ~ '^[0-9a-f]{16}$'::text)),
  constraint translation_origin_check CHECK ((origin = ANY (ARRAY['data'::text, 'human'::text, 'machine'::text, 'cldr'::text]))),
  constraint translation_subject_check CHECK ((subject = ANY (ARRAY['brand'::text, 'game'::text, 'category'::text, 'unit'::text, 'region'::text, 'country'::text, 'currency'::text, 'platform'::text, 'article_category'::text, 'article'::text, 'phrase'::text]))),
  constraint translation_text_check CHECK ((text <> ''::text))
);

CREATE TRIGGER translation_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.translation FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table unit (
  key text not null,
  name text not null,
  is_proper boolean not null,
  constraint unit_pkey PRIMARY KEY (key)
);

CREATE TRIGGER unit_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.unit FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table uploaded_picture (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  purpose text not null,
  content bytea not null,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone not null,
  constraint uploaded_picture_pkey PRIMARY KEY (id),
  constraint uploaded_picture_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint uploaded_picture_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5242880))),
  constraint uploaded_picture_height_check CHECK ((height > 0)),
  constraint uploaded_picture_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint uploaded_picture_public_id_key UNIQUE (public_id),
  constraint uploaded_picture_purpose_check CHECK ((purpose = ANY (ARRAY['avatar'::text, 'ticket'::text]))),
  constraint uploaded_picture_width_check CHECK ((width > 0))
);

CREATE INDEX uploaded_picture_account ON public.uploaded_picture USING btree (account_id, created_at);

create table vault_reader (
  id uuid not null,
  name text not null,
  key_ids integer[] not null,
  seen_at timestamp with time zone not null,
  constraint vault_reader_pkey PRIMARY KEY (id),
  constraint vault_reader_name_check CHECK (((length(name) >= 1) AND (length(name) <= 300)))
);

create table verification (
  id uuid not null,
  purpose text not null,
  account_id uuid,
  target text not null default ''::text,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  tries smallint not null default 0,
  secret_hash bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  constraint verification_pkey PRIMARY KEY (id),
  constraint verification_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint verification_check CHECK (((code_hash IS NULL) = (code_expires_at IS NULL))),
  constraint verification_check1 CHECK (((code_hash IS NOT NULL) OR (secret_hash IS NOT NULL))),
  constraint verification_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint verification_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'reset'::text, 'email'::text, 'phone'::text, 'proof'::text, 'undo_cancel'::text, 'unfreeze'::text, 'sign_in_elsewhere'::text, 'bind'::text, 'second_factor'::text, 'passkey'::text, 'operator_invitation'::text, 'owner_link'::text]))),
  constraint verification_secret_hash_check CHECK ((length(secret_hash) = 32)),
  constraint verification_secret_hash_key UNIQUE (secret_hash),
  constraint verification_target_check CHECK ((length(target) <= 254)),
  constraint verification_tries_check CHECK (((tries >= 0) AND (tries <= 5)))
);

CREATE INDEX verification_account ON public.verification USING btree (account_id);

CREATE INDEX verification_code ON public.verification USING btree (code_hash) WHERE (used_at IS NULL);

CREATE INDEX verification_expiry ON public.verification USING btree (expires_at);

CREATE UNIQUE INDEX verification_living ON public.verification USING btree (purpose, target, COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE ((used_at IS NULL) AND (target <> ''::text));

create table visit (
  day date not null,
  visit_id_hash bytea not null,
  constraint visit_pkey PRIMARY KEY (day, visit_id_hash),
  constraint visit_visit_id_hash_check CHECK ((length(visit_id_hash) = 32))
);

create table visit_count (
  day date not null,
  visits bigint not null default 0,
  constraint visit_count_pkey PRIMARY KEY (day),
  constraint visit_count_visits_check CHECK ((visits >= 0))
);

create table webhook_delivery (
  id uuid not null,
  public_id public_id not null,
  endpoint_id uuid not null,
  order_id uuid not null,
  order_status text not null,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null,
  answer text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_answer_check CHECK ((length(answer) <= 100)),
  constraint webhook_delivery_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_delivery_check CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id),
  constraint webhook_delivery_order_id_fkey FOREIGN KEY (order_id) REFERENCES shop_order(id) ON DELETE CASCADE,
  constraint webhook_delivery_order_status_check CHECK (((length(order_status) >= 1) AND (length(order_status) <= 40))),
  constraint webhook_delivery_public_id_key UNIQUE (public_id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'given_up'::text])))
);

CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (endpoint_id, due_at) WHERE (state = 'waiting'::text);

CREATE INDEX webhook_delivery_ended ON public.webhook_delivery USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX webhook_delivery_listed ON public.webhook_delivery USING btree (endpoint_id, created_at);

CREATE INDEX webhook_delivery_order ON public.webhook_delivery USING btree (order_id);

create table webhook_endpoint (
  id uuid not null,
  public_id public_id not null,
  account_id uuid not null,
  url text not null,
  salt bytea not null,
  status text not null default 'on'::text,
  created_at timestamp with time zone not null,
  created_by text not null,
  last_attempt_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint webhook_endpoint_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
  constraint webhook_endpoint_public_id_key UNIQUE (public_id),
  constraint webhook_endpoint_salt_check CHECK ((octet_length(salt) = 32)),
  constraint webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['on'::text, 'off'::text]))),
  constraint webhook_endpoint_url_check CHECK (((length(url) >= 1) AND (length(url) <= 500)))
);

CREATE INDEX webhook_endpoint_account ON public.webhook_endpoint USING btree (account_id) WHERE (status = 'on'::text);

create view credit_debt as
 SELECT (substr(a.code, 13))::uuid AS account_id,
    a.currency,
    owed.minor AS owed_minor
   FROM (ledger_account a
     CROSS JOIN LATERAL ( SELECT sum(t.minor) AS minor
           FROM ( SELECT (ledger_transfer.amount_minor)::numeric AS minor
                   FROM ledger_transfer
                  WHERE (ledger_transfer.debit = a.id)
                UNION ALL
                 SELECT (- (ledger_transfer.amount_minor)::numeric)
                   FROM ledger_transfer
                  WHERE (ledger_transfer.credit = a.id)) t) owed)
  WHERE ((a.code ~~ 'credit\_debt:%'::text) AND (owed.minor IS NOT NULL));

create view credit_funding as
 SELECT o.account_id,
    o.id AS order_id,
    p.id AS attempt_id,
    t.currency,
    t.amount_minor
   FROM (((order_unit u
     JOIN shop_order o ON ((o.id = u.order_id)))
     JOIN payment_attempt p ON (((p.order_id = o.id) AND p.is_applied)))
     JOIN ledger_transfer t ON (((t.source = 'deliver'::text) AND (t.source_id = u.id))))
  WHERE (u.delivery = 'store_credit'::text)
UNION ALL
 SELECT o.account_id,
    o.id AS order_id,
    r.attempt_id,
    t.currency,
    t.amount_minor
   FROM ((refund r
     JOIN shop_order o ON ((o.id = r.order_id)))
     JOIN ledger_transfer t ON (((t.source = 'refund'::text) AND (t.source_id = r.id))))
  WHERE (r.destination = 'store_credit'::text);

create view funded_credit as
 SELECT id AS attempt_id,
    order_id,
    captured_currency AS currency,
    reversed_minor,
    ( SELECT COALESCE(sum((f.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM credit_funding f
          WHERE ((f.attempt_id = p.id) AND ((f.currency)::text = (p.captured_currency)::text))) AS funded_minor,
    ( SELECT COALESCE(sum(
                CASE t.source
                    WHEN 'reclaim'::text THEN (t.amount_minor)::numeric
                    ELSE (- (t.amount_minor)::numeric)
                END), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = ANY (ARRAY['reclaim'::text, 'reclaim_undone'::text])) AND (t.source_id = p.id))) AS reclaimed_minor
   FROM payment_attempt p;

create view invariant_of_books as
 SELECT 'balance differs from its transfers'::text AS invariant,
    (a.id)::text AS subject
   FROM ledger_account a
  WHERE ((a.balance_minor IS NOT NULL) AND (a.balance_minor <> ( SELECT COALESCE(sum(
                CASE
                    WHEN (t.credit = a.id) THEN (t.amount_minor)::numeric
                    ELSE (- (t.amount_minor)::numeric)
                END), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((a.id = t.debit) OR (a.id = t.credit)))))
UNION ALL
 SELECT 'notice not worked off'::text AS invariant,
    (((e.provider)::text || ' '::text) || e.event_id) AS subject
   FROM provider_event e
  WHERE ((e.processed_at IS NULL) AND (e.received_at < (now() - '00:01:00'::interval)))
UNION ALL
 SELECT 'credit beside a debt'::text AS invariant,
    (d.account_id)::text AS subject
   FROM (credit_debt d
     JOIN ledger_account a ON (((a.code = ('store_credit:'::text || d.account_id)) AND ((a.currency)::text = (d.currency)::text))))
  WHERE ((d.owed_minor < (0)::numeric) OR ((d.owed_minor > (0)::numeric) AND (a.balance_minor > (0)::numeric)))
UNION ALL
 SELECT 'owed goods of all orders and the books differ'::text AS invariant,
    (a.currency)::text AS subject
   FROM ledger_account a
  WHERE ((a.code = 'orders'::text) AND (moved_in_all(a.id) <> ( SELECT COALESCE(sum((u.price_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM (shop_order o
             JOIN order_unit u ON ((u.order_id = o.id)))
          WHERE (((o.currency)::text = (a.currency)::text) AND (o.settled_at IS NOT NULL) AND (u.delivered_at IS NULL) AND (u.status <> 'refunded'::text)))))
UNION ALL
 SELECT 'held money of all orders and the books differ'::text AS invariant,
    (a.currency)::text AS subject
   FROM ledger_account a
  WHERE ((a.code = 'held'::text) AND (moved_in_all(a.id) <> ((((( SELECT COALESCE(sum((p.captured_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM payment_attempt p
          WHERE ((p.captured_currency)::text = (a.currency)::text)) + ( SELECT COALESCE(sum((s.shortfall_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM accepted_payment s
          WHERE ((s.currency)::text = (a.currency)::text))) - ( SELECT COALESCE(sum((o.total_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM shop_order o
          WHERE (((o.currency)::text = (a.currency)::text) AND (o.settled_at IS NOT NULL)))) - ( SELECT COALESCE(sum((r.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM refund r
          WHERE (((r.currency)::text = (a.currency)::text) AND (r.status = 'succeeded'::text) AND (r.purpose = 'surplus'::text)))) - ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM (refund r
             JOIN ledger_transfer t ON (((t.source = 'refund'::text) AND (t.source_id = r.id) AND (t.debit = a.id))))
          WHERE ((r.status = 'succeeded'::text) AND (r.purpose = 'reversal'::text))))))
UNION ALL
 SELECT 'money reserved with a supplier and its purchases differ'::text AS invariant,
    ((a.code || ' '::text) || (a.currency)::text) AS subject
   FROM ledger_account a
  WHERE ((a.code ~~ 'supplier_reserved:%'::text) AND ((- moved_in_all(a.id)) <> ( SELECT COALESCE(sum((p.expected_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM purchase p
          WHERE (((p.supplier)::text = substr(a.code, 19)) AND ((p.currency)::text = (a.currency)::text) AND (p.ended_at IS NULL)))))
UNION ALL
 SELECT 'deposit at a supplier and the ledger differ'::text AS invariant,
    (d.id)::text AS subject
   FROM supplier_deposit d
  WHERE ((((d.amount_minor)::numeric + (d.fee_minor)::numeric) + COALESCE((d.paid_minor)::numeric, (0)::numeric)) <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'deposit'::text) AND (t.source_id = d.id))))
UNION ALL
 SELECT 'commission of a supplier and the ledger differ'::text AS invariant,
    (c.id)::text AS subject
   FROM supplier_commission c
  WHERE ((c.amount_minor)::numeric <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'commission'::text) AND (t.source_id = c.id))))
UNION ALL
 SELECT 'exchange difference and the ledger differ'::text AS invariant,
    (u.id)::text AS subject
   FROM supplier_usage u
  WHERE (abs(((u.average_minor)::numeric - (u.rate_minor)::numeric)) <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'exchange'::text) AND (t.source_id = u.id))))
UNION ALL
 SELECT 'key of a withdrawn batch can be sold'::text AS invariant,
    (k.id)::text AS subject
   FROM (key_batch b
     JOIN card_key k ON ((k.batch_id = b.id)))
  WHERE ((b.withdrawn_at IS NOT NULL) AND (k.status = ANY (ARRAY['free'::text, 'quarantined'::text])))
UNION ALL
 SELECT 'stray money matched to a payment of another sum'::text AS invariant,
    (s.id)::text AS subject
   FROM (stray_payment s
     JOIN payment_attempt p ON ((p.id = s.attempt_id)))
  WHERE (((p.provider)::text <> (s.provider)::text) OR (p.provider_reference IS DISTINCT FROM s.provider_reference) OR ((p.captured_currency)::text IS DISTINCT FROM (s.currency)::text) OR ((p.captured_minor)::numeric < (s.amount_minor)::numeric))
UNION ALL
 SELECT 'credit of an account that is erased'::text AS invariant,
    (o.id)::text AS subject
   FROM (account o
     JOIN ledger_account a ON ((a.code = ('store_credit:'::text || o.id))))
  WHERE ((o.status = 'erased'::text) AND (a.balance_minor > (0)::numeric))
UNION ALL
 SELECT 'debt of an account that is erased'::text AS invariant,
    (o.id)::text AS subject
   FROM (account o
     JOIN credit_debt d ON ((d.account_id = o.id)))
  WHERE ((o.status = 'erased'::text) AND (d.owed_minor <> (0)::numeric))
UNION ALL
 SELECT 'sweep that is not done'::text AS invariant,
    w.name AS subject
   FROM sweep w
  WHERE ((w.name ~ '^(payments:|refunds:|supply:|expire_orders$|tell_buyers$|check_changed$)'::text) AND (w.begun_at < (now() - '01:00:00'::interval)));

create view invariant_of_order as
 SELECT 'label differs from facts'::text AS invariant,
    (order_label.id)::text AS subject,
    order_label.id AS order_id
   FROM order_label
  WHERE (order_label.status <> order_label.label)
UNION ALL
 SELECT 'label differs from its last event'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE (o.status IS DISTINCT FROM ( SELECT e.to_status
           FROM order_event e
          WHERE (e.order_id = o.id)
          ORDER BY e.seq DESC
         LIMIT 1))
UNION ALL
 SELECT 'line and units differ'::text AS invariant,
    (l.id)::text AS subject,
    l.order_id
   FROM order_line l
  WHERE (l.quantity <> ( SELECT count(*) AS count
           FROM order_unit u
          WHERE ((u.line_id = l.id) AND (u.order_id = l.order_id) AND (NOT (u.item IS DISTINCT FROM l.item)) AND (u.delivery = l.delivery) AND ((u.price_minor)::numeric = (l.price_minor)::numeric))))
UNION ALL
 SELECT 'goods and lines differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.goods_minor)::numeric <> ( SELECT COALESCE(sum(((l.price_minor)::numeric * (l.quantity)::numeric)), (0)::numeric) AS "coalesce"
           FROM order_line l
          WHERE (l.order_id = o.id)))
UNION ALL
 SELECT 'tax of an order and of its units differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((EXISTS ( SELECT
           FROM order_line l
          WHERE ((l.order_id = o.id) AND (l.tax_class IS NOT NULL)))) AND ((o.tax_minor)::numeric <> ( SELECT COALESCE(sum((l.tax_minor * (l.quantity)::numeric)), (0)::numeric) AS "coalesce"
           FROM order_line l
          WHERE (l.order_id = o.id))))
UNION ALL
 SELECT 'order differs from what lists say of it'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.has_cards <> (EXISTS ( SELECT
           FROM order_line l
          WHERE ((l.order_id = o.id) AND (l.goods_type = ANY (ARRAY[1, 4])))))) OR (o.has_charging <> (EXISTS ( SELECT
           FROM order_line l
          WHERE ((l.order_id = o.id) AND (l.goods_type = ANY (ARRAY[2, 3])))))) OR (o.has_claims <> ((EXISTS ( SELECT
           FROM refund r
          WHERE ((r.order_id = o.id) AND (r.purpose = 'goods'::text) AND (r.status <> 'rejected'::text)))) OR (EXISTS ( SELECT
           FROM service_case c
          WHERE ((c.order_id = o.id) AND (c.status <> 'withdrawn'::text)))))) OR (o.cards_delivered <> ( SELECT count(*) AS count
           FROM (order_unit u
             JOIN card_key k ON ((k.unit_id = u.id)))
          WHERE ((u.order_id = o.id) AND (u.delivery = 'card_key'::text) AND (u.delivered_at IS NOT NULL) AND (k.delivered_at IS NOT NULL)))))
UNION ALL
 SELECT 'payment shown to another shopper, or to none'::text AS invariant,
    (t.id)::text AS subject,
    o.id AS order_id
   FROM ((payment_attempt p
     JOIN shop_order o ON ((o.id = p.order_id)))
     JOIN ledger_transfer t ON (((t.source = 'capture'::text) AND (t.source_id = p.id))))
  WHERE (t.account_id IS DISTINCT FROM o.account_id)
UNION ALL
 SELECT 'refund not shown once'::text AS invariant,
    (r.id)::text AS subject,
    o.id AS order_id
   FROM (refund r
     JOIN shop_order o ON ((o.id = r.order_id)))
  WHERE ((r.status = 'succeeded'::text) AND (1 <> ( SELECT count(*) AS count
           FROM ledger_transfer t
          WHERE ((t.source = 'refund'::text) AND (t.source_id = r.id) AND (t.account_id = o.account_id)))))
UNION ALL
 SELECT 'card delivered without a key'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM order_unit u
  WHERE ((u.delivery = 'card_key'::text) AND (u.status = 'delivered'::text) AND (NOT (EXISTS ( SELECT
           FROM card_key k
          WHERE ((k.unit_id = u.id) AND (k.item = u.item) AND (k.status = ANY (ARRAY['delivered'::text, 'void'::text])))))))
UNION ALL
 SELECT 'key delivered for what was not paid'::text AS invariant,
    (k.id)::text AS subject,
    o.id AS order_id
   FROM ((card_key k
     JOIN order_unit u ON ((u.id = k.unit_id)))
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE ((k.status = 'delivered'::text) AND (o.settled_at IS NULL))
UNION ALL
 SELECT 'key kept for an order that is over'::text AS invariant,
    (k.id)::text AS subject,
    o.id AS order_id
   FROM ((card_key k
     JOIN order_unit u ON ((u.id = k.unit_id)))
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE ((k.status = 'claimed'::text) AND (o.status = ANY (ARRAY['cancelled'::text, 'expired'::text, 'refunded'::text, 'completed'::text])))
UNION ALL
 SELECT 'paid card without a key'::text AS invariant,
    (u.id)::text AS subject,
    o.id AS order_id
   FROM (order_unit u
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE ((u.delivery = 'card_key'::text) AND (NOT u.to_order) AND (u.status = 'queued'::text) AND (o.settled_at IS NOT NULL) AND (o.hold IS NULL))
UNION ALL
 SELECT 'paid card that nobody buys'::text AS invariant,
    (u.id)::text AS subject,
    o.id AS order_id
   FROM (order_unit u
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE (u.to_order AND (u.status = 'queued'::text) AND (o.settled_at < (now() - '01:00:00'::interval)) AND (NOT (EXISTS ( SELECT
           FROM supply_queue q
          WHERE (q.unit_id = u.id)))))
UNION ALL
 SELECT 'card made to order that is none, or has a key of the shop''s'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM (order_unit u
     LEFT JOIN card_key k ON ((k.unit_id = u.id)))
  WHERE (u.to_order AND ((u.delivery <> 'card_key'::text) OR (k.status = 'claimed'::text)))
UNION ALL
 SELECT 'bought card without the key that was bought'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM (order_unit u
     JOIN purchase_unit n ON ((n.unit_id = u.id)))
  WHERE ((u.delivery = 'card_key'::text) AND n.is_done AND (NOT (EXISTS ( SELECT
           FROM card_key k
          WHERE ((k.unit_id = u.id) AND (k.batch_id = n.purchase_id))))))
UNION ALL
 SELECT 'captured differs from the ledger'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE ((p.captured_minor)::numeric <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'capture'::text) AND (t.source_id = p.id))))
UNION ALL
 SELECT 'order and its payments differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.captured_minor)::numeric <> ( SELECT COALESCE(sum((p.captured_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM payment_attempt p
          WHERE ((p.order_id = o.id) AND ((p.captured_currency)::text = (o.currency)::text))))
UNION ALL
 SELECT 'order and its refunds differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.refunded_minor)::numeric <> ( SELECT COALESCE(sum((r.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM refund r
          WHERE ((r.order_id = o.id) AND ((r.currency)::text = (o.currency)::text) AND (r.status = 'succeeded'::text))))
UNION ALL
 SELECT 'payment and its refunds differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE ((p.refunded_minor)::numeric <> ( SELECT COALESCE(sum((r.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM refund r
          WHERE ((r.attempt_id = p.id) AND (r.status = 'succeeded'::text))))
UNION ALL
 SELECT 'refund and the ledger differ'::text AS invariant,
    (r.id)::text AS subject,
    r.order_id
   FROM refund r
  WHERE (
        CASE
            WHEN (r.status = 'succeeded'::text) THEN ((r.amount_minor)::numeric + (r.rest_minor)::numeric)
            ELSE (0)::numeric
        END <> ( SELECT COALESCE(sum(
                CASE t.source
                    WHEN 'refund'::text THEN (t.amount_minor)::numeric
                    ELSE (- (t.amount_minor)::numeric)
                END), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = ANY (ARRAY['refund'::text, 'refund_undone'::text])) AND (t.source_id = r.id))))
UNION ALL
 SELECT 'payment and its reversals differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE ((p.reversed_minor)::numeric <> (( SELECT COALESCE(sum((r.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM refund r
          WHERE ((r.attempt_id = p.id) AND (r.purpose = 'reversal'::text) AND (r.status = 'succeeded'::text))) + ( SELECT COALESCE(sum(
                CASE t.source
                    WHEN 'write_off'::text THEN (t.amount_minor)::numeric
                    ELSE (- (t.amount_minor)::numeric)
                END), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = ANY (ARRAY['write_off'::text, 'write_off_undone'::text])) AND (t.source_id = p.id)))))
UNION ALL
 SELECT 'settled without a payment applied, or applied without'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.settled_at IS NOT NULL) <> (EXISTS ( SELECT
           FROM payment_attempt p
          WHERE ((p.order_id = o.id) AND p.is_applied))))
UNION ALL
 SELECT 'payment begun without agreement'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.waived_at IS NULL) AND (EXISTS ( SELECT
           FROM payment_attempt p
          WHERE (p.order_id = o.id))))
UNION ALL
 SELECT 'store credit that was bought went elsewhere'::text AS invariant,
    (u.id)::text AS subject,
    o.id AS order_id
   FROM (((order_unit u
     JOIN shop_order o ON ((o.id = u.order_id)))
     JOIN ledger_transfer t ON (((t.source = 'deliver'::text) AND (t.source_id = u.id))))
     JOIN ledger_account a ON ((a.id = t.credit)))
  WHERE (a.code <>
        CASE
            WHEN (u.delivery = 'store_credit'::text) THEN ('store_credit:'::text || o.account_id)
            ELSE 'sales'::text
        END)
UNION ALL
 SELECT 'paid store credit not given'::text AS invariant,
    (u.id)::text AS subject,
    o.id AS order_id
   FROM (order_unit u
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE ((u.delivery = 'store_credit'::text) AND (u.status = 'queued'::text) AND (o.settled_at IS NOT NULL))
UNION ALL
 SELECT 'settled total and the ledger differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE (
        CASE
            WHEN (o.settled_at IS NULL) THEN (0)::numeric
            ELSE (o.total_minor)::numeric
        END <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'settle'::text) AND (t.source_id = o.id))))
UNION ALL
 SELECT 'unit delivered and the ledger differ'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM order_unit u
  WHERE (
        CASE
            WHEN (u.delivered_at IS NULL) THEN (0)::numeric
            ELSE (u.price_minor)::numeric
        END <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'deliver'::text) AND (t.source_id = u.id))))
UNION ALL
 SELECT 'case and its units differ'::text AS invariant,
    (c.id)::text AS subject,
    c.order_id
   FROM service_case c
  WHERE (EXISTS ( SELECT
           FROM service_case_unit u
          WHERE ((u.case_id = c.id) AND (u.is_open <> (c.status = 'open'::text)))))
UNION ALL
 SELECT 'request open without a hold'::text AS invariant,
    (c.id)::text AS subject,
    o.id AS order_id
   FROM (service_case c
     JOIN shop_order o ON ((o.id = c.order_id)))
  WHERE ((c.status = 'open'::text) AND (c.kind = 'refund_request'::text) AND (o.hold IS NULL) AND (o.status = 'completed'::text))
UNION ALL
 SELECT 'credit of money that a bank has taken back'::text AS invariant,
    (f.attempt_id)::text AS subject,
    f.order_id
   FROM funded_credit f
  WHERE ((((f.reversed_minor)::numeric > (0)::numeric) OR (EXISTS ( SELECT
           FROM ledger_transfer t
          WHERE ((t.source = 'reclaim'::text) AND (t.source_id = f.attempt_id))))) AND (f.reclaimed_minor <> LEAST((f.reversed_minor)::numeric, f.funded_minor)))
UNION ALL
 SELECT 'hold of an order and disputes of its payments differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE
        CASE
            WHEN (EXISTS ( SELECT
               FROM payment_attempt p
              WHERE ((p.order_id = o.id) AND p.is_disputed))) THEN ((o.hold IS NULL) OR (o.hold = 'refund_requested'::text))
            ELSE (o.hold = 'disputed'::text)
        END
UNION ALL
 SELECT 'case of a dispute and disputes of payments differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((EXISTS ( SELECT
           FROM payment_attempt p
          WHERE ((p.order_id = o.id) AND p.is_disputed))) <> (EXISTS ( SELECT
           FROM service_case c
          WHERE ((c.order_id = o.id) AND (c.kind = 'dispute'::text) AND (c.status = 'open'::text)))))
UNION ALL
 SELECT 'refund waits for money that a bank has taken'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE (((p.reversed_minor)::numeric > (0)::numeric) AND (EXISTS ( SELECT
           FROM refund r
          WHERE ((r.attempt_id = p.id) AND (r.status = ANY (ARRAY['requested'::text, 'approved'::text]))))) AND (((p.captured_minor)::numeric - (p.reversed_minor)::numeric) < ( SELECT sum((r.amount_minor)::numeric) AS sum
           FROM refund r
          WHERE ((r.attempt_id = p.id) AND (r.purpose <> 'reversal'::text) AND (r.status <> ALL (ARRAY['failed'::text, 'rejected'::text]))))))
UNION ALL
 SELECT 'open payment that nobody asks about'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE ((p.status = ANY (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text])) AND (p.check_at IS NULL))
UNION ALL
 SELECT 'unpaid order past its time'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.status = 'pending_payment'::text) AND (o.expires_at < (now() - '01:00:00'::interval)))
UNION ALL
 SELECT 'refund is not its units and fee'::text AS invariant,
    (r.id)::text AS subject,
    r.order_id
   FROM refund r
  WHERE ((r.purpose = 'goods'::text) AND (r.status <> 'rejected'::text) AND ((r.amount_minor)::numeric <> (((r.fee_minor)::numeric - (r.rest_minor)::numeric) + ( SELECT COALESCE(sum((u.price_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM (refund_unit n
             JOIN order_unit u ON ((u.id = n.unit_id)))
          WHERE (n.refund_id = r.id)))))
UNION ALL
 SELECT 'key shown without a note of who looked'::text AS invariant,
    (k.id)::text AS subject,
    u.order_id
   FROM (order_unit u
     JOIN card_key k ON ((k.unit_id = u.id)))
  WHERE ((k.revealed_at IS NOT NULL) AND (NOT (EXISTS ( SELECT
           FROM key_access a
          WHERE (a.key_id = k.id)))))
UNION ALL
 SELECT 'event that its buyer was not told'::text AS invariant,
    (e.id)::text AS subject,
    e.order_id
   FROM order_event e
  WHERE (e.is_to_tell AND (e.at < (now() - '01:00:00'::interval)))
UNION ALL
 SELECT 'store credit and its payment differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE (((p.provider)::text = 'store-credit'::text) AND ((p.captured_minor)::numeric <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'spend'::text) AND (t.source_id = p.id) AND ((p.status <> ALL (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text])) OR (t.at < (now() - '00:10:00'::interval)))))))
UNION ALL
 SELECT 'receipts of the bank and the payment differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM payment_attempt p
  WHERE (((p.provider)::text = 'bank-transfer'::text) AND (NOT (EXISTS ( SELECT
           FROM bank_receipt b
          WHERE ((b.attempt_id = p.id) AND (b.recorded_at > (now() - '01:00:00'::interval)))))) AND ((p.captured_minor)::numeric <> ( SELECT COALESCE(sum((b.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM bank_receipt b
          WHERE ((b.attempt_id = p.id) AND ((b.currency)::text = (COALESCE(p.captured_currency, p.currency))::text)))))
UNION ALL
 SELECT 'unit under way with nobody'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM order_unit u
  WHERE ((u.delivery = ANY (ARRAY['direct_charge'::text, 'card_key'::text])) AND (u.status = ANY (ARRAY['delivering'::text, 'in_doubt'::text])) AND (u.claimed_by IS NULL) AND (NOT (EXISTS ( SELECT
           FROM purchase_unit n
          WHERE ((n.unit_id = u.id) AND n.is_live)))))
UNION ALL
 SELECT 'unit being bought that is not under way'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM order_unit u
  WHERE ((u.status <> ALL (ARRAY['delivering'::text, 'in_doubt'::text])) AND (EXISTS ( SELECT
           FROM purchase_unit n
          WHERE ((n.unit_id = u.id) AND n.is_live))))
UNION ALL
 SELECT 'purchase done and its unit not delivered'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM purchase p
  WHERE ((p.status = ANY (ARRAY['done'::text, 'reversed'::text])) AND (NOT (EXISTS ( SELECT
           FROM (purchase_unit n
             JOIN order_unit u ON ((u.id = n.unit_id)))
          WHERE ((n.purchase_id = p.id) AND n.is_done AND (u.delivered_at IS NOT NULL))))))
UNION ALL
 SELECT 'purchase and its units differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM (purchase p
     JOIN purchase_unit n ON ((n.purchase_id = p.id)))
  WHERE ((n.is_live <> (p.status = ANY (ARRAY['prepared'::text, 'accepted'::text, 'unknown'::text, 'doubt'::text]))) OR (n.is_done AND (p.status <> ALL (ARRAY['done'::text, 'reversed'::text]))))
UNION ALL
 SELECT 'open purchase that nobody asks about'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM purchase p
  WHERE ((p.status = ANY (ARRAY['prepared'::text, 'accepted'::text, 'unknown'::text])) AND ((p.next_ask_at IS NULL) OR (p.next_ask_at < (now() - '01:00:00'::interval))))
UNION ALL
 SELECT 'queued for a supplier and not owed'::text AS invariant,
    (u.id)::text AS subject,
    u.order_id
   FROM ((order_unit u
     JOIN supply_queue q ON ((q.unit_id = u.id)))
     JOIN shop_order o ON ((o.id = u.order_id)))
  WHERE ((u.status <> 'queued'::text) OR (o.settled_at IS NULL))
UNION ALL
 SELECT 'purchase and its reserved money differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM purchase p
  WHERE (
        CASE
            WHEN (p.ended_at IS NULL) THEN (p.expected_minor)::numeric
            ELSE (0)::numeric
        END <> moved_of_purchase(p.id, 'reserve'::text, 'release'::text))
UNION ALL
 SELECT 'purchase and its cost differ'::text AS invariant,
    (p.id)::text AS subject,
    p.order_id
   FROM purchase p
  WHERE ((
        CASE
            WHEN (p.status = 'done'::text) THEN (p.actual_minor)::numeric
            ELSE (0)::numeric
        END <> moved_of_purchase(p.id, 'cost'::text, 'cost_back'::text)) OR (
        CASE
            WHEN (p.status = 'late'::text) THEN (p.actual_minor)::numeric
            ELSE (0)::numeric
        END <> moved_of_purchase(p.id, 'supply_loss'::text, NULL::text)))
UNION ALL
 SELECT 'owed goods and the books differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE (( SELECT COALESCE(sum((u.price_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM order_unit u
          WHERE ((u.order_id = o.id) AND (o.settled_at IS NOT NULL) AND (u.delivered_at IS NULL) AND (u.status <> 'refunded'::text))) <> moved_of_order(o.id, 'orders'::text, (o.currency)::text))
UNION ALL
 SELECT 'money accepted and the order, or the ledger, differ'::text AS invariant,
    (a.order_id)::text AS subject,
    a.order_id
   FROM (accepted_payment a
     JOIN shop_order o ON ((o.id = a.order_id)))
  WHERE ((o.settled_at IS NULL) OR ((a.currency)::text <> (o.currency)::text) OR ((a.shortfall_minor)::numeric <> o.shortfall_minor) OR (NOT (EXISTS ( SELECT
           FROM payment_attempt p
          WHERE ((p.id = a.attempt_id) AND (p.order_id = o.id) AND p.is_applied)))) OR ((a.shortfall_minor)::numeric <> ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ledger_transfer t
          WHERE ((t.source = 'shortfall'::text) AND (t.source_id = a.order_id)))))
UNION ALL
 SELECT 'part accepted that its payment did not bring'::text AS invariant,
    (s.attempt_id)::text AS subject,
    s.order_id
   FROM (accepted_part s
     JOIN payment_attempt p ON ((p.id = s.attempt_id)))
  WHERE ((p.order_id <> s.order_id) OR p.is_applied OR ((p.captured_minor)::numeric < (s.amount_minor)::numeric))
UNION ALL
 SELECT 'refund that is a part of one of another order'::text AS invariant,
    (n.refund_id)::text AS subject,
    r.order_id
   FROM ((refund_part n
     JOIN refund r ON ((r.id = n.refund_id)))
     JOIN refund w ON ((w.id = n.of_refund_id)))
  WHERE ((w.order_id <> r.order_id) OR (r.purpose <> 'goods'::text) OR (EXISTS ( SELECT
           FROM refund_unit u
          WHERE (u.refund_id = r.id))))
UNION ALL
 SELECT 'price borne by the shop that nobody has accepted'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((o.shortfall_minor > (0)::numeric) AND (NOT (EXISTS ( SELECT
           FROM accepted_payment a
          WHERE (a.order_id = o.id)))))
UNION ALL
 SELECT 'held money and the books differ'::text AS invariant,
    (o.id)::text AS subject,
    o.id AS order_id
   FROM shop_order o
  WHERE ((((((o.captured_minor)::numeric + o.shortfall_minor) -
        CASE
            WHEN (o.settled_at IS NULL) THEN (0)::numeric
            ELSE (o.total_minor)::numeric
        END) - ( SELECT COALESCE(sum((r.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM refund r
          WHERE ((r.order_id = o.id) AND ((r.currency)::text = (o.currency)::text) AND (r.status = 'succeeded'::text) AND (r.purpose = 'surplus'::text)))) - ( SELECT COALESCE(sum((t.amount_minor)::numeric), (0)::numeric) AS "coalesce"
           FROM ((refund r
             JOIN ledger_transfer t ON (((t.source = 'refund'::text) AND (t.source_id = r.id) AND (t.leg = 0))))
             JOIN ledger_account a ON (((a.id = t.debit) AND (a.code = 'held'::text))))
          WHERE ((r.order_id = o.id) AND ((r.currency)::text = (o.currency)::text) AND (r.status = 'succeeded'::text) AND (r.purpose = 'reversal'::text)))) <> moved_of_order(o.id, 'held'::text, (o.currency)::text));

create view invariant_violation as
 SELECT invariant_of_order.invariant,
    invariant_of_order.subject
   FROM invariant_of_order
UNION ALL
 SELECT invariant_of_books.invariant,
    invariant_of_books.subject
   FROM invariant_of_books;

create view order_facts as
 SELECT o.id,
    o.status,
    o.total_minor,
    o.captured_minor,
    o.refunded_minor,
    o.hold,
    o.ended,
    (o.settled_at IS NOT NULL) AS is_settled,
    (EXISTS ( SELECT
           FROM payment_attempt p
          WHERE ((p.order_id = o.id) AND (p.status = ANY (ARRAY['created'::text, 'requires_action'::text, 'seen'::text, 'authorised'::text]))))) AS is_payment_open,
    (EXISTS ( SELECT
           FROM refund r
          WHERE ((r.order_id = o.id) AND (r.purpose = 'goods'::text) AND (r.status = ANY (ARRAY['requested'::text, 'approved'::text, 'submitted'::text, 'unknown'::text]))))) AS is_refund_open,
    u.queued,
    u.delivering,
    u.in_doubt,
    u.delivered,
    u.failed,
    u.refund_due,
    u.refunded,
    u.released
   FROM (shop_order o
     CROSS JOIN LATERAL ( SELECT (count(*) FILTER (WHERE (order_unit.status = 'queued'::text)))::integer AS queued,
            (count(*) FILTER (WHERE (order_unit.status = 'delivering'::text)))::integer AS delivering,
            (count(*) FILTER (WHERE (order_unit.status = ANY (ARRAY['in_doubt'::text, 'needs_input'::text]))))::integer AS in_doubt,
            (count(*) FILTER (WHERE (order_unit.status = 'delivered'::text)))::integer AS delivered,
            (count(*) FILTER (WHERE (order_unit.status = 'failed'::text)))::integer AS failed,
            (count(*) FILTER (WHERE (order_unit.status = 'refund_due'::text)))::integer AS refund_due,
            (count(*) FILTER (WHERE (order_unit.status = 'refunded'::text)))::integer AS refunded,
            (count(*) FILTER (WHERE (order_unit.status = 'released'::text)))::integer AS released
           FROM order_unit
          WHERE (order_unit.order_id = o.id)) u);

create view order_label as
 SELECT id,
    status,
        CASE
            WHEN (((captured_minor)::numeric > (0)::numeric) AND ((refunded_minor)::numeric = (captured_minor)::numeric)) THEN 'refunded'::text
            WHEN ((hold IS NOT NULL) OR is_refund_open OR (((in_doubt + failed) + refund_due) > 0)) THEN 'processing'::text
            WHEN ((NOT is_settled) AND ((captured_minor)::numeric > (0)::numeric)) THEN 'processing'::text
            WHEN ((NOT is_settled) AND (ended IS NOT NULL)) THEN ended
            WHEN ((NOT is_settled) AND is_payment_open) THEN 'waiting_for_payment'::text
            WHEN (NOT is_settled) THEN 'pending_payment'::text
            WHEN (((queued + delivering) = 0) AND (delivered > 0)) THEN 'completed'::text
            WHEN ((queued + delivering) = 0) THEN 'processing'::text
            WHEN ((delivering + delivered) > 0) THEN 'shipping'::text
            ELSE 'waiting_for_shipment'::text
        END AS label
   FROM order_facts;

create view stopped_item as
 SELECT i.id AS item
   FROM (sale_stop s
     JOIN item i ON (((s.kind = 'shop'::text) OR ((s.kind = 'product'::text) AND (s.code = i.product)) OR ((s.kind = 'shelf'::text) AND (s.code = i.code)))))
  WHERE (s.ended_at IS NULL)
UNION ALL
 SELECT o.item
   FROM (sale_stop s
     JOIN supplier_offer o ON ((((o.supplier)::text = s.code) AND o.is_on)))
  WHERE ((s.kind = 'supplier'::text) AND (s.ended_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM (supplier_offer other
             JOIN supplier t ON (((t.code)::text = (other.supplier)::text)))
          WHERE ((other.item = o.item) AND other.is_on AND (t.status = 'on'::text) AND (NOT (EXISTS ( SELECT
                   FROM sale_stop x
                  WHERE ((x.kind = 'supplier'::text) AND (x.code = (other.supplier)::text) AND (x.ended_at IS NULL))))))))) AND (NOT (EXISTS ( SELECT
           FROM stock_level l
          WHERE ((l.item = o.item) AND (l.free > 0) AND (o.kind = ANY (ARRAY['giftcard'::text, 'key'::text, 'voucher'::text])))))));
