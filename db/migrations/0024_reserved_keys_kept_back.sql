-- expand: one more step that a key may take; the release before never takes it
-- After a restore nobody knows whether a key that was reserved has been sold since.
insert into transition_rule (machine, from_status, to_status) values ('key', 'claimed', 'quarantined');
select keep_to_machine('card_key', 'key');
