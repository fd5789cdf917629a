-- expand: a column with a default, which the release before neither reads nor writes
-- Prices of an item in currencies of the shop's choice, in minor units as text: {"EUR": "990"}. They stand instead of the price converted.
alter table item add column own_prices jsonb not null default '{}' check (jsonb_typeof(own_prices) = 'object');
