-- expand: an index alone
create index order_unit_needs_input on order_unit (input_until) where status = 'needs_input';
