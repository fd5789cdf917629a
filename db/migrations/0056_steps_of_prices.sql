-- expand: a column that may be null, which the release before neither reads nor writes
-- How the price of one came about, as an ordered list of steps: a further kind of step needs no migration.
alter table order_line add column price_steps jsonb,
  add constraint order_line_price_steps check (price_steps is null or jsonb_typeof(price_steps) = 'array') not valid;
