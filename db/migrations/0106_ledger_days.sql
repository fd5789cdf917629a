-- expand: tables that only newer releases read and write
-- The books as they stood at the end of each day of the shop. Every account of the books has a row for every closed day, those of
-- shoppers one together, so that the balances of any day are read at once.
create table ledger_closing (
  day         date primary key,
  -- The days follow each other without a gap: each begins where the one before ended, whatever time zone the shop has by then.
  begins      timestamptz not null,
  ends        timestamptz not null unique check (ends > begins),
  transfers   integer not null check (transfers >= 0),
  closed_at   timestamptz not null
);
create table ledger_day (
  day            date not null references ledger_closing,
  account        text not null check (account ~ '^[a-z_]+(:[a-z0-9-]+)?$' and length(account) <= 100),
  currency       currency_code not null references currency,
  debit_minor    minor_amount not null,
  credit_minor   minor_amount not null,
  -- Credits less debits of all days up to this one.
  balance_minor  numeric(38,0) not null,
  primary key (day, account, currency)
);
