-- expand: two more steps that a unit may take; the release before never takes them
-- A refund that another person refuses, or whose money a bank has taken meanwhile, leaves its units what they were.
insert into transition_rule (machine, from_status, to_status) values ('unit', 'refund_due', 'delivered'), ('unit', 'refund_due', 'queued');
select keep_to_machine('order_unit', 'unit');
