create or replace function act_stays() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator gave, act %, stays', old.id using errcode = '23514', constraint = 'act_stays';
end $$;

create or replace function password_has_a_chooser() returns trigger language plpgsql as $$
begin
  new.password_set_by := null;
  new.password_set_at := new.updated_at;
  return new;
end $$;

-- A shop keeps somebody who may do everything. One at a time, so that two who go at once do not both count on the other; what a
-- statement sees once it is its turn is what others have committed.
create or replace function last_owner_stays() returns trigger language plpgsql as $$
begin
  if current_setting('transaction_isolation') not in ('read committed','read uncommitted') then
    raise exception 'owners change in transactions that see what others have committed' using errcode = '25001';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('last_owner_stays', 0));
  if not exists (select from operator where role = 'owner' and status = 'active') then
    raise exception 'the last active owner, %, stays', old.name using errcode = '23514', constraint = 'last_owner_stays';
  end if;
  return null;
end $$;
