-- Of the changes that people make to their own account `forget_changes` takes away what is past its term; nothing else ever goes.
create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.actor like 'account:%' and current_setting('lukado.forgetting', true) = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return old; end if;
  raise exception 'audit_log is append-only' using errcode = '23514';
end $$;

-- The functions of retention alone say that they forget, and they run as the owner of the tables; who only says so is refused. What
-- happened to an order goes with an order that came to nothing, and never else.
create or replace function is_append_only() returns trigger language plpgsql as $$
begin
  if (tg_op = 'UPDATE' or (tg_op = 'DELETE' and tg_table_name = 'order_event')) and current_setting('lukado.forgetting', true) = 'on' and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;
