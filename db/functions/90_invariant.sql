-- What the movements of an order add up to on an account of the books: credits less debits.
create or replace function moved_of_order(ordered uuid, account text, money text) returns numeric language plpgsql stable as $$
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
end $$;

-- What was moved for a purchase, less what was moved back.
create or replace function moved_of_purchase(bought uuid, source_of text, back text) returns numeric language sql stable as $$
  select coalesce(sum(case t.source when source_of then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in (source_of, back) and t.source_id = bought
$$;

create or replace function moved_in_all(account integer) returns numeric language sql stable as $$
  select (select coalesce(sum(amount_minor), 0) from ledger_transfer where credit = account) - (select coalesce(sum(amount_minor), 0) from ledger_transfer where debit = account)
$$;

-- Every row is a promise broken. Empty, always.
-- Of one order: looked at for those that have changed, every few seconds, and page by page for all of them, every night.
create or replace view invariant_of_order as
select 'label differs from facts' as invariant, id::text as subject, id as order_id from order_label where status <> label
union all
select 'label differs from its last event', o.id::text, o.id from shop_order o
  where o.status is distinct from (select e.to_status from order_event e where e.order_id = o.id order by e.seq desc limit 1)
union all
select 'line and units differ', l.id::text, l.order_id from order_line l
  where l.quantity <> (select count(*) from order_unit u where u.line_id = l.id and u.order_id = l.order_id and u.item is not distinct from l.item and u.delivery = l.delivery and u.price_minor = l.price_minor)
union all
select 'goods and lines differ', o.id::text, o.id from shop_order o
  where o.goods_minor <> (select coalesce(sum(l.price_minor * l.quantity), 0) from order_line l where l.order_id = o.id)
union all
select 'tax of an order and of its units differ', o.id::text, o.id from shop_order o
  where exists (select from order_line l where l.order_id = o.id and l.tax_class is not null)
    and o.tax_minor <> (select coalesce(sum(l.tax_minor * l.quantity), 0) from order_line l where l.order_id = o.id)
union all
select 'order differs from what lists say of it', o.id::text, o.id from shop_order o where (o.has_cards, o.has_charging, o.has_claims, o.cards_delivered) <> (
  exists (select from order_line l where l.order_id = o.id and l.goods_type in (1, 4)), exists (select from order_line l where l.order_id = o.id and l.goods_type in (2, 3)),
  exists (select from refund r where r.order_id = o.id and r.purpose = 'goods' and r.status <> 'rejected') or exists (select from service_case c where c.order_id = o.id and c.status <> 'withdrawn'),
  (select count(*) from order_unit u join card_key k on k.unit_id = u.id where u.order_id = o.id and u.delivery = 'card_key' and u.delivered_at is not null and k.delivered_at is not null))
union all
select 'payment shown to another shopper, or to none', t.id::text, o.id from payment_attempt p join shop_order o on o.id = p.order_id
  join ledger_transfer t on t.source = 'capture' and t.source_id = p.id where t.account_id is distinct from o.account_id
union all
select 'refund not shown once', r.id::text, o.id from refund r join shop_order o on o.id = r.order_id
  where r.status = 'succeeded' and 1 <> (select count(*) from ledger_transfer t where t.source = 'refund' and t.source_id = r.id and t.account_id = o.account_id)
union all
select 'card delivered without a key', u.id::text, u.order_id from order_unit u where u.delivery = 'card_key' and u.status = 'delivered'
  and not exists (select from card_key k where k.unit_id = u.id and k.item = u.item and k.status in ('delivered','void'))
union all
select 'key delivered for what was not paid', k.id::text, o.id from card_key k join order_unit u on u.id = k.unit_id join shop_order o on o.id = u.order_id
  where k.status = 'delivered' and o.settled_at is null
union all
select 'key kept for an order that is over', k.id::text, o.id from card_key k join order_unit u on u.id = k.unit_id join shop_order o on o.id = u.order_id
  where k.status = 'claimed' and o.status in ('cancelled','expired','refunded','completed')
union all
select 'paid card without a key', u.id::text, o.id from order_unit u join shop_order o on o.id = u.order_id
  where u.delivery = 'card_key' and not u.to_order and u.status = 'queued' and o.settled_at is not null and o.hold is null
union all
select 'paid card that nobody buys', u.id::text, o.id from order_unit u join shop_order o on o.id = u.order_id
  where u.to_order and u.status = 'queued' and o.settled_at < now() - interval '1 hour' and not exists (select from supply_queue q where q.unit_id = u.id)
union all
select 'card made to order that is none, or has a key of the shop''s', u.id::text, u.order_id from order_unit u left join card_key k on k.unit_id = u.id
  where u.to_order and (u.delivery <> 'card_key' or k.status = 'claimed')
union all
select 'bought card without the key that was bought', u.id::text, u.order_id from order_unit u join purchase_unit n on n.unit_id = u.id
  where u.delivery = 'card_key' and n.is_done and not exists (select from card_key k where k.unit_id = u.id and k.batch_id = n.purchase_id)
union all
select 'captured differs from the ledger', p.id::text, p.order_id from payment_attempt p
  where p.captured_minor <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'capture' and t.source_id = p.id)
union all
select 'order and its payments differ', o.id::text, o.id from shop_order o
  where o.captured_minor <> (select coalesce(sum(p.captured_minor), 0) from payment_attempt p where p.order_id = o.id and p.captured_currency = o.currency)
union all
select 'order and its refunds differ', o.id::text, o.id from shop_order o
  where o.refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.order_id = o.id and r.currency = o.currency and r.status = 'succeeded')
union all
select 'payment and its refunds differ', p.id::text, p.order_id from payment_attempt p
  where p.refunded_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.attempt_id = p.id and r.status = 'succeeded')
union all
select 'refund and the ledger differ', r.id::text, r.order_id from refund r where (case when r.status = 'succeeded' then r.amount_minor + r.rest_minor else 0 end)
  <> (select coalesce(sum(case t.source when 'refund' then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in ('refund','refund_undone') and t.source_id = r.id)
union all
select 'payment and its reversals differ', p.id::text, p.order_id from payment_attempt p
  where p.reversed_minor <> (select coalesce(sum(r.amount_minor), 0) from refund r where r.attempt_id = p.id and r.purpose = 'reversal' and r.status = 'succeeded')
    + (select coalesce(sum(case t.source when 'write_off' then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where t.source in ('write_off','write_off_undone') and t.source_id = p.id)
union all
select 'settled without a payment applied, or applied without', o.id::text, o.id from shop_order o
  where (o.settled_at is not null) <> exists (select from payment_attempt p where p.order_id = o.id and p.is_applied)
union all
select 'payment begun without agreement', o.id::text, o.id from shop_order o
  where o.waived_at is null and exists (select from payment_attempt p where p.order_id = o.id)
union all
select 'store credit that was bought went elsewhere', u.id::text, o.id from order_unit u join shop_order o on o.id = u.order_id
  join ledger_transfer t on t.source = 'deliver' and t.source_id = u.id join ledger_account a on a.id = t.credit
  where a.code <> case when u.delivery = 'store_credit' then 'store_credit:' || o.account_id else 'sales' end
union all
select 'paid store credit not given', u.id::text, o.id from order_unit u join shop_order o on o.id = u.order_id
  where u.delivery = 'store_credit' and u.status = 'queued' and o.settled_at is not null
union all
select 'settled total and the ledger differ', o.id::text, o.id from shop_order o
  where (case when o.settled_at is null then 0 else o.total_minor end)
  <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'settle' and t.source_id = o.id)
union all
select 'unit delivered and the ledger differ', u.id::text, u.order_id from order_unit u where (case when u.delivered_at is null then 0 else u.price_minor end)
  <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'deliver' and t.source_id = u.id)
union all
select 'case and its units differ', c.id::text, c.order_id from service_case c where exists (select from service_case_unit u where u.case_id = c.id and u.is_open <> (c.status = 'open'))
union all
select 'request open without a hold', c.id::text, o.id from service_case c join shop_order o on o.id = c.order_id
  where c.status = 'open' and c.kind = 'refund_request' and o.hold is null and o.status = 'completed'
union all
select 'credit of money that a bank has taken back', f.attempt_id::text, f.order_id from funded_credit f
  where (f.reversed_minor > 0 or exists (select from ledger_transfer t where t.source = 'reclaim' and t.source_id = f.attempt_id)) and f.reclaimed_minor <> least(f.reversed_minor, f.funded_minor)
union all
select 'hold of an order and disputes of its payments differ', o.id::text, o.id from shop_order o
  where case when exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed) then o.hold is null or o.hold = 'refund_requested' else o.hold = 'disputed' end
union all
select 'case of a dispute and disputes of payments differ', o.id::text, o.id from shop_order o
  where exists (select from payment_attempt p where p.order_id = o.id and p.is_disputed)
    <> exists (select from service_case c where c.order_id = o.id and c.kind = 'dispute' and c.status = 'open')
union all
select 'refund waits for money that a bank has taken', p.id::text, p.order_id from payment_attempt p
  where p.reversed_minor > 0 and exists (select from refund r where r.attempt_id = p.id and r.status in ('requested','approved'))
    and p.captured_minor - p.reversed_minor < (select sum(r.amount_minor) from refund r where r.attempt_id = p.id and r.purpose <> 'reversal' and r.status not in ('failed','rejected'))
union all
select 'open payment that nobody asks about', p.id::text, p.order_id from payment_attempt p
  where p.status in ('created','requires_action','seen','authorised') and p.check_at is null
union all
select 'unpaid order past its time', o.id::text, o.id from shop_order o where o.status = 'pending_payment' and o.expires_at < now() - interval '1 hour'
union all
select 'refund is not its units and fee', r.id::text, r.order_id from refund r where r.purpose = 'goods' and r.status <> 'rejected'
  and r.amount_minor <> r.fee_minor - r.rest_minor + (select coalesce(sum(u.price_minor), 0) from refund_unit n join order_unit u on u.id = n.unit_id where n.refund_id = r.id)
union all
select 'key shown without a note of who looked', k.id::text, u.order_id from order_unit u join card_key k on k.unit_id = u.id
  where k.revealed_at is not null and not exists (select from key_access a where a.key_id = k.id)
union all
select 'event that its buyer was not told', e.id::text, e.order_id from order_event e where e.is_to_tell and e.at < now() - interval '1 hour'
union all
select 'store credit and its payment differ', p.id::text, p.order_id from payment_attempt p where p.provider = 'store-credit'
  and p.captured_minor <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'spend' and t.source_id = p.id
    and (p.status not in ('created','requires_action','seen','authorised') or t.at < now() - interval '10 minutes'))
union all
select 'receipts of the bank and the payment differ', p.id::text, p.order_id from payment_attempt p where p.provider = 'bank-transfer'
  and not exists (select from bank_receipt b where b.attempt_id = p.id and b.recorded_at > now() - interval '1 hour')
  and p.captured_minor <> (select coalesce(sum(b.amount_minor), 0) from bank_receipt b where b.attempt_id = p.id and b.currency = coalesce(p.captured_currency, p.currency))
union all
select 'unit under way with nobody', u.id::text, u.order_id from order_unit u where u.delivery in ('direct_charge','card_key') and u.status in ('delivering','in_doubt') and u.claimed_by is null
  and not exists (select from purchase_unit n where n.unit_id = u.id and n.is_live)
union all
select 'unit being bought that is not under way', u.id::text, u.order_id from order_unit u
  where u.status not in ('delivering','in_doubt') and exists (select from purchase_unit n where n.unit_id = u.id and n.is_live)
union all
select 'purchase done and its unit not delivered', p.id::text, p.order_id from purchase p
  where p.status in ('done','reversed') and not exists (select from purchase_unit n join order_unit u on u.id = n.unit_id where n.purchase_id = p.id and n.is_done and u.delivered_at is not null)
union all
select 'purchase and its units differ', p.id::text, p.order_id from purchase p join purchase_unit n on n.purchase_id = p.id
  where n.is_live <> (p.status in ('prepared','accepted','unknown','doubt')) or (n.is_done and p.status not in ('done','reversed'))
union all
select 'open purchase that nobody asks about', p.id::text, p.order_id from purchase p
  where p.status in ('prepared','accepted','unknown') and (p.next_ask_at is null or p.next_ask_at < now() - interval '1 hour')
union all
select 'queued for a supplier and not owed', u.id::text, u.order_id from order_unit u join supply_queue q on q.unit_id = u.id join shop_order o on o.id = u.order_id
  where u.status <> 'queued' or o.settled_at is null
union all
select 'purchase and its reserved money differ', p.id::text, p.order_id from purchase p
  where (case when p.ended_at is null then p.expected_minor else 0 end) <> moved_of_purchase(p.id, 'reserve', 'release')
union all
select 'purchase and its cost differ', p.id::text, p.order_id from purchase p
  where (case when p.status = 'done' then p.actual_minor else 0 end) <> moved_of_purchase(p.id, 'cost', 'cost_back')
    or (case when p.status = 'late' then p.actual_minor else 0 end) <> moved_of_purchase(p.id, 'supply_loss', null)
union all
select 'owed goods and the books differ', o.id::text, o.id from shop_order o
  where (select coalesce(sum(u.price_minor), 0) from order_unit u where u.order_id = o.id and o.settled_at is not null and u.delivered_at is null and u.status <> 'refunded')
  <> moved_of_order(o.id, 'orders', o.currency)
union all
select 'money accepted and the order, or the ledger, differ', a.order_id::text, a.order_id from accepted_payment a join shop_order o on o.id = a.order_id
  where o.settled_at is null or a.currency <> o.currency or a.shortfall_minor <> o.shortfall_minor or not exists (select from payment_attempt p where p.id = a.attempt_id and p.order_id = o.id and p.is_applied)
    or a.shortfall_minor <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'shortfall' and t.source_id = a.order_id)
union all
select 'part accepted that its payment did not bring', s.attempt_id::text, s.order_id from accepted_part s join payment_attempt p on p.id = s.attempt_id
  where p.order_id <> s.order_id or p.is_applied or p.captured_minor < s.amount_minor
union all
select 'refund that is a part of one of another order', n.refund_id::text, r.order_id from refund_part n join refund r on r.id = n.refund_id join refund w on w.id = n.of_refund_id
  where w.order_id <> r.order_id or r.purpose <> 'goods' or exists (select from refund_unit u where u.refund_id = r.id)
union all
select 'price borne by the shop that nobody has accepted', o.id::text, o.id from shop_order o
  where o.shortfall_minor > 0 and not exists (select from accepted_payment a where a.order_id = o.id)
union all
select 'held money and the books differ', o.id::text, o.id from shop_order o
  where o.captured_minor + o.shortfall_minor - case when o.settled_at is null then 0 else o.total_minor end
    - (select coalesce(sum(r.amount_minor), 0) from refund r where r.order_id = o.id and r.currency = o.currency and r.status = 'succeeded' and r.purpose = 'surplus')
    - (select coalesce(sum(t.amount_minor), 0) from refund r join ledger_transfer t on t.source = 'refund' and t.source_id = r.id and t.leg = 0 join ledger_account a on a.id = t.debit and a.code = 'held'
        where r.order_id = o.id and r.currency = o.currency and r.status = 'succeeded' and r.purpose = 'reversal')
  <> moved_of_order(o.id, 'held', o.currency);

-- Of everything together: looked at once a night.
create or replace view invariant_of_books as
select 'balance differs from its transfers' as invariant, a.id::text as subject from ledger_account a where a.balance_minor is not null and a.balance_minor <>
  (select coalesce(sum(case when t.credit = a.id then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t where a.id in (t.debit, t.credit))
union all
select 'notice not worked off', e.provider || ' ' || e.event_id from provider_event e where e.processed_at is null and e.received_at < now() - interval '1 minute'
union all
select 'credit beside a debt', d.account_id::text from credit_debt d join ledger_account a on a.code = 'store_credit:' || d.account_id and a.currency = d.currency
  where d.owed_minor < 0 or (d.owed_minor > 0 and a.balance_minor > 0)
union all
select 'owed goods of all orders and the books differ', a.currency::text from ledger_account a where a.code = 'orders'
  and moved_in_all(a.id) <> (select coalesce(sum(u.price_minor), 0) from shop_order o join order_unit u on u.order_id = o.id
    where o.currency = a.currency and o.settled_at is not null and u.delivered_at is null and u.status <> 'refunded')
union all
select 'held money of all orders and the books differ', a.currency::text from ledger_account a where a.code = 'held'
  and moved_in_all(a.id) <> (select coalesce(sum(p.captured_minor), 0) from payment_attempt p where p.captured_currency = a.currency)
    + (select coalesce(sum(s.shortfall_minor), 0) from accepted_payment s where s.currency = a.currency)
    - (select coalesce(sum(o.total_minor), 0) from shop_order o where o.currency = a.currency and o.settled_at is not null)
    - (select coalesce(sum(r.amount_minor), 0) from refund r where r.currency = a.currency and r.status = 'succeeded' and r.purpose = 'surplus')
    - (select coalesce(sum(t.amount_minor), 0) from refund r join ledger_transfer t on t.source = 'refund' and t.source_id = r.id and t.debit = a.id where r.status = 'succeeded' and r.purpose = 'reversal')
union all
select 'money reserved with a supplier and its purchases differ', a.code || ' ' || a.currency from ledger_account a where a.code like 'supplier_reserved:%'
  and -moved_in_all(a.id) <> (select coalesce(sum(p.expected_minor), 0) from purchase p where p.supplier = substr(a.code, 19) and p.currency = a.currency and p.ended_at is null)
union all
select 'deposit at a supplier and the ledger differ', d.id::text from supplier_deposit d
  where d.amount_minor + d.fee_minor + coalesce(d.paid_minor, 0) <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'deposit' and t.source_id = d.id)
union all
select 'commission of a supplier and the ledger differ', c.id::text from supplier_commission c
  where c.amount_minor <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'commission' and t.source_id = c.id)
union all
select 'exchange difference and the ledger differ', u.id::text from supplier_usage u
  where abs(u.average_minor - u.rate_minor) <> (select coalesce(sum(t.amount_minor), 0) from ledger_transfer t where t.source = 'exchange' and t.source_id = u.id)
union all
select 'key of a withdrawn batch can be sold', k.id::text from key_batch b join card_key k on k.batch_id = b.id
  where b.withdrawn_at is not null and k.status in ('free','quarantined')
union all
select 'stray money matched to a payment of another sum', s.id::text from stray_payment s join payment_attempt p on p.id = s.attempt_id
  where p.provider <> s.provider or p.provider_reference is distinct from s.provider_reference or p.captured_currency is distinct from s.currency or p.captured_minor < s.amount_minor
union all
select 'credit of an account that is erased', o.id::text from account o join ledger_account a on a.code = 'store_credit:' || o.id where o.status = 'erased' and a.balance_minor > 0
union all
select 'debt of an account that is erased', o.id::text from account o join credit_debt d on d.account_id = o.id where o.status = 'erased' and d.owed_minor <> 0
union all
select 'sweep that is not done', w.name from sweep w
  where w.name ~ '^(payments:|refunds:|supply:|expire_orders$|tell_buyers$|check_changed$)' and w.begun_at < now() - interval '1 hour';

create or replace view invariant_violation as
select invariant, subject from invariant_of_order
union all
select invariant, subject from invariant_of_books;
