-- Suppliers have bought what was asked, at no more than was allowed, for units that nothing else is known about: each is delivered and
-- booked, for several in one trip to the database and one commit. Answers the places in `told` of those that were; nothing has changed for
-- the others, which the program's rules decide. The rules lead to the same rows as this, which a test compares. An error of class 40 or a
-- name of the supplier's that is another purchase's: the rules decide all of them.
create or replace function deliver_plainly(told jsonb) returns setof integer language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off as $$
declare
  t record; o shop_order; p purchase; u record; a record; cost numeric; is_last boolean; delivered integer; label text;
begin
  for t in
    select * from jsonb_to_recordset(told) as t (place integer, purchase uuid, order_id uuid, theirs text, minor numeric, currency text, proof text, moment timestamptz, actor text, request_id text)
    order by order_id, place
  loop
    select * into o from shop_order where id = t.order_id for no key update;
    continue when not found or o.hold is not null or o.ended is not null or o.settled_at is null
      or exists (select from payment_attempt where order_id = o.id and is_disputed);
    select n.*, each.public_id, each.status, each.delivery, each.price_minor, l.position, l.id as line_id into u from purchase_unit n
      join order_unit each on each.id = n.unit_id join order_line l on l.id = each.line_id where n.purchase_id = t.purchase for no key update of each;
    continue when not found or u.delivery <> 'direct_charge' or u.status <> 'delivering' or not u.is_live
      or (select count(*) from purchase_unit where purchase_id = t.purchase) <> 1;
    select * into p from purchase where id = t.purchase for no key update;
    continue when p.status not in ('prepared','accepted') or p.quantity <> 1 or coalesce(p.supplier_id, t.theirs) <> t.theirs
      or coalesce(t.currency, p.currency) <> p.currency or coalesce(t.minor, 0) > p.max_minor
      or exists (select from purchase where supplier = p.supplier and supplier_id = t.theirs and id <> p.id);
    select max(id) filter (where code = 'supplier:' || p.supplier and ledger_account.currency = p.currency) as supplier,
      max(id) filter (where code = 'supplier_reserved:' || p.supplier and ledger_account.currency = p.currency) as reserved,
      max(id) filter (where code = 'goods_cost:' || p.supplier and ledger_account.currency = p.currency) as cost,
      max(id) filter (where code = 'orders' and ledger_account.currency = o.currency) as orders, max(id) filter (where code = 'sales' and ledger_account.currency = o.currency) as sales
    into a from ledger_account where code in ('supplier:' || p.supplier, 'supplier_reserved:' || p.supplier, 'goods_cost:' || p.supplier, 'orders', 'sales') and ledger_account.currency in (p.currency, o.currency);
    continue when a.supplier is null or a.reserved is null or a.cost is null or a.orders is null or a.sales is null;

    cost := coalesce(t.minor, p.expected_minor);
    update purchase set status = 'done', actual_minor = cost, supplier_id = t.theirs, next_ask_at = null, ended_at = t.moment, updated_at = t.moment where id = p.id;
    update purchase_unit set is_live = false, is_done = true where purchase_id = p.id;
    update order_unit set status = 'delivered', delivered_at = t.moment, proof = t.proof, claimed_by = null, claimed_until = null where id = u.unit_id;
    insert into ledger_transfer (id, source, source_id, leg, debit, credit, currency, amount_minor, at)
    select uuidv7(), moved.source, moved.source_id, 0, moved.debit, moved.credit, moved.currency, moved.minor, t.moment from (values
      ('release', p.id, a.supplier, a.reserved, p.currency, p.expected_minor::numeric), ('cost', p.id, a.cost, a.supplier, p.currency, cost),
      ('deliver', u.unit_id, a.orders, a.sales, o.currency, u.price_minor::numeric)
    ) as moved (source, source_id, debit, credit, currency, minor) where moved.minor > 0;
    select count(*) filter (where status in ('queued','delivering','in_doubt','needs_input')) = 0, (count(*) filter (where status = 'delivered'))::integer
      into is_last, delivered from order_unit where order_id = o.id and line_id = u.line_id;
    select order_label.label into label from order_label where id = o.id;
    update shop_order set status = label, updated_at = t.moment where id = o.id;
    insert into order_event (id, order_id, at, actor, request_id, from_status, to_status, reason, details, is_to_tell)
    values (uuidv7(), o.id, t.moment, t.actor, t.request_id, o.status, label, 'delivered',
      jsonb_build_object('line', u.position) || case when is_last then jsonb_build_object('units', delivered) else '{}' end, is_last);
    insert into audit_log (id, at, actor, request_id, action, subject, subject_code, before, after)
    values (uuidv7(), t.moment, t.actor, t.request_id, 'delivered', 'order_unit', u.public_id, jsonb_build_object('status', u.status), '{"status": "delivered"}');
    return next t.place;
  end loop;
end $$;
