-- expand: a column with a default, which the release before leaves alone
-- Whether a payer's bank disputes a payment is a fact of that payment. That of the order, its hold and its case follow from it.
alter table payment_attempt add is_disputed boolean not null default false;
create index payment_attempt_disputed on payment_attempt (order_id) where is_disputed;
