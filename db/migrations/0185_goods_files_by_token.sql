-- expand: a column of its own, which the release before leaves empty and does not read
-- The token by which a file was sent, taken or asked for, as it is called where tokens are listed: what the worker does of it is bounded by what that token may do.
alter table goods_file add column token text check (length(token) between 1 and 40);
