-- expand: a table and columns that only newer releases read and write; the checks of the migration before are looked up in older rows
alter table operator_act validate constraint operator_act_kind_check, validate constraint operator_act_permission_check,
  validate constraint operator_act_has_money;

-- A sync that somebody asks for in the console: the worker takes it up. One a supplier, as one runs at a time.
create table supply_sync_wish (
  supplier       code primary key references supplier,
  asked_by       text not null check (length(asked_by) between 1 and 100),
  asked_at       timestamptz not null,
  -- Only told, nothing changed.
  is_dry         boolean not null,
  applies_jumps  boolean not null
);
alter table supply_sync_run
  add column is_dry boolean not null default false,
  -- How many denominations were read so far.
  add column read_count integer not null default 0 check (read_count >= 0);

-- A cost that jumped and that somebody has refused: it is not held again as long as it is listed like this.
alter table supplier_product
  add column refused_minor numeric check (refused_minor >= 0 and refused_minor = trunc(refused_minor)),
  add column refused_currency text check (refused_currency ~ '^[A-Z]{3}$');

-- What of a supplier's list waits for somebody, a page at a time.
create index supplier_product_state on supplier_product (supplier, status, product, face);
create index supplier_product_guessed on supplier_product (supplier, product, face) where matched_by = 'name' and status in ('mapped','draft');
create index supplier_product_jumped on supplier_product (supplier, product, face) where held_at is not null;
