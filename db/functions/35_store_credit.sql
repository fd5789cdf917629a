-- Store credit knows the payments it came from, by the books. While one of them is disputed as much of it is not spent; what a bank
-- takes back is taken from it, and what is missing by then the shopper owes.

-- Each movement that gave a shopper credit for money of a payment: credit that was bought, and refunds that were taken as credit.
create or replace view credit_funding as
select o.account_id, o.id as order_id, p.id as attempt_id, t.currency, t.amount_minor
from order_unit u join shop_order o on o.id = u.order_id join payment_attempt p on p.order_id = o.id and p.is_applied
  join ledger_transfer t on t.source = 'deliver' and t.source_id = u.id
where u.delivery = 'store_credit'
union all
select o.account_id, o.id, r.attempt_id, t.currency, t.amount_minor
from refund r join shop_order o on o.id = r.order_id join ledger_transfer t on t.source = 'refund' and t.source_id = r.id
where r.destination = 'store_credit';

-- Credit of a payment: what was given for it, and what of that was taken back.
create or replace view funded_credit as
select p.id as attempt_id, p.order_id, p.captured_currency as currency, p.reversed_minor,
  (select coalesce(sum(f.amount_minor), 0) from credit_funding f where f.attempt_id = p.id and f.currency = p.captured_currency) as funded_minor,
  (select coalesce(sum(case t.source when 'reclaim' then t.amount_minor else -t.amount_minor end), 0) from ledger_transfer t
    where t.source in ('reclaim', 'reclaim_undone') and t.source_id = p.id) as reclaimed_minor
from payment_attempt p;

-- What shoppers owe, as the bank took credit back that they had spent. By account, each side by its own index: a join over either side
-- reads every transfer that the shop ever made.
create or replace view credit_debt as
select substr(a.code, 13)::uuid as account_id, a.currency, owed.minor as owed_minor
from ledger_account a cross join lateral (
  select sum(t.minor) as minor from (
    select amount_minor::numeric as minor from ledger_transfer where debit = a.id
    union all select -amount_minor::numeric from ledger_transfer where credit = a.id
  ) as t
) as owed
where a.code like 'credit\_debt:%' and owed.minor is not null;

-- A shopper's credit in each currency: in all, what of it is held back for disputed payments, what is owed, and what may be spent.
-- Who owes in one currency spends in none.
create or replace function credit_of(buyer uuid) returns table (currency text, balance_minor numeric, frozen_minor numeric, owed_minor numeric, spendable_minor numeric)
language sql stable as $$
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
$$;

-- Most shoppers have none, and every order that is to be paid asks.
create or replace function spendable_credit(buyer uuid, wanted text) returns numeric language plpgsql stable as $$
begin
  if not exists (select from ledger_account where code = 'store_credit:' || buyer and currency = wanted and balance_minor > 0) then return 0; end if;
  return (select spendable_minor from credit_of(buyer) where currency = wanted);
end $$;

-- Making a payment by store credit takes the credit, in a transaction of its own. One that has taken it can only become captured. Its row
-- is locked by whoever takes and by whoever ends, so that the one who comes second sees what the first has done.
create or replace function taken_credit_is_kept() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_transfer where source = 'spend' and source_id = new.id) then
    raise exception 'payment % does not end without the credit that was taken for it', new.id using errcode = '23514', constraint = 'taken_credit_is_kept';
  end if;
  return new;
end $$;
