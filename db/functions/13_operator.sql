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
