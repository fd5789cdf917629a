-- expand: columns with defaults that the release before leaves out, and tables that it does not know; what it counts aside is put right each night
-- The console shows shelves: what is free, reserved and sold of each item and of each batch, what it cost and how long it lasts. None of
-- that is counted over keys when somebody looks: the changes that stock is counted by tell of batches and of every status.

alter table stock_change
  add column batch_id uuid,
  add column claimed integer not null default 0,
  add column quarantined integer not null default 0,
  add column voided integer not null default 0;

-- Moves that neither the shelf nor the sales notice: reserved and kept back, kept back and void.
create trigger card_key_moved_aside after update of status on card_key for each row
  when (old.status <> new.status and (old.status = 'free') = (new.status = 'free') and (old.status = 'delivered') = (new.status = 'delivered'))
  execute function note_key_moved();

-- Keys of a batch by status, some seconds behind.
create table key_batch_level (
  batch_id     uuid primary key references key_batch,
  item         uuid not null references item,
  free         integer not null,
  claimed      integer not null,
  delivered    integer not null,
  quarantined  integer not null,
  void         integer not null,
  updated_at   timestamptz not null
);
create index key_batch_level_item on key_batch_level (item) where free <> 0 or claimed <> 0 or quarantined <> 0;

-- Keys of an item sold on a day, less those that were given back on it.
create table key_sale_day (
  item  uuid not null references item,
  day   date not null,
  sold  integer not null,
  primary key (item, day)
);
create index key_sale_day_day on key_sale_day (day);

-- Where a batch was bought, and what each of its keys cost. Every purchase of cards is a batch: no domains here, for which the table would be
-- written anew, and 0109 looks at the rows that were there.
alter table key_batch
  add column supplier text,
  add column cost_minor numeric(38,0),
  add column cost_currency text,
  add constraint key_batch_supplier_check check (length(supplier) between 1 and 100) not valid,
  add constraint key_batch_cost check ((cost_minor is null) = (cost_currency is null) and cost_minor >= 0) not valid,
  add constraint key_batch_cost_currency_fkey foreign key (cost_currency) references currency not valid;

-- A shelf as it stood a minute ago at most: what the list is ordered and filtered by.
create table key_shelf (
  item         uuid primary key references item,
  -- Days of cover below which somebody is told; null: as the shop's setting has it.
  low_days     smallint check (low_days between 0 and 365),
  -- How often that was changed, so that two people do not undo each other's.
  version      integer not null default 0,
  free         integer not null,
  quarantined  integer not null,
  -- Free keys that expire within thirty days, a thousand at most.
  expiring     integer not null,
  -- Of the last thirty days.
  sold         integer not null,
  -- 0: it is empty. A thousand years: nothing is sold of it.
  cover_hours  integer not null check (cover_hours between 0 and 8760000),
  is_low       boolean not null,
  updated_at   timestamptz not null
);
create index key_shelf_cover on key_shelf (cover_hours, item);
create index key_shelf_low on key_shelf (cover_hours, item) where is_low;
create index key_shelf_quarantined on key_shelf (cover_hours, item) where quarantined > 0;
create index key_shelf_expiring on key_shelf (cover_hours, item) where expiring > 0;
