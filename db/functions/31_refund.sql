-- No more is asked back than was captured, however many ask at once: the attempt's row is locked for the sum.
create or replace function refund_fits() returns trigger language plpgsql as $$
declare
  captured numeric; captured_in text; asked numeric;
begin
  select captured_minor, captured_currency into captured, captured_in from payment_attempt where id = new.attempt_id for no key update;
  select coalesce(sum(amount_minor), 0) into asked from refund
    where attempt_id = new.attempt_id and status not in ('failed','rejected') and id <> new.id;
  if captured_in is distinct from new.currency or asked + new.amount_minor > captured then
    raise exception 'refund is more than was captured' using errcode = '23514', constraint = 'refund_fits';
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
