-- expand: foreign keys of tables that the release before does not know
alter table delivery_check add foreign key (order_id) references shop_order;
alter table delivery_use add foreign key (order_id) references shop_order;
