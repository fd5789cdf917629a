-- Every process holds the catalogue in memory and reads it anew when told so. The payload is the table; equal
-- notifications of one transaction fold into one.
create or replace function notify_catalogue_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue_changed', tg_table_name);
  return null;
end $$;
