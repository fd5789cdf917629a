-- expand: a column with a default, which the release before leaves alone
-- Some services move only round amounts. A refund of a part is rounded up, out of the fee; what of a later one was given back with it
-- already stands here.
alter table refund add rest_minor minor_amount not null default 0;
