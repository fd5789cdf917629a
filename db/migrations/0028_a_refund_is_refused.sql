-- expand: two more steps that a unit may take; the release before never takes them
-- A refund that another person refuses leaves its units what they were.
insert into transition_rule (machine, from_status, to_status) values ('unit', 'refund_due', 'delivered'), ('unit', 'refund_due', 'queued') on conflict do nothing;
select keep_to_machine('order_unit', 'unit');
