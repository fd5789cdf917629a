-- expand: new tables alone, of which the release before knows nothing
-- Comparing with payment services: how far each was compared, and what was found that the shop does not book by itself.

create table reconciliation (
  provider    code primary key,
  -- Everything the service told of until then is compared.
  reached_at  timestamptz not null
);

-- What a service and the shop's books say differently of a payment, until somebody has seen to it.
create table payment_difference (
  id            uuid primary key,
  public_id     public_id not null unique,
  attempt_id    uuid not null references payment_attempt,
  -- Refunded by hand in the service's dashboard; or the service has taken less than it said.
  kind          text not null check (kind in ('refunded_elsewhere','captured_less')),
  currency      currency_code not null references currency,
  told_minor    minor_amount not null,
  known_minor   minor_amount not null check (known_minor <> told_minor),
  found_at      timestamptz not null,
  -- Booked as money that was taken back; seen to in another way; or gone by itself.
  outcome       text check (outcome in ('booked','seen_to','gone')),
  note          text not null default '' check (length(note) <= 500),
  closed_at     timestamptz,
  closed_by     text check (length(closed_by) between 1 and 100),
  check ((outcome is null) = (closed_at is null) and (outcome is null) = (closed_by is null)),
  check (outcome <> 'booked' or kind = 'refunded_elsewhere')
);
create unique index payment_difference_once on payment_difference (attempt_id, kind) where outcome is null;
create index payment_difference_attempt on payment_difference (attempt_id);
create index payment_difference_open on payment_difference (found_at) where outcome is null;
