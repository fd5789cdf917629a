-- Another account is another player's, and one that is taken out of evidence is nobody's.
create or replace function forget_player() returns trigger language plpgsql as $$
begin
  delete from line_player where line_id = new.id;
  return null;
end $$;
