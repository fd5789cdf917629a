-- Takes out of evidence what tells of people: of an account that is being erased (`of_account`), or where it is null past its term and of
-- all that were erased, some orders a call. It is the one way in which rows that are only ever added to are changed, and runs as the
-- owner of the tables. What an open dispute may need stays until that ends. The terms are the owner's: who asks for less gets the term, and
-- an account in use keeps its evidence. Answers how many rows it changed.
create or replace function forget_evidence(of_account uuid, notices_before timestamptz, evidence_before timestamptz, rows_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

-- Orders that came to nothing, some a call: cancelled or expired so long ago, and neither money, a key, a request nor a word of anybody
-- hangs on them. They go with their lines, units, events and attempts; their numbers are never given again. An order's row is locked
-- first, as by everybody who works on it, and one that somebody works on is passed over. Who asks for less than the term gets the term.
-- Answers how many went.
create or replace function forget_unpaid_orders(ended_before timestamptz, rows_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

-- What people changed of their own accounts, a batch a call at least: past its term it goes, and the batch stays proved without it; what
-- operators and imports changed stays. Who asks for less than the term gets the term. Answers how many went.
create or replace function forget_changes(made_before timestamptz, rows_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;

-- The trail itself, a batch a call at least: past its term the rows of a batch go, and its seal stays, so that those after it are proved.
-- Who asks for less than the term gets the term. Answers how many rows went.
create or replace function forget_audit(made_before timestamptz, rows_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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
end $$;
