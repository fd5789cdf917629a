-- expand: a trigger that keeps the writes of the release before right, too
-- A migration of one table that is sold by takes no other: together they could stand in a buyer's way from two sides.
-- The release before notes a dispute with its order alone; which payment it means stands in the event.
create function note_dispute() returns trigger language plpgsql as $$
begin
  if new.reason = 'disputed' then
    update payment_attempt set is_disputed = true where order_id = new.order_id and public_id = new.details ->> 'payment' and not is_disputed;
  else
    update payment_attempt set is_disputed = false where order_id = new.order_id and is_disputed and public_id = coalesce(new.details ->> 'payment', (
      select e.details ->> 'payment' from order_event e where e.order_id = new.order_id and e.reason = 'disputed' order by e.seq desc limit 1));
  end if;
  return null;
end $$;
create trigger order_event_of_dispute after insert on order_event for each row
  when (new.reason in ('disputed', 'dispute_over')) execute function note_dispute();
