-- expand: tables that only newer releases read and write, and columns that releases before leave alone
-- How what is sold is taxed. Prices include their tax. Rows are only added: of each product and country, and of each country and class,
-- the newest one holds, so that what held at any moment can be told.
create table tax_class (
  id        uuid primary key,
  -- Null for all of them: a row of the product goes before one of the country, and that before the one of neither.
  product   text references product on update cascade,
  country   text references country,
  -- 'single_purpose' and 'service': taxed when it is sold, where its buyer is. 'multi_purpose': when it is redeemed, by whoever takes it.
  -- 'none': not taxed. Null takes back what was said before.
  class     text check (class in ('single_purpose','multi_purpose','service','none')),
  set_by    text not null check (length(set_by) between 1 and 100),
  set_at    timestamptz not null
);
create index tax_class_newest on tax_class (product, country, id desc);
create table tax_rate (
  id            uuid primary key,
  country       text not null references country,
  class         text not null check (class in ('single_purpose','service')),
  -- Hundredths of a percent.
  basis_points  integer not null check (basis_points between 0 and 10000),
  valid_from    timestamptz not null,
  set_by        text not null check (length(set_by) between 1 and 100),
  set_at        timestamptz not null
);
create index tax_rate_newest on tax_rate (country, class, valid_from desc, id desc);
create trigger tax_class_append_only before update of id, country, class, set_by, set_at or delete or truncate on tax_class
  for each statement execute function is_append_only();
create trigger tax_rate_append_only before update or delete or truncate on tax_rate
  for each statement execute function is_append_only();
create trigger tax_class_notify after insert on tax_class for each statement execute function notify_catalogue_changed();
create trigger tax_rate_notify after insert on tax_rate for each statement execute function notify_catalogue_changed();

-- What the setting `tax` said, from which orders were taxed until now: the same for everything. The row stays for the release before.
insert into tax_rate (id, country, class, basis_points, valid_from, set_by, set_at)
select uuidv7(), c.code, class, (rate.value->>'basis_points')::integer, '-infinity', 'system', now()
from setting s cross join lateral jsonb_each(case jsonb_typeof(s.value) when 'object' then s.value else '{}' end) as rate
  join country c on c.code = rate.key cross join unnest(array['single_purpose','service']) as class
where s.key = 'tax' and rate.value->>'basis_points' ~ '^[0-9]{1,5}$' and (rate.value->>'basis_points')::integer <= 10000;
insert into tax_class (id, product, country, class, set_by, set_at)
select uuidv7(), null, null, 'single_purpose', 'system', now() where exists (select from tax_rate);

-- Of one unit, in the order's currency: units of a line cost the same, and so does their tax. Null where nothing was said of how it is taxed.
alter table order_line
  add column tax_class text,
  add column tax_basis_points integer,
  add column tax_minor numeric(38,0),
  -- Every row keeps them already; 0117 looks at them.
  add constraint order_line_tax_class_check check (tax_class in ('single_purpose','multi_purpose','service','none')) not valid,
  add constraint order_line_tax_check check (
    (tax_class is null) = (tax_basis_points is null) and (tax_class is null) = (tax_minor is null)
    and coalesce(tax_basis_points between 0 and 10000 and tax_minor between 0 and price_minor, true)
    and (tax_class in ('single_purpose','service') or coalesce(tax_minor, 0) = 0)) not valid;
create trigger order_line_tax_stays before update of tax_class, tax_basis_points, tax_minor on order_line
  for each statement execute function is_append_only();

-- Sales and refunds whose tax is still to be written down, in the order in which they happened: written in their transactions, worked
-- off by the worker, so that no payment waits for the number of an invoice.
create table tax_due (
  id         bigint generated always as identity primary key,
  order_id   uuid not null references shop_order,
  refund_id  uuid references refund,
  -- 'sale', 'refund'; 'returned': a refund that came back.
  kind       text not null check (kind in ('sale','refund','returned')),
  at         timestamptz not null,
  check ((kind = 'sale') = (refund_id is null))
);

create index tax_due_of_order on tax_due (order_id);

-- What was taxed, by class and rate, and what of that was taken back: below zero.
create table tax_booking (
  id            uuid primary key,
  order_id      uuid not null references shop_order,
  refund_id     uuid references refund,
  kind          text not null check (kind in ('sale','refund','returned')),
  at            timestamptz not null,
  -- Null where it was not known.
  country       text references country,
  class         text not null check (class in ('single_purpose','multi_purpose','service','none')),
  basis_points  integer not null check (basis_points between 0 and 10000),
  currency      currency_code not null references currency,
  gross_minor   numeric(38,0) not null,
  tax_minor     numeric(38,0) not null,
  unique nulls not distinct (order_id, refund_id, kind, class, basis_points),
  check ((kind = 'sale') = (refund_id is null)),
  check (case when kind = 'refund' then gross_minor < 0 and tax_minor between gross_minor and 0
    else gross_minor > 0 and tax_minor between 0 and gross_minor end)
);
create index tax_booking_at on tax_booking (at);
create trigger tax_booking_append_only before update or delete or truncate on tax_booking
  for each statement execute function is_append_only();

-- The last number of each series and year.
create table sales_invoice_series (
  series  text not null check (series ~ '^[A-Z0-9]{1,10}$'),
  year    integer not null check (year between 2000 and 9999),
  last    integer not null check (last > 0),
  primary key (series, year)
);
-- Invoices and credit notes as they were issued. Only who bought may be taken out, once the law asks for it no longer.
create table sales_invoice (
  id           uuid primary key,
  public_id    public_id not null unique,
  -- 'invoice' with a refund: what it gave back came back, and is owed again.
  kind         text not null check (kind in ('invoice','credit_note')),
  order_id     uuid not null references shop_order,
  refund_id    uuid references refund,
  series       text not null,
  year         integer not null,
  number       integer not null,
  issued_at    timestamptz not null,
  currency     currency_code not null references currency,
  gross_minor  positive_amount not null,
  tax_minor    minor_amount not null check (tax_minor <= gross_minor),
  content      jsonb not null check (jsonb_typeof(content) = 'object'),
  buyer        jsonb check (jsonb_typeof(buyer) = 'object'),
  keep_until   date not null,
  unique (series, year, number),
  unique nulls not distinct (order_id, refund_id, kind),
  check (kind = 'invoice' or refund_id is not null),
  foreign key (series, year) references sales_invoice_series
);
create index sales_invoice_to_forget on sales_invoice (keep_until) where buyer is not null;
create trigger sales_invoice_append_only
  before update of id, public_id, kind, order_id, refund_id, series, year, number, issued_at, currency, gross_minor, tax_minor, content, keep_until or delete or truncate on sales_invoice
  for each statement execute function is_append_only();
create function refuse_new_buyer() returns trigger language plpgsql as $$
begin
  raise exception 'a buyer of an invoice is only ever taken out' using errcode = '23514', constraint = 'sales_invoice_buyer_stays';
end $$;
create trigger sales_invoice_buyer_stays before update of buyer on sales_invoice for each row when (new.buyer is not null)
  execute function refuse_new_buyer();
create trigger sales_invoice_series_stays before update of series, year or delete or truncate on sales_invoice_series
  for each statement execute function is_append_only();
create function number_sales_invoice() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger sales_invoice_numbered before insert on sales_invoice for each row execute function number_sales_invoice();
create function count_by_one() returns trigger language plpgsql as $$
begin
  raise exception 'numbers follow each other without a gap' using errcode = '23514', constraint = 'sales_invoice_series_gapless';
end $$;
create trigger sales_invoice_series_gapless before update of last on sales_invoice_series for each row when (new.last <> old.last + 1)
  execute function count_by_one();

create function queue_tax_of_sale() returns trigger language plpgsql as $$ begin return null; end $$;
create function queue_tax_of_refund() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger shop_order_taxed after update of settled_at on shop_order for each row
  when (old.settled_at is null and new.settled_at is not null) execute function queue_tax_of_sale();
create trigger refund_taxed after update of status on refund for each row
  when (new.purpose = 'goods' and old.status <> new.status and 'succeeded' in (old.status, new.status)) execute function queue_tax_of_refund();
