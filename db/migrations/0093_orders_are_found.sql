-- expand: indexes only
-- An order is found by the player, phone or account its goods went to. What retention has taken out is in it no more.
create index order_line_account on order_line using gin (account_fields jsonb_path_ops) where account_fields <> '{}';
