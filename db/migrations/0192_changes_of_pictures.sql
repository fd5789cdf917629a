-- expand: an index alone
-- beside shoppers: each statement on its own, outside a transaction
-- Changes of pictures, by which it is known whether a picture that was sent can still come back.
create index concurrently if not exists goods_change_row_picture on goods_change_row (change_id) where field = 'picture';
