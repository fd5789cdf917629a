-- expand: another index, and one less that nobody else asks
-- Payments that may still bring money are asked about before those that came to nothing.
create index payment_attempt_open_due on payment_attempt (provider, check_at) where check_at is not null and status in ('created','requires_action','seen','authorised');
drop index payment_attempt_newest_due;
