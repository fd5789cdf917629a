-- expand: a new table, and columns that may be null; the release before goes on reading the newest row of currency_rate, which is in force as before
-- What sources of exchange rates have published, and from what of it each rate in force came.

create table rate_quote (
  id            uuid primary key,
  source        code not null,
  currency      currency_code not null references currency,
  -- When the source says it was published, and when the shop heard of it.
  published_at  timestamptz not null,
  fetched_at    timestamptz not null,
  -- As they were told, to the last digit: units of the currency, and US dollars, for one unit of the source's base.
  base          currency_code not null,
  per_base      numeric not null check (per_base > 0),
  usd_per_base  numeric not null check (usd_per_base > 0),
  -- held: too far from the rate in force, a person decides; superseded: held until a newer one came.
  state         text not null default 'usable' check (state in ('usable','held','accepted','refused','superseded')),
  decided_at    timestamptz,
  decided_by    text check (length(decided_by) between 1 and 100),
  check (base <> 'USD' or usd_per_base = 1),
  check ((state in ('accepted','refused')) = (decided_at is not null) and (decided_at is null) = (decided_by is null))
);
create unique index rate_quote_newest on rate_quote (currency, source, published_at desc, fetched_at desc);
create unique index rate_quote_held on rate_quote (currency, source) where state = 'held';

-- Rows that a folder brought have no day of publication; those that were chosen from sources have.
alter table currency_rate
  add column published_at timestamptz,
  add column quote_id uuid references rate_quote,
  -- Added to prices in this currency, in hundredths of a percent.
  add column spread_basis_points integer not null default 0 check (spread_basis_points between 0 and 5000),
  -- Since when the row is there; null: since it was observed.
  add column recorded_at timestamptz,
  add constraint currency_rate_quote check (quote_id is null or published_at is not null);
alter table currency_rate alter column recorded_at set default now();
create index currency_rate_folder on currency_rate (currency, observed_at desc) where published_at is null;
