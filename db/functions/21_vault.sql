-- A key bound to a unit stays bound: only one never shown leaves it, for the queue or the shelf of those not for sale.
create or replace function card_key_stays_bound() returns trigger language plpgsql as $$
begin
  if old.unit_id is not null and new.unit_id is distinct from old.unit_id
    and not (old.status = 'claimed' and new.unit_id is null and new.status in ('free', 'quarantined', 'void'))
    -- Or another was given in its place.
    and not (old.status = 'delivered' and new.status = 'void' and new.unit_id is null
      and exists (select from key_replacement r where r.old_key_id = old.id and r.unit_id = old.unit_id)) then
    raise exception 'key is bound to unit %', old.unit_id using errcode = '23514', constraint = 'card_key_stays_bound';
  end if;
  return new;
end $$;

-- Whichever way a key of a batch that was withdrawn would come back to the shelf, or onto it, it is void.
create or replace function withdrawn_key_is_void() returns trigger language plpgsql as $$
begin
  if exists (select from key_batch where id = new.batch_id and withdrawn_at is not null for key share) then
    new.status := 'void';
  end if;
  return new;
end $$;

create or replace function key_that_left_stays_back() returns trigger language plpgsql as $$
begin
  if exists (select from key_access where key_id = new.id and purpose = 'export') then new.status := 'quarantined'; end if;
  return new;
end $$;
