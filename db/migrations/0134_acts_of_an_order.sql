-- expand: an index alone
-- beside shoppers: each statement on its own, outside a transaction
-- What an operator gives for one order is counted whenever they give more of it.
create index concurrently if not exists operator_act_order on operator_act (order_id) where order_id is not null;
