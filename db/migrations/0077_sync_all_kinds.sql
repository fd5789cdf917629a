-- expand: columns of a table that syncs alone read and write, with constant defaults; its checks look at each row once, while nobody else uses it
-- Of a product of which any amount may be bought: from, to, in steps of. Null of one denomination.
alter table supplier_product
  add column range_min_minor   minor_amount,
  add column range_max_minor   minor_amount,
  add column range_step_minor  minor_amount,
  add column range_currency    currency_code,
  -- Who may buy it, as the supplier tells.
  add column buyer_countries   text[],
  add column blocked_countries text[] not null default '{}',
  add column min_age           smallint,
  add column sync_limits       text not null default 'follow',
  add constraint supplier_product_range check ((range_min_minor is null) = (range_max_minor is null) and (range_min_minor is null) = (range_currency is null)),
  add constraint supplier_product_min_age check (min_age between 1 and 99),
  add constraint supplier_product_sync_limits check (sync_limits in ('follow','once','never'));
