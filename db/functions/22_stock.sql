create or replace function note_keys_added() returns trigger language plpgsql as $$
begin
  -- One that was bought for its unit is sold as it comes.
  insert into stock_change (item, free, sold)
  select item, count(*) filter (where status = 'free'), count(*) filter (where status = 'delivered') from added where status in ('free','delivered') group by item;
  return null;
end $$;

create or replace function note_key_moved() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold)
  values (new.item, (new.status = 'free')::integer - (old.status = 'free')::integer, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $$;

create or replace function note_unit_charged() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold) values (new.item, 0, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $$;
