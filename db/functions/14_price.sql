create or replace function margin_rule_only_ends() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.valid_until is not null and new.valid_until is distinct from old.valid_until)
    or (new.id, new.supplier, new.region, new.currency, new.basis_points, new.valid_from, new.created_at, new.created_by)
      is distinct from (old.id, old.supplier, old.region, old.currency, old.basis_points, old.valid_from, old.created_at, old.created_by)
  then raise exception 'a margin rule ends, and nothing else of it changes' using errcode = '23514', constraint = 'margin_rule_only_ends'; end if;
  return new;
end $$;

create or replace function note_item_price() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency) from added i;
  return null;
end $$;

create or replace function note_item_price_change() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'item', i.id::text, jsonb_build_object('price_minor', i.price_minor::text, 'price_currency', i.price_currency, 'own_prices', i.own_prices,
    'cost_minor', i.cost_minor::text, 'cost_currency', i.cost_currency)
  from changed i join before b on b.id = i.id
  where (i.price_minor, i.price_currency, i.own_prices, i.cost_minor, i.cost_currency) is distinct from (b.price_minor, b.price_currency, b.own_prices, b.cost_minor, b.cost_currency);
  return null;
end $$;

create or replace function tell_of_costs() returns void language plpgsql as $$
begin
  if exists (select from margin_rule where valid_until is null or valid_until > now()) or exists (select from setting where key = 'prices' and value ? 'floor') then
    perform pg_notify('catalogue_changed', 'supplier_offer');
  end if;
end $$;

create or replace function note_cost() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from added o join supplier s on s.code = o.supplier;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;

create or replace function note_cost_change() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and s.status = 'on')
  from changed o join before b on b.item = o.item and b.supplier = o.supplier join supplier s on s.code = o.supplier
  where (o.cost_minor, o.cost_currency, o.priority, o.is_on) is distinct from (b.cost_minor, b.cost_currency, b.priority, b.is_on);
  if found then perform tell_of_costs(); end if;
  return null;
end $$;

create or replace function note_cost_end() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value) select 'cost', o.item || ':' || o.supplier, null from gone o;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;

create or replace function note_supplier_status() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  select 'cost', o.item || ':' || o.supplier, jsonb_build_object('cost_minor', o.cost_minor::text, 'cost_currency', o.cost_currency, 'priority', o.priority, 'is_on', o.is_on and new.status = 'on')
  from supplier_offer o where o.supplier = new.code;
  if found then perform tell_of_costs(); end if;
  return null;
end $$;

create or replace function note_level_price() returns trigger language plpgsql as $$
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

create or replace function note_currency() returns trigger language plpgsql as $$
begin
  insert into price_input (kind, subject, value)
  values ('currency', new.code, jsonb_build_object('minor_units', new.minor_units, 'rounding_increment', new.rounding_increment::text, 'rounding_mode', new.rounding_mode, 'margin_basis_points', new.margin_basis_points));
  return null;
end $$;

create or replace function note_price_setting() returns trigger language plpgsql as $$
declare
  changed constant text := case when tg_op = 'DELETE' then old.key else new.key end;
begin
  if changed in ('prices','payment_methods','exchange_rates','rate_max_age_hours') then
    insert into price_input (kind, subject, value) values ('setting', changed, case when tg_op = 'DELETE' then null else new.value end);
  end if;
  return null;
end $$;
