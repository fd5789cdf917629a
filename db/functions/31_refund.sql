-- What of a payment has paid for its order: of several that were accepted together, each its part.
create or replace function paid_by(payment uuid) returns numeric language sql stable as $$
  select coalesce((select amount_minor from accepted_part where attempt_id = payment),
    (select o.total_minor - o.shortfall_minor - coalesce((select sum(s.amount_minor) from accepted_part s where s.order_id = o.id), 0)
      from payment_attempt p join shop_order o on o.id = p.order_id where p.id = payment and p.is_applied), 0)
$$;

-- No more is asked back than was captured, however many ask at once: the attempt's row is locked for the sum. Nor is what paid for the
-- order given back as money that paid for nothing, whichever release asks for it.
create or replace function refund_fits() returns trigger language plpgsql as $$
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
end $$;

-- Nothing goes out for money that is disputed, or that a bank has taken by now.
create or replace function refund_is_covered() returns trigger language plpgsql as $$
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
end $$;
