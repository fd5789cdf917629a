-- expand: a trigger that refuses what would lose a shopper's credit; the release before leaves such a payment open, which is right
-- Making a payment by store credit takes the credit, in a transaction of its own. One that has taken it can only become captured.
create function taken_credit_is_kept() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_transfer where source = 'spend' and source_id = new.id) then
    raise exception 'payment % does not end without the credit that was taken for it', new.id using errcode = '23514', constraint = 'taken_credit_is_kept';
  end if;
  return new;
end $$;
create trigger taken_credit_is_kept before update of status on payment_attempt for each row
  when (new.provider = 'store-credit' and new.status in ('failed','voided','expired') and old.status is distinct from new.status) execute function taken_credit_is_kept();

-- Those that ended without it are asked about: the credit buys the order where its time was over a moment ago, and goes back where not.
update payment_attempt p set check_at = now() where p.provider = 'store-credit' and p.status in ('failed','voided','expired') and p.captured_minor = 0
  and exists (select from ledger_transfer t where t.source = 'spend' and t.source_id = p.id);
