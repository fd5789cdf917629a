-- expand: two tables that only newer releases read and write
-- Beside the payment that was accepted for an order: others of it, each too little alone, and how much of each pays for the order.
create table accepted_part (
  attempt_id    uuid primary key references payment_attempt,
  order_id      uuid not null references accepted_payment,
  amount_minor  positive_amount not null
);
create index accepted_part_order on accepted_part (order_id);

-- What goes back to several payments at once: the refund of the units, and one for what each other payment gets of it.
create table refund_part (
  refund_id     uuid primary key references refund,
  of_refund_id  uuid not null references refund
);
create index refund_part_of on refund_part (of_refund_id);
