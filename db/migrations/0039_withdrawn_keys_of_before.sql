-- expand: a state that the release before knows, too
-- What of them came back before this: for good, now.
update card_key k set status = 'void' from key_batch b where b.id = k.batch_id and b.withdrawn_at is not null and k.status in ('free', 'quarantined');
