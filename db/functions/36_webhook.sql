-- Written in the transaction of the order's event: it is told if and only if it happened.
create or replace function queue_webhooks() returns trigger language plpgsql as $$
begin
  insert into webhook_delivery (id, public_id, endpoint_id, order_id, order_status, due_at, created_at)
  select uuidv7(), rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '='), e.id, o.id, new.to_status, new.at, new.at
  from shop_order o join webhook_endpoint e on e.account_id = o.account_id and e.status = 'on' where o.id = new.order_id;
  return null;
end $$;
