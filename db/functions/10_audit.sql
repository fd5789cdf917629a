-- What goes, goes by the functions of retention: what people changed of their own accounts, and whole batches that were sealed long ago.
create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('lukado.forgetting', true) = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return old; end if;
  raise exception 'audit_log is append-only' using errcode = '23514';
end $$;

-- A row is named here and nowhere else, by one clock, once its transaction has a number: a batch is closed when every transaction that
-- had one before is over, and nothing can come into it later.
create or replace function audit_row_is_named() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();
  new.id := uuidv7();
  return new;
end $$;

-- The row as it was written, in one spelling.
create or replace function audit_row_hash(r audit_log) returns bytea language sql stable parallel safe as $$
  select sha256(convert_to(jsonb_build_array(r.id, extract(epoch from r.at)::text, r.actor, r.network, r.request_id, r.action, r.subject, r.subject_code, r.before, r.after)::text, 'UTF8'))
$$;

-- What stands between two ids, in two parts: what people changed of their own accounts goes after its term, and the rest is proved without it.
create or replace function audit_batch(after_id uuid, until_id uuid, out first_id uuid, out last_id uuid, out kept_rows integer, out kept_hash bytea, out people_rows integer, out people_hash bytea)
language sql stable as $$
  select (array_agg(id order by id))[1], (array_agg(id order by id desc))[1],
    (count(*) filter (where not of_people))::integer, sha256(coalesce(string_agg(hash, ''::bytea order by id) filter (where not of_people), ''::bytea)),
    (count(*) filter (where of_people))::integer, sha256(coalesce(string_agg(hash, ''::bytea order by id) filter (where of_people), ''::bytea))
  from (select a.id, a.actor like 'account:%' as of_people, audit_row_hash(a) as hash from audit_log a where a.id > after_id and a.id <= until_id) as hashed
$$;

create or replace function audit_seal_hash(s audit_seal) returns bytea language sql stable as $$
  select sha256(convert_to(format('%s %s %s %s %s %s %s %s %s', s.number, s.first_id, s.last_id, s.kept_rows, encode(s.kept_hash, 'hex'),
    s.people_rows, encode(s.people_hash, 'hex'), encode(s.previous_hash, 'hex'), extract(epoch from s.sealed_at)), 'UTF8'))
$$;

-- Seals what was written up to an id that no row can come before any more, some rows a batch. Runs as the owner of the tables: the
-- program cannot write a seal of its own. Answers how many rows it sealed.
create or replace function seal_audit(edge uuid, rows_most integer) returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare
  past audit_seal; made audit_seal; batch record; until uuid;
begin
  perform pg_advisory_xact_lock(7126088);
  edge := least(edge, uuidv7(interval '-1 second'));
  select * into past from audit_seal order by number desc limit 1;
  select id into until from (select id from audit_log where id > coalesce(past.last_id, '00000000-0000-0000-0000-000000000000') and id <= edge order by id limit least(rows_most, 5000)) as next order by id desc limit 1;
  if until is null then return 0; end if;
  select * into batch from audit_batch(coalesce(past.last_id, '00000000-0000-0000-0000-000000000000'), until);
  made.number := coalesce(past.number, 0) + 1;
  made.first_id := batch.first_id; made.last_id := batch.last_id;
  made.kept_rows := batch.kept_rows; made.kept_hash := batch.kept_hash;
  made.people_rows := batch.people_rows; made.people_hash := batch.people_hash;
  made.previous_hash := coalesce(past.hash, sha256(''::bytea));
  made.sealed_at := now();
  made.hash := audit_seal_hash(made);
  insert into audit_seal select made.*;
  return made.kept_rows + made.people_rows;
end $$;

-- The row before one.
create or replace function audit_id_before(given uuid) returns uuid language sql stable as $$
  select coalesce((select a.id from audit_log a where a.id < given order by a.id desc limit 1), '00000000-0000-0000-0000-000000000000'::uuid)
$$;

-- What is wrong with batches of some numbers: 'seal_missing' before a batch, 'seal_changed' for a seal that is not as it was made or does
-- not follow the one before, 'rows_missing', 'rows_added', 'rows_changed'. `rows` is by how many a batch differs.
create or replace function audit_faults(from_number bigint, until_number bigint) returns table (number bigint, fault text, rows integer) language plpgsql stable as $$
declare
  seal audit_seal; past audit_seal; batch record; is_next boolean; kept integer; people integer; total integer;
begin
  select * into past from audit_seal s where s.number < from_number order by s.number desc limit 1;
  for seal in select * from audit_seal s where s.number between from_number and until_number order by s.number loop
    is_next := seal.number = coalesce(past.number, 0) + 1;
    if not is_next then
      number := seal.number; fault := 'seal_missing'; rows := (seal.number - coalesce(past.number, 0) - 1)::integer; return next;
    end if;
    if seal.hash <> audit_seal_hash(seal) or (is_next and seal.previous_hash <> coalesce(past.hash, sha256(''::bytea))) then
      number := seal.number; fault := 'seal_changed'; rows := 0; return next;
    end if;
    -- Without the one before it is not known where the batch began but by its first row; that one is taken in.
    select * into batch from audit_batch(case when is_next then coalesce(past.last_id, '00000000-0000-0000-0000-000000000000') else audit_id_before(seal.first_id) end, seal.last_id);
    kept := case when seal.forgotten_at is null then seal.kept_rows else 0 end;
    people := case when seal.people_forgotten_at is null and seal.forgotten_at is null then seal.people_rows else 0 end;
    total := batch.kept_rows + batch.people_rows - kept - people;
    if total <> 0 then
      number := seal.number; fault := case when total < 0 then 'rows_missing' else 'rows_added' end; rows := abs(total); return next;
    elsif batch.kept_rows <> kept or (kept > 0 and batch.kept_hash <> seal.kept_hash) or (people > 0 and batch.people_hash <> seal.people_hash) then
      number := seal.number; fault := 'rows_changed'; rows := 0; return next;
    end if;
    past := seal;
  end loop;
end $$;

-- The functions of retention alone say that they forget, and they run as the owner of the tables; who only says so is refused. What
-- happened to an order goes with an order that came to nothing, and never else.
create or replace function is_append_only() returns trigger language plpgsql as $$
begin
  if (tg_op = 'UPDATE' or (tg_op = 'DELETE' and tg_table_name = 'order_event')) and current_setting('lukado.forgetting', true) = 'on' and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;
