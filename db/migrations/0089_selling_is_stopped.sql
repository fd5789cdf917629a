-- expand: a table that the release before does not read, and a check looked at
-- What is not to be sold for the moment: the whole shop, a product, a shelf (an item), what a supplier delivers, a way to pay. One row
-- a stop, kept when it has ended.
create table sale_stop (
  id          uuid primary key,
  kind        text not null check (kind in ('shop','product','shelf','supplier','method')),
  -- Of the product, item, supplier or method; empty for the shop.
  code        text not null check (length(code) <= 200),
  reason      text not null check (length(reason) between 1 and 300),
  stopped_by  text not null,
  stopped_at  timestamptz not null,
  ended_by    text,
  ended_at    timestamptz,
  check ((kind = 'shop') = (code = '')),
  check ((ended_at is null) = (ended_by is null)),
  check (ended_at >= stopped_at)
);
create unique index sale_stop_in_force on sale_stop (kind, code) where ended_at is null;
create index sale_stop_ended on sale_stop (ended_at desc, id desc) where ended_at is not null;
create trigger sale_stop_changed after insert or update or delete on sale_stop for each statement execute function notify_catalogue_changed();

alter table audit_log validate constraint audit_log_network;
