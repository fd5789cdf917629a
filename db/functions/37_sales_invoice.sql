-- Where it was said how goods are taxed, or invoices are made, the worker is told of what was paid and given back: by the transaction in
-- which it happened. Elsewhere nothing is written.
create or replace function is_tax_told(wanted uuid) returns boolean language sql stable as $$
  select exists (select from order_line where order_id = wanted and tax_class is not null) or exists (select from setting where key = 'invoice')
    -- Placed by a release that kept the tax of an order as a whole.
    or exists (select from shop_order where id = wanted and tax_minor > 0)
$$;
create or replace function queue_tax_of_sale() returns trigger language plpgsql as $$
begin
  if is_tax_told(new.id) then insert into tax_due (order_id, kind, at) values (new.id, 'sale', new.settled_at); end if;
  return null;
end $$;
create or replace function queue_tax_of_refund() returns trigger language plpgsql as $$
begin
  -- What goes back to several payments is corrected once, with its units.
  if is_tax_told(new.order_id) and not exists (select from refund_part where refund_id = new.id) then
    insert into tax_due (order_id, refund_id, kind, at) values (new.order_id, new.id, case new.status when 'succeeded' then 'refund' else 'returned' end, new.updated_at);
  end if;
  return null;
end $$;

-- What a payer's bank took, and what went back to several payments, is corrected by workers that know how. One of a release before asks for
-- the row as for any other, gets none, and leaves it.
create or replace function tax_due_is_known() returns trigger language plpgsql as $$
begin
  if current_setting('lukado.tax_known', true) is distinct from 'banks, parts' and (
    exists (select from refund where id = old.refund_id and purpose = 'reversal') or exists (select from refund_part where of_refund_id = old.refund_id)
  ) then
    return null;
  end if;
  return old;
end $$;

-- The row of the series is the lock: who is rolled back leaves the number to the next.
create or replace function number_sales_invoice() returns trigger language plpgsql as $$
begin
  insert into sales_invoice_series as s (series, year, last) values (new.series, new.year, 1)
    on conflict (series, year) do update set last = s.last + 1 returning last into new.number;
  return new;
end $$;
