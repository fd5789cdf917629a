-- expand: indexes alone
-- beside shoppers: each statement on its own, outside a transaction
-- What the migrations before read by, on tables that are long and that everybody writes to: built while they do.

-- Cards that are bought when they are paid.
create index concurrently if not exists order_unit_to_order on order_unit (order_id) where to_order and status in ('queued','delivering','in_doubt','failed');

-- The trail is read newest first, by who, by what was done and by what it was done to. Ids grow with time, so that one order carries a page.
create index concurrently if not exists audit_log_at on audit_log (at desc, id desc);
create index concurrently if not exists audit_log_actor on audit_log (actor, at desc, id desc);
create index concurrently if not exists audit_log_action on audit_log (action, at desc, id desc);
create index concurrently if not exists audit_log_of_kind on audit_log (subject, at desc, id desc);

-- An order is found by the player, phone or account its goods went to. What retention has taken out is in it no more.
create index concurrently if not exists order_line_account on order_line using gin (account_fields jsonb_path_ops) where account_fields <> '{}';

-- Batches and keys of a shelf. `pick` stands in no index but that of free keys (decision 018).
create index concurrently if not exists key_batch_item on key_batch (item, created_at desc, id desc);
create index concurrently if not exists card_key_batch on card_key (batch_id, status, id);
create index concurrently if not exists card_key_kept_back on card_key (item, id) where status = 'quarantined';
create index concurrently if not exists service_case_unit_unit on service_case_unit (unit_id);

-- Shoppers, newest first, and those apart.
create index concurrently if not exists account_newest on account (registered_at desc, id desc) where status <> 'erased';
create index concurrently if not exists account_apart on account (status, registered_at desc, id desc) where status in ('frozen','cancelling');

-- What is typed begins an address, a name or a number, whatever the database's collation.
create index concurrently if not exists account_email_begins on account (email text_pattern_ops);
create index concurrently if not exists account_user_name_begins on account (lower(user_name) text_pattern_ops);
create index concurrently if not exists account_nickname_begins on account (lower(nickname) text_pattern_ops);
create index concurrently if not exists account_mobile_begins on account (mobile text_pattern_ops) where mobile is not null;

-- Cases and reviews as they are worked through.
create index concurrently if not exists service_case_open_kind on service_case (kind, created_at, id) where status = 'open';
create index concurrently if not exists service_case_kind on service_case (kind, created_at);
create index concurrently if not exists service_case_closed on service_case (decided_at desc, id desc) where status <> 'open';
create index concurrently if not exists review_to_look_at on review (published_at desc, id desc) where looked_at is null and source = 'shopper';
create index concurrently if not exists review_told on review (published_at desc, id desc) where source = 'shopper';

-- Mails that nobody could send, newest first: ids are in the order of time.
create index concurrently if not exists outgoing_mail_lost on outgoing_mail (id) where sent_at is null and recipient is null;

-- Notices of a provider, newest first.
create index concurrently if not exists provider_event_received on provider_event (received_at desc, (provider::text) desc, event_id desc);

-- Transfers of an amount, for suggestions.
create index concurrently if not exists payment_attempt_transfer on payment_attempt (currency, amount_minor) where provider = 'bank-transfer';

-- Transfers are only ever added, in the order of time: what one day holds lies together.
create index concurrently if not exists ledger_transfer_at on ledger_transfer using brin (at) with (pages_per_range = 32, autosummarize = on);

-- When a provider was heard of last.
create index concurrently if not exists provider_event_of on provider_event (provider, received_at desc);

-- Acts that were decided and of which something is still to be done.
create index concurrently if not exists operator_act_follow on operator_act (decided_at) where kind in ('doubt_failure','stray_return') and status in ('given','approved');
-- Money that was noted by hand and may be a line's.
create index concurrently if not exists bank_receipt_amount on bank_receipt (currency, amount_minor);
