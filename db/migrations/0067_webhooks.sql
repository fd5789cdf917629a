-- expand: new tables and a trigger that writes nothing while no endpoint is there
-- Where resellers want to hear of their orders, and what they were told.

create table webhook_endpoint (
  id               uuid primary key,
  public_id        public_id not null unique,
  account_id       uuid not null references account,
  url              text not null check (length(url) between 1 and 500),
  -- The secret follows from it and the program's own key.
  salt             bytea not null check (octet_length(salt) = 32),
  status           text not null default 'on' check (status in ('on','off')),
  created_at       timestamptz not null,
  created_by       text not null check (length(created_by) between 1 and 100),
  last_attempt_at  timestamptz
);
create index webhook_endpoint_account on webhook_endpoint (account_id) where status = 'on';

create table webhook_delivery (
  id            uuid primary key,
  public_id     public_id not null unique,
  endpoint_id   uuid not null references webhook_endpoint,
  order_id      uuid not null references shop_order on delete cascade,
  -- What the order was when it was written.
  order_status  text not null check (length(order_status) between 1 and 40),
  state         text not null default 'waiting' check (state in ('waiting','delivered','given_up')),
  attempts      smallint not null default 0 check (attempts >= 0),
  due_at        timestamptz not null,
  -- Of the last attempt: the status it was answered with, or why it was not.
  answer        text check (length(answer) <= 100),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  check ((state = 'waiting') = (ended_at is null))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at) where state = 'waiting';
create index webhook_delivery_listed on webhook_delivery (endpoint_id, created_at);
create index webhook_delivery_order on webhook_delivery (order_id);
create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null;

create function queue_webhooks() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger order_event_webhook after insert on order_event for each row
  when (new.to_status is distinct from new.from_status and new.to_status not in ('pending_payment','waiting_for_payment'))
  execute function queue_webhooks();
