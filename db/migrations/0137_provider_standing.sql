-- expand: tables that only newer releases read and write
-- How many payments of each provider were begun lately, and how many of those were paid: counted by the worker.
create table provider_standing (
  provider   text primary key check (length(provider) between 1 and 100),
  begun_day  integer not null check (begun_day >= 0),
  paid_day   integer not null check (paid_day between 0 and begun_day),
  begun_week integer not null check (begun_week >= 0),
  paid_week  integer not null check (paid_week between 0 and begun_week),
  counted_at timestamptz not null
);
-- What a provider says that lies with it and can be paid out, by currency. It may owe the shop less than nothing.
create table provider_balance (
  provider        text not null check (length(provider) between 1 and 100),
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  available_minor bigint not null,
  told_at         timestamptz not null,
  primary key (provider, currency)
);
