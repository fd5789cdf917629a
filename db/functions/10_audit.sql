create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = '23514';
end $$;

-- `forget_evidence` alone says that it forgets, and it runs as the owner of the tables; who only says so is refused.
create or replace function is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('lukado.forgetting', true) = 'on' and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;
