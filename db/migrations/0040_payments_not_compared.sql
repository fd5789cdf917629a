-- expand: a table and a kind that the release before does not write
-- How often in a row comparing a payment with its service has failed; it holds up the others only so often.
create table reconciliation_failure (
  provider   code not null,
  -- The service's name for the payment.
  reference  text not null check (length(reference) between 1 and 255),
  tries      smallint not null check (tries > 0),
  failure    text not null check (length(failure) <= 500),
  failed_at  timestamptz not null,
  primary key (provider, reference)
);

alter table payment_difference drop constraint payment_difference_kind_check, drop constraint payment_difference_check,
  add constraint payment_difference_kind_check check (kind in ('refunded_elsewhere','captured_less','not_comparable')),
  -- Of one that cannot be compared nothing was told.
  add constraint payment_difference_check check ((known_minor <> told_minor) = (kind <> 'not_comparable'));
