-- What a foreign key would do, without locking the few accounts that every payment moves: they are never deleted nor renamed.
create or replace function transfers_have_accounts() returns trigger language plpgsql as $$
begin
  if exists (
    select from written where not exists (select from ledger_account where id = debit and ledger_account.currency = written.currency)
      or not exists (select from ledger_account where id = credit and ledger_account.currency = written.currency)
  ) then
    raise exception 'a movement is between accounts of its currency' using errcode = '23503', constraint = 'transfers_have_accounts';
  end if;
  return null;
end $$;
