-- expand: columns, tables and steps that the release before does not know, and triggers that keep its writes right, too
-- Whether a payer's bank disputes a payment is a fact of that payment. That of the order, its hold and its case follow from it.
alter table payment_attempt add is_disputed boolean not null default false;
create index payment_attempt_disputed on payment_attempt (order_id) where is_disputed;

update payment_attempt p set is_disputed = true
from service_case c cross join lateral (
  select e.details ->> 'payment' as payment from order_event e where e.order_id = c.order_id and e.reason = 'disputed' order by e.seq desc limit 1
) as told
where c.kind = 'dispute' and c.status = 'open' and p.order_id = c.order_id and p.public_id = told.payment;

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

-- A refund that waited ends where a bank has taken its money: its units are again what they were.
insert into transition_rule (machine, from_status, to_status) values ('unit', 'refund_due', 'delivered'), ('unit', 'refund_due', 'queued');
select keep_to_machine('order_unit', 'unit');

-- ---------------------------------------------------------------- batches of keys that were withdrawn
alter table key_batch add withdrawn_at timestamptz, add withdrawn_by text check (length(withdrawn_by) between 1 and 100),
  add constraint key_batch_withdrawn check ((withdrawn_at is null) = (withdrawn_by is null));
update key_batch b set withdrawn_at = w.at, withdrawn_by = left(w.actor, 100) from (
  select distinct on (subject_code) subject_code, at, actor from audit_log where action = 'withdraw' and subject = 'key_batch' order by subject_code, at
) as w where b.id::text = w.subject_code;

-- Whichever way a key of theirs would come back to the shelf, or onto it, it is void.
create function withdrawn_key_is_void() returns trigger language plpgsql as $$
begin
  if exists (select from key_batch where id = new.batch_id and withdrawn_at is not null for key share) then
    new.status := 'void';
  end if;
  return new;
end $$;
create trigger card_key_withdrawn before update of status on card_key for each row
  when (new.status in ('free', 'quarantined') and old.status is distinct from new.status) execute function withdrawn_key_is_void();
create trigger card_key_withdrawn_since before insert on card_key for each row
  when (new.status in ('free', 'quarantined')) execute function withdrawn_key_is_void();

-- What of them came back before this: for good, now.
update card_key k set status = 'void' from key_batch b where b.id = k.batch_id and b.withdrawn_at is not null and k.status in ('free', 'quarantined');

-- ---------------------------------------------------------------- payments that cannot be compared
-- How often in a row comparing a payment with its service has failed; it holds up the others only so often.
create table reconciliation_failure (
  provider   code not null,
  -- The service's name for the payment.
  reference  text not null check (length(reference) between 1 and 255),
  tries      smallint not null check (tries > 0),
  failure    text not null check (length(failure) <= 500),
  failed_at  timestamptz not null,
  primary key (provider, reference)
);

alter table payment_difference drop constraint payment_difference_kind_check, drop constraint payment_difference_check,
  add constraint payment_difference_kind_check check (kind in ('refunded_elsewhere','captured_less','not_comparable')),
  -- Of one that cannot be compared nothing was told.
  add constraint payment_difference_check check ((known_minor <> told_minor) = (kind <> 'not_comparable'));
