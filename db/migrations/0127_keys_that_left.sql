-- expand: a trigger that the release before never sets off, as no key leaves in it
-- A key that left the shop in a file is sold by nobody, whichever way it would come back to the shelf: it stays kept back.
create or replace function key_that_left_stays_back() returns trigger language plpgsql as $$
begin
  if exists (select from key_access where key_id = new.id and purpose = 'export') then new.status := 'quarantined'; end if;
  return new;
end $$;
create trigger card_key_left before update of status on card_key
  for each row when (old.status = 'quarantined' and new.status = 'free') execute function key_that_left_stays_back();
