-- A key bound to a unit stays bound: only one never shown returns to stock.
create or replace function card_key_stays_bound() returns trigger language plpgsql as $$
begin
  if old.unit_id is not null and new.unit_id is distinct from old.unit_id and not (old.status = 'claimed' and new.status = 'free') then
    raise exception 'key is bound to unit %', old.unit_id using errcode = '23514', constraint = 'card_key_stays_bound';
  end if;
  return new;
end $$;
