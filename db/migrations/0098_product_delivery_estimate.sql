-- expand: a column that may be null
-- What the owner estimates of one product: a pack that takes a day beside others that take minutes. Null: what is said of its brand.
alter table product add column typical_minutes integer check (typical_minutes > 0);
