-- expand: indexes only
-- The trail is read newest first, by who, by what was done and by what it was done to. Ids grow with time, so that one order carries a page.
create index audit_log_at on audit_log (at desc, id desc);
create index audit_log_actor on audit_log (actor, at desc, id desc);
create index audit_log_action on audit_log (action, at desc, id desc);
