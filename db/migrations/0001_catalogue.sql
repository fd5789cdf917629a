-- The catalogue: what the shop sells, where, in which currency and in which words.
-- Rows are never deleted: what a folder or supplier no longer names is suspended, so that links, orders and reviews keep
-- their target. `source` says who maintains a row; `locked_fields` names the fields a sync must leave alone.

create domain code as text check (value ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(value) <= 100);
create domain language_code as text check (value in
  ('ar','de','en','es','fr','hi','id','it','ja','ko','ms','my','nl','pt','ro','ru','th','tl','vi','zh','zh-tw'));
create domain currency_code as text check (value ~ '^[A-Z]{3}$');
create domain minor_amount as numeric(38,0) check (value >= 0);
create domain publication_status as text check (value in ('active','suspended'));

-- ---------------------------------------------------------------- money
create table currency (
  code                 currency_code primary key,
  numeric_code         text not null check (numeric_code ~ '^[0-9]{3}$'),
  name                 text not null,
  symbol               text not null,
  minor_units          smallint not null check (minor_units between 0 and 4),
  -- Shown prices are rounded to a multiple of this many minor units.
  rounding_increment   minor_amount not null default 1 check (rounding_increment > 0),
  rounding_mode        text not null default 'half_up' check (rounding_mode in ('half_up','up')),
  -- The shop's margin on converted prices, in hundredths of a percent.
  margin_basis_points  integer not null default 0 check (margin_basis_points between 0 and 5000),
  is_checkout          boolean not null default false,
  position             integer not null
);

-- Units of the currency for one unit of the shop's reference currency (USD). The newest row is in force.
create table currency_rate (
  currency     currency_code not null references currency,
  observed_at  timestamptz not null,
  per_usd      numeric(30,12) not null check (per_usd > 0),
  source       text not null,
  primary key (currency, observed_at)
);

-- ---------------------------------------------------------------- places and languages
create table country (
  code            text primary key check (code ~ '^[A-Z]{2}$'),
  alpha3          text not null check (alpha3 ~ '^[A-Z]{3}$'),
  numeric_code    text not null check (numeric_code ~ '^[0-9]{3}$'),
  name            text not null,
  continent       text not null,
  dial_code       text,
  currency        currency_code not null references currency,
  store_currency  currency_code not null references currency,
  language        language_code not null,
  is_on_sale      boolean not null,
  -- {calling_code, trunk_prefix, mobile_pattern, mobile_example, e164_example} or null
  phone           jsonb,
  position        integer not null
);

-- A sales region: where goods work (a country, the eurozone, "global").
create table region (
  code      code primary key,
  name      text not null,
  position  integer not null
);

create table platform (
  code      code primary key,
  name      text not null,
  position  integer not null
);

-- ---------------------------------------------------------------- pictures
-- A cover is drawn from its recipe; a file is stored under the shop's picture folder.
create table picture (
  code    text primary key check (code ~ '^[a-z0-9]+([/-][a-z0-9]+)*$' and length(code) <= 160),
  kind    text not null check (kind in ('cover','file')),
  recipe  jsonb,
  path    text,
  check ((kind = 'cover') = (recipe is not null)),
  check ((kind = 'file') = (path is not null))
);

-- ---------------------------------------------------------------- catalogue
create table category (
  id           integer primary key check (id > 0),
  code         code not null unique,
  parent_id    integer references category,
  name         text not null,
  icon         text not null default '',
  path         text not null check (path like '/%'),
  picture      text references picture,
  position     integer not null,
  status       publication_status not null default 'active',
  source       text not null,
  check (parent_id <> id)
);

create table game (
  code           code primary key,
  name           text not null,
  publisher      text not null,
  aliases        text[] not null default '{}',
  platforms      text[] not null default '{}',
  category_id    integer references category,
  released_year  smallint check (released_year between 1970 and 2100),
  picture        text references picture,
  -- Higher is more in demand; ties by code.
  popularity     integer not null default 0,
  is_hot         boolean not null default false,
  status         publication_status not null default 'active',
  source         text not null
);

-- What a unit of a game's currency is called ("Diamonds"); a proper name is kept in every language.
create table unit (
  key        text primary key,
  name       text not null,
  is_proper  boolean not null
);

create table brand (
  code             code primary key,
  kind             text not null check (kind in
                     ('top_up','game_card','gift_card','prepaid_card','subscription','recharge','game_key')),
  -- The wire contract's goods type: 1 cards, 2 direct charge, 3 mobile recharge, 4 game products.
  type             smallint not null check (type between 1 and 4),
  name             text not null,
  publisher        text not null default '',
  aliases          text[] not null default '{}',
  game             text references game on update cascade,
  platforms        text[] not null default '{}',
  picture          text references picture,
  delivery         text not null check (delivery in ('card_key','direct_charge')),
  typical_minutes  integer check (typical_minutes > 0),
  unit             text references unit,
  -- The account fields a shopper fills in (direct charge): [{key, kind, label, required, help, pattern, min, max, placeholder, options}]
  fields           jsonb not null default '[]',
  -- Redemption of keys: where, in which steps, what a key looks like, how long it is valid.
  redeem_at        text,
  redeem_steps     text[] not null default '{}',
  key_format       jsonb,
  validity         text,
  -- Mobile operators: {country, calling_code, prefixes, prefixes_note, airtime: {kind, min, max}, portability}
  recharge         jsonb,
  released_year    smallint check (released_year between 1970 and 2100),
  popularity       integer not null default 0,
  is_hot           boolean not null default false,
  status           publication_status not null default 'active',
  source           text not null,
  locked_fields    text[] not null default '{}'
);

create table brand_category (
  brand        text not null references brand on update cascade on delete cascade,
  category_id  integer not null references category,
  primary key (brand, category_id)
);

-- A brand in a sales region: the address of a product page.
create table product (
  code            code primary key,
  brand           text not null references brand on update cascade,
  region          text not null references region,
  -- The region's name as this product uses it ("US + Canada"), when it differs from the region's own.
  region_name     text,
  -- Countries whose accounts or shops accept it; null means all.
  countries       text[],
  lock            text not null default 'none' check (lock in ('country','currency','zone','none')),
  -- Said beside the lock when the lock's own sentence is not enough.
  lock_note       text not null default '',
  face_currency   currency_code references currency,
  -- Where any amount between these is sold as well, in the face currency.
  face_min_minor  minor_amount,
  face_max_minor  minor_amount,
  picture         text references picture,
  position        integer not null,
  status          publication_status not null default 'active',
  source          text not null,
  locked_fields   text[] not null default '{}',
  unique (brand, region),
  check ((face_min_minor is null) = (face_max_minor is null)),
  check (face_max_minor > face_min_minor)
);

create table item (
  id                 uuid primary key,
  code               text not null unique check (code ~ '^[a-z]+(:[a-z0-9_.-]+){2,3}$' and length(code) <= 160),
  product            text not null references product on update cascade,
  kind               text not null check (kind in
                       ('pack','pass','membership','bundle','value','plan','edition','airtime','data')),
  name               text not null,
  -- Packs: how many units, and how many on top.
  units              bigint check (units > 0),
  bonus              bigint check (bonus >= 0),
  days               integer check (days > 0),
  -- Data packets: megabytes.
  data_mb            integer check (data_mb > 0),
  -- Cards and airtime: what the denomination is worth, in the product's face currency.
  face_minor         minor_amount,
  price_minor        minor_amount not null check (price_minor > 0),
  price_currency     currency_code not null references currency,
  -- The price it is compared with (list price or face value), same currency; null when there is none.
  market_minor       minor_amount,
  cost_minor         minor_amount,
  cost_currency      currency_code references currency,
  -- Units at hand; null where a supplier makes it to order.
  stock              integer check (stock >= 0),
  sold               bigint not null default 0 check (sold >= 0),
  buyer_countries    text[],
  blocked_countries  text[] not null default '{}',
  position           integer not null,
  status             publication_status not null default 'active',
  source             text not null,
  source_reference   text,
  locked_fields      text[] not null default '{}',
  updated_at         timestamptz not null,
  check ((cost_minor is null) = (cost_currency is null)),
  check (market_minor is null or market_minor >= price_minor)
);
create index item_product on item (product, position);

-- Prices of customer levels above retail (level 0 is item.price_minor).
create table item_level_price (
  item            uuid not null references item on delete cascade,
  level           smallint not null check (level > 0),
  price_minor     minor_amount not null check (price_minor > 0),
  price_currency  currency_code not null references currency,
  primary key (item, level)
);

-- A renamed code leads to its new one, so that printed addresses go on working. The row itself takes the new code, and what
-- refers to it follows.
create table code_redirect (
  kind      text not null check (kind in ('brand','product','game','category','item')),
  old_code  text not null,
  new_code  text not null check (new_code <> old_code),
  primary key (kind, old_code)
);

-- ---------------------------------------------------------------- words
-- One text of one subject in one language. `english_hash` is the SHA-256 (16 hex digits) of the English it was made from:
-- where the English has changed since, the translation is stale and says so. Sentences that recur on many rows (redemption
-- steps, labels of account fields, names of passes and plans) are subject 'phrase', their code is the hash of the English.
create table translation (
  subject       text not null check (subject in
                  ('brand','game','category','unit','region','country','currency','platform','article_category','article','phrase')),
  subject_code  text not null,
  field         text not null,
  language      language_code not null,
  text          text not null check (text <> ''),
  origin        text not null check (origin in ('data','human','machine','cldr')),
  english_hash  text not null check (english_hash ~ '^[0-9a-f]{16}$'),
  primary key (subject, subject_code, field, language)
);

-- ---------------------------------------------------------------- what shoppers say, what the shop tells
create table review (
  id            bigint primary key,
  brand         text not null references brand on update cascade,
  language      language_code not null,
  country       text references country,
  rating        smallint not null check (rating between 1 and 5),
  text          text not null,
  nickname      text not null,
  helpful       integer not null default 0 check (helpful >= 0),
  published_at  timestamptz not null,
  status        publication_status not null default 'active',
  source        text not null
);
create index review_brand on review (brand, published_at desc);

create table article_category (
  kind      text not null check (kind in ('news','faq')),
  code      code not null,
  name      text not null,
  position  integer not null,
  primary key (kind, code)
);

create table article (
  kind          text not null check (kind in ('news','faq','page')),
  code          code not null,
  category      text,
  title         text not null,
  summary       text not null default '',
  -- [{heading?, paragraphs: [text]}]
  sections      jsonb not null,
  related       text[] not null default '{}',
  picture       text references picture,
  published_at  timestamptz not null,
  position      integer not null,
  status        publication_status not null default 'active',
  source        text not null,
  primary key (kind, code)
);

-- ---------------------------------------------------------------- trail
create table audit_log (
  id            uuid primary key,
  at            timestamptz not null,
  actor         text not null,
  request_id    text not null,
  action        text not null,
  subject       text not null,
  subject_code  text not null,
  before        jsonb,
  after         jsonb
);
create index audit_log_subject on audit_log (subject, subject_code, at desc);

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = '23514';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function audit_log_is_append_only();

create table setting (
  key    text primary key,
  value  jsonb not null
);

-- ---------------------------------------------------------------- wake the readers
-- Every process holds the catalogue in memory and reads it anew when told so. The payload is the table; equal
-- notifications of one transaction fold into one.
create function notify_catalogue_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue_changed', tg_table_name);
  return null;
end $$;

do $$
declare
  watched text;
begin
  foreach watched in array array['currency','currency_rate','country','region','platform','picture','category','game','unit',
    'brand','brand_category','product','item','item_level_price','code_redirect','translation','review','article_category','article','setting']
  loop
    execute format('create trigger %I after insert or update or delete or truncate on %I
      for each statement execute function notify_catalogue_changed()', watched || '_notify', watched);
  end loop;
end $$;
