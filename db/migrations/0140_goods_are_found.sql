-- expand: indexes alone
-- beside shoppers: each statement on its own, outside a transaction
-- The words of an item's name and code, as operators type them.
create index concurrently if not exists item_words on item using gin (to_tsvector('simple', translate(code, ':_.-', '    ') || ' ' || name));
-- What is not as most items are.
create index concurrently if not exists item_suspended on item (product, position) where status = 'suspended';
create index concurrently if not exists item_locked on item (product, position) where locked_fields <> '{}';
create index concurrently if not exists item_changed on item (updated_at desc);
