create or replace function note_keys_added() returns trigger language plpgsql as $$
begin
  -- One that was bought for its unit is sold as it comes.
  insert into stock_change (item, batch_id, free, sold, quarantined, voided)
  select item, batch_id, count(*) filter (where status = 'free'), count(*) filter (where status = 'delivered'), count(*) filter (where status = 'quarantined'), count(*) filter (where status = 'void')
  from added group by item, batch_id;
  return null;
end $$;

create or replace function note_key_moved() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, batch_id, free, sold, claimed, quarantined, voided)
  values (new.item, new.batch_id, (new.status = 'free')::integer - (old.status = 'free')::integer, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer,
    (new.status = 'claimed')::integer - (old.status = 'claimed')::integer, (new.status = 'quarantined')::integer - (old.status = 'quarantined')::integer,
    (new.status = 'void')::integer - (old.status = 'void')::integer);
  return null;
end $$;

create or replace function note_unit_charged() returns trigger language plpgsql as $$
begin
  insert into stock_change (item, free, sold) values (new.item, 0, (new.status = 'delivered')::integer - (old.status = 'delivered')::integer);
  return null;
end $$;
