-- expand: columns that the release before leaves empty and does not read.
-- The request that brought a notice, or asked for a refund: what the worker does with it goes on under its id.
alter table provider_event add column request_id text check (length(request_id) <= 64);
alter table refund add column request_id text check (length(request_id) <= 64);
