-- expand: a state of units that the release before never writes, and whose order it labels alike
-- What the buyer gave turned out to be wrong (a player's id, a number): the unit waits until then for them to correct it.
alter table order_unit add input_until timestamptz,
  drop constraint order_unit_status_check,
  add constraint order_unit_status_check check (status in
    ('queued','delivering','in_doubt','needs_input','delivered','failed','refund_due','refunded','released')) not valid,
  add constraint order_unit_input check (status <> 'needs_input' or input_until is not null) not valid;

insert into transition_rule (machine, from_status, to_status) values
  ('unit', 'delivering', 'needs_input'), ('unit', 'in_doubt', 'needs_input'), ('unit', 'failed', 'needs_input'),
  ('unit', 'needs_input', 'queued'), ('unit', 'needs_input', 'refund_due');
select keep_to_machine('order_unit', 'unit');
