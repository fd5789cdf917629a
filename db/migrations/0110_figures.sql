-- expand: tables that only newer releases read and write
-- What the shop did, added up by its hours and days, for all of it and for each currency, method, country, brand and supplier. Everything
-- here is made of the books and the orders, an hour at a time, and can be made anew from them. Amounts are US cents at the rate of each
-- order; a currency's own stand beside them.
create table figure (
  span            text not null check (span in ('hour','day')),
  dimension       text not null check (dimension in ('all','currency','method','country','brand','supplier')),
  begins          timestamptz not null,
  value           text not null check (length(value) <= 100),
  -- Orders begun, and how many of those are paid by now.
  begun           integer not null default 0 check (begun >= 0),
  begun_paid      integer not null default 0 check (begun_paid between 0 and begun),
  -- Orders paid, and what was sold with them.
  paid            integer not null default 0 check (paid >= 0),
  units           integer not null default 0 check (units >= 0),
  sales_usd       bigint not null default 0,
  fees_usd        bigint not null default 0,
  -- Units delivered, and those of which it is known what they cost.
  delivered       integer not null default 0 check (delivered >= 0),
  costed          integer not null default 0 check (costed between 0 and delivered),
  costed_usd      bigint not null default 0,
  cost_usd        bigint not null default 0,
  refunds         integer not null default 0 check (refunds >= 0),
  refunded_usd    bigint not null default 0,
  -- Of a currency alone, in it.
  sales_minor     numeric(38,0) not null default 0,
  fees_minor      numeric(38,0) not null default 0,
  refunded_minor  numeric(38,0) not null default 0,
  -- How many units took how long to be delivered, by buckets that grow; null where none was.
  times           integer[],
  primary key (span, dimension, begins, value),
  check (dimension = 'currency' or (sales_minor = 0 and fees_minor = 0 and refunded_minor = 0))
);
-- Hours that are to be added up, or again.
create table figure_due (
  begins  timestamptz primary key
);
-- How far the books are looked through for hours that something happened in, and since when the hours themselves are kept.
create table figure_progress (
  is_only     boolean primary key default true check (is_only),
  time_zone   text not null check (length(time_zone) between 1 and 100),
  reached     timestamptz not null,
  hours_from  timestamptz not null
);
