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
