-- expand: an index alone
create index order_unit_to_order on order_unit (order_id) where to_order and status in ('queued','delivering','in_doubt','failed');
