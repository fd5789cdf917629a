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
      and (of_account is not null or o.evidence <> '{}' or exists (select from order_line l where l.order_id = o.id and l.account_fields <> '{}') or exists (
        select from order_unit u join card_key k on k.unit_id = u.id join key_access x on x.key_id = k.id where u.order_id = o.id and x.network <> '' and (x.at < evidence_before or a.status = 'erased')))
    limit case when of_account is null then rows_most end
  ) as old;
  update shop_order set evidence = '{}' where id = any(orders) and evidence <> '{}';
  get diagnostics changed = row_count; done := done + changed;
  update order_line set account_fields = '{}' where order_id = any(orders) and account_fields <> '{}';
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
    update service_case c set text = '' from (select id from service_case where text <> '' and decided_at < evidence_before limit rows_most) as old where c.id = old.id;
    get diagnostics changed = row_count; done := done + changed;
  end if;
  perform set_config('lukado.forgetting', '', true);
  return done;
end $$;
