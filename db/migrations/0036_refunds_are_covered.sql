-- expand: a trigger that refuses what the release before must not do either
-- Nothing goes out for money that is disputed, or that a bank has taken by now.
create function refund_is_covered() returns trigger language plpgsql as $$
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
create trigger refund_goes_out before update of status on refund for each row
  when (new.status = 'submitted' and old.status is distinct from new.status) execute function refund_is_covered();
