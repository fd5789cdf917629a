-- expand: triggers that keep the writes of the release before right, too
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
