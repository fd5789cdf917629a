-- expand: columns that the release before leaves empty
alter table key_batch add withdrawn_at timestamptz, add withdrawn_by text check (length(withdrawn_by) between 1 and 100),
  add constraint key_batch_withdrawn check ((withdrawn_at is null) = (withdrawn_by is null));
update key_batch b set withdrawn_at = w.at, withdrawn_by = left(w.actor, 100) from (
  select distinct on (subject_code) subject_code, at, actor from audit_log where action = 'withdraw' and subject = 'key_batch' order by subject_code, at
) as w where b.id::text = w.subject_code;
