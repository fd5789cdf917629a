-- expand: a table of its own
-- What suppliers list, and what it is here. Kept of what is listed no more, too: it comes back as what it was.
create table supplier_product (
  supplier        code not null references supplier,
  product         text not null check (length(product) between 1 and 200),
  -- Of a product with several amounts one row each: "500 USD" in minor units; empty where the product is the denomination.
  face            text not null default '' check (face ~ '^(\d{1,18} [A-Z]{3})?$'),
  kind            text not null check (length(kind) between 1 and 20),
  name            text not null check (length(name) <= 300),
  brand           text check (length(brand) <= 200),
  country         text check (length(country) <= 10),
  cost_minor      minor_amount,
  cost_currency   currency_code,
  -- Null: not told.
  stock           integer check (stock >= 0),
  item            uuid references item,
  -- How it was found to be that item, and how alike names were, in hundredths.
  matched_by      text check (matched_by in ('hand','id','name','draft')),
  score           smallint check (score between 0 and 100),
  -- 'draft': made here by a sync and not shown yet. 'gone': listed no more.
  status          text not null check (status in ('mapped','draft','unmatched','excluded','gone')),
  sync_cost       text not null default 'follow' check (sync_cost in ('follow','once','never')),
  sync_stock      text not null default 'follow' check (sync_stock in ('follow','once','never')),
  sync_name       text not null default 'once' check (sync_name in ('follow','once','never')),
  sync_faces      text not null default 'once' check (sync_faces in ('follow','once','never')),
  -- A sync changes nothing of what it is here.
  is_locked       boolean not null default false,
  -- The item was taken off sale as it vanished there: it comes back with it.
  took_off        boolean not null default false,
  -- A cost that jumped and waits for a person.
  held_minor      minor_amount,
  held_currency   currency_code,
  held_at         timestamptz,
  first_seen_at   timestamptz not null,
  seen_at         timestamptz not null,
  primary key (supplier, product, face),
  check ((cost_minor is null) = (cost_currency is null)),
  check ((item is null) = (matched_by is null)),
  check (status not in ('mapped','draft') or item is not null),
  check ((held_minor is null) = (held_at is null) and (held_minor is null) = (held_currency is null))
);
-- A supplier's products and our items are told apart: of one supplier an item is one product.
create unique index supplier_product_item on supplier_product (supplier, item) where status in ('mapped','draft');
create index supplier_product_held on supplier_product (held_at) where held_at is not null;
