-- expand: values that the release before neither writes nor reads, and tables that only newer ones know
-- Figures are told by currency and one thing more, so that a report of one currency is told apart as one of all is. Which edition of them
-- stands there is known: a worker that adds up more than the one before begins anew.
alter table figure
  drop constraint figure_dimension_check,
  add constraint figure_dimension_check check (dimension in ('all','currency','method','country','brand','supplier',
    'currency_method','currency_country','currency_brand','currency_supplier')),
  drop constraint figure_check2,
  add constraint figure_check2 check (dimension like 'currency%' or (sales_minor = 0 and fees_minor = 0 and refunded_minor = 0));
alter table figure_progress add edition integer not null default 1 check (edition > 0);

-- What is reported beside: purchases by supplier, keys by brand, tax by country and rate, added up by day and finished month. Made of the
-- orders, the books and the shelves, a day at a time, and can be made anew from them.
create table tally (
  span        text not null check (span in ('day','month')),
  subject     text not null check (subject in ('purchase','key_bought','key_sold','tax')),
  begins      timestamptz not null,
  value       text not null check (length(value) <= 100),
  -- Empty where no amount is known.
  currency    text not null check (currency ~ '^([A-Z]{3})?$'),
  -- Purchases that brought something and that did not; keys, and those without a cost; taxed sales, and what was given back.
  done        integer not null default 0 check (done >= 0),
  failed      integer not null default 0 check (failed >= 0),
  -- Costs, prices, or amounts with their tax; and of those what is tax.
  minor       numeric(38,0) not null default 0,
  part_minor  numeric(38,0) not null default 0,
  -- The same in US cents, at the rate of each order, else of that day.
  usd         bigint not null default 0,
  part_usd    bigint not null default 0,
  -- How many purchases took how long, by the buckets of figures.
  times       integer[],
  primary key (span, subject, begins, value, currency)
);
-- Days that are to be added up, or again, by their beginning.
create table tally_due (
  begins  timestamptz primary key
);
-- Months that are added up: one without anything has no row of its own.
create table tally_month (
  begins  timestamptz primary key
);
create table tally_progress (
  is_only    boolean primary key default true check (is_only),
  time_zone  text not null check (length(time_zone) between 1 and 100),
  reached    timestamptz not null,
  edition    integer not null check (edition > 0)
);

-- What shoppers looked for and found nothing of: the words alone, made alike, with how often on a day. Nobody is told by them.
create table search_miss (
  day       date not null,
  words     text not null check (length(words) between 2 and 40),
  searches  integer not null check (searches > 0),
  primary key (day, words)
);

-- Reports that operators keep: what they ask for, under a name of their own.
create table saved_report (
  id           uuid primary key,
  public_id    public_id not null unique,
  operator_id  uuid not null references operator,
  name         text not null check (length(name) between 1 and 80),
  report       text not null check (length(report) between 1 and 20),
  -- What is chosen of it, as the address of its page says it.
  choice       text not null check (length(choice) <= 300),
  is_shared    boolean not null default false,
  version      integer not null default 1 check (version > 0),
  created_at   timestamptz not null,
  updated_at   timestamptz not null
);
create index saved_report_of on saved_report (operator_id, id);
create index saved_report_shared on saved_report (id) where is_shared;
-- Who gets which of them by mail, and when next.
create table report_mail (
  report_id    uuid not null references saved_report on delete cascade,
  operator_id  uuid not null references operator,
  rhythm       text not null check (rhythm in ('daily','weekly','monthly')),
  next_at      timestamptz not null,
  sent_at      timestamptz,
  primary key (report_id, operator_id)
);
create index report_mail_due on report_mail (next_at);
