-- expand: values of a column that the release before does not know
-- Those noted since have the trigger's word already.
update payment_attempt p set is_disputed = true
from service_case c cross join lateral (
  select e.details ->> 'payment' as payment from order_event e where e.order_id = c.order_id and e.reason = 'disputed' order by e.seq desc limit 1
) as told
where c.kind = 'dispute' and c.status = 'open' and p.order_id = c.order_id and p.public_id = told.payment;
