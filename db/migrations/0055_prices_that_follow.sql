-- expand: tables of their own, and triggers that write down what prices are made from; the release before goes on as it was
-- What is added to a cost. Rules end and are never changed: what held at any moment can be told.
create table margin_rule (
  id            uuid primary key,
  -- What is null holds for all.
  brand         text references brand on update cascade,
  supplier      code references supplier,
  -- Where the goods work, never where the buyer is.
  region        text references region,
  currency      currency_code references currency,
  basis_points  integer not null check (basis_points between 0 and 100000),
  valid_from    timestamptz not null,
  valid_until   timestamptz check (valid_until >= valid_from),
  created_at    timestamptz not null,
  created_by    text not null check (length(created_by) between 1 and 100),
  ended_by      text check (length(ended_by) between 1 and 100),
  check ((valid_until is null) = (ended_by is null))
);
create index margin_rule_open on margin_rule (valid_from) where valid_until is null;

-- Whatever prices are made from, each time it changes; null where it is gone. From this any price that was ever shown is worked out again.
create table price_input (
  id           bigint generated always as identity primary key,
  recorded_at  timestamptz not null default clock_timestamp(),
  kind         text not null check (kind in ('item','cost','level_price','currency','setting')),
  subject      text not null check (length(subject) between 1 and 200),
  value        jsonb
);
create index price_input_newest on price_input (kind, subject, recorded_at desc, id desc);
create trigger price_input_append_only before update or delete or truncate on price_input
  for each statement execute function is_append_only();

create function margin_rule_only_ends() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.valid_until is not null and new.valid_until is distinct from old.valid_until)
    or (new.id, new.supplier, new.region, new.currency, new.basis_points, new.valid_from, new.created_at, new.created_by)
      is distinct from (old.id, old.supplier, old.region, old.currency, old.basis_points, old.valid_from, old.created_at, old.created_by)
  then raise exception 'a margin rule ends, and nothing else of it changes' using errcode = '23514', constraint = 'margin_rule_only_ends'; end if;
  return new;
end $$;
create trigger margin_rule_ends before update or delete on margin_rule for each row execute function margin_rule_only_ends();
create trigger margin_rule_notify after insert or update on margin_rule for each statement execute function notify_catalogue_changed();

create function note_item_price() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency) from added i;
  return null;
end $$;
create function note_item_price_change() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency)
  from changed i join before b on b.id = i.id
  where (i.price_minor, i.price_currency, i.own_prices, i.cost_minor, i.cost_currency) is distinct from (b.price_minor, b.price_currency, b.own_prices, b.cost_minor, b.cost_currency);
  return null;
end $$;
create trigger item_price_added after insert on item referencing new table as added for each statement execute function note_item_price();
create trigger item_price_changed after update on item referencing old table as before new table as changed for each statement execute function note_item_price_change();

-- Prices in memory follow costs only where a rule or the floor looks at them.
create function tell_of_costs() returns void language plpgsql as $$
begin
  if exists (select from margin_rule where valid_until is null or valid_until > now()) or exists (select from setting where key = 'prices' and value ? 'floor') then
    perform pg_notify('catalogue_changed', 'supplier_offer');
  end if;
end $$;
create function note_cost() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from added o join supplier s on s.code = o.supplier;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;
create function note_cost_change() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from changed o join before b on b.item = o.item and b.supplier = o.supplier join supplier s on s.code = o.supplier
  where (o.cost_minor, o.cost_currency, o.priority, o.is_on) is distinct from (b.cost_minor, b.cost_currency, b.priority, b.is_on);
  if found then perform tell_of_costs(); end if;
  return null;
end $$;
create function note_cost_end() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value) select 'cost', o.item || ':' || o.supplier, null from gone o;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;
create function note_supplier_status() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and new.status = 'on')
  from supplier_offer o where o.supplier = new.code;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;
create trigger supplier_offer_added after insert on supplier_offer referencing new table as added for each statement execute function note_cost();
create trigger supplier_offer_changed after update on supplier_offer referencing old table as before new table as changed for each statement execute function note_cost_change();
create trigger supplier_offer_gone after delete on supplier_offer referencing old table as gone for each statement execute function note_cost_end();
create trigger supplier_status_changed after update of status on supplier for each row when (old.status <> new.status) execute function note_supplier_status();

create function note_level_price() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE','DELETE') then
    insert into price_input (kind, subject, value) values ('level_price', old.item || ':' || old.level, null);
  end if;
  if tg_op in ('UPDATE','INSERT') then
    insert into price_input (kind, subject, value)
    values ('level_price', new.item || ':' || new.level, jsonb_build_object('price_minor', new.price_minor::text, 'price_currency', new.price_currency));
  end if;
  return null;
end $$;
create trigger item_level_price_noted after insert or update or delete on item_level_price for each row execute function note_level_price();

create function note_currency() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  values ('currency', new.code, jsonb_build_object('minor_units', new.minor_units, 'rounding_increment', new.rounding_increment::text, 'rounding_mode', new.rounding_mode, 'margin_basis_points', new.margin_basis_points));
  return null;
end $$;
create trigger currency_added after insert on currency for each row execute function note_currency();
create trigger currency_changed after update on currency for each row
  when ((old.minor_units, old.rounding_increment, old.rounding_mode, old.margin_basis_points) is distinct from (new.minor_units, new.rounding_increment, new.rounding_mode, new.margin_basis_points))
  execute function note_currency();

create function note_price_setting() returns trigger language plpgsql as $$
declare
  changed constant text := case when tg_op = 'DELETE' then old.key else new.key end;
begin
  if changed in ('prices','payment_methods','exchange_rates','rate_max_age_hours') then
    insert into price_input (kind, subject, value) values ('setting', changed, case when tg_op = 'DELETE' then null else new.value end);
  end if;
  return null;
end $$;
create trigger setting_noted after insert or update or delete on setting for each row execute function note_price_setting();

insert into price_input (kind, subject, value)
select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
  'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency) from item i;
insert into price_input (kind, subject, value)
select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
from supplier_offer o join supplier s on s.code = o.supplier;
insert into price_input (kind, subject, value)
select 'level_price', l.item || ':' || l.level, jsonb_build_object('price_minor', l.price_minor::text, 'price_currency', l.price_currency) from item_level_price l;
insert into price_input (kind, subject, value)
select 'currency', c.code, jsonb_build_object('minor_units', c.minor_units, 'rounding_increment', c.rounding_increment::text, 'rounding_mode', c.rounding_mode, 'margin_basis_points', c.margin_basis_points) from currency c;
insert into price_input (kind, subject, value)
select 'setting', key, value from setting where key in ('prices','payment_methods','exchange_rates','rate_max_age_hours');
