-- expand: the worker is told of more
-- What a payer's bank takes back, and gives back again, corrects the tax of the sale as a refund does.
drop trigger refund_taxed on refund;
create trigger refund_taxed after update of status on refund for each row
  when (new.purpose in ('goods','reversal') and old.status <> new.status and 'succeeded' in (old.status, new.status)) execute function queue_tax_of_refund();
create trigger reversal_taxed after insert on refund for each row
  when (new.purpose = 'reversal' and new.status = 'succeeded') execute function queue_tax_of_refund();
