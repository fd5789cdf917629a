create or replace function account_status_moves() returns trigger language plpgsql as $$
begin
  if old.status = 'erased' then raise exception 'an erased account stays as it is' using errcode = '23514'; end if;
  if new.status = 'erased' and old.status <> 'cancelling' then raise exception 'only a cancelled account is erased' using errcode = '23514'; end if;
  if new.status = 'frozen' and old.status not in ('active','frozen') then raise exception 'only an active account is frozen' using errcode = '23514'; end if;
  return new;
end $$;
