-- expand: a worker of a release before is told of less
-- What it takes a newer worker to correct the tax of is not taken up by an older one beside it, which would write a credit note without tax:
-- a row of `tax_due` goes only where the transaction says that it knows. What follows of the same order waits for it.
create function tax_due_is_known() returns trigger language plpgsql as $$ begin return old; end $$;
create trigger tax_due_known before delete on tax_due for each row when (old.refund_id is not null) execute function tax_due_is_known();
