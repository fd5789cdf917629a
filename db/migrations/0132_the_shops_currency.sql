-- expand: columns that the release before leaves empty or at their default, and a check that allows more
-- What an act counts against the limits, in the shop's currency of then; acts of releases before count in US cents alone.
alter table operator_act add column counted_minor numeric(38,0), add column counted_currency text;
alter table operator_act add constraint operator_act_counted check ((counted_minor is null) = (counted_currency is null) and counted_minor >= 0) not valid,
  add constraint operator_act_counted_currency check (counted_currency ~ '^[A-Z]{3}$') not valid;
create or replace trigger act_stays before update on operator_act for each row when (
  (old.kind, old.permission, old.currency, old.amount_minor, old.asked_by, old.asked_at) is distinct from (new.kind, new.permission, new.currency, new.amount_minor, new.asked_by, new.asked_at)
  or (old.usd_minor, old.counted_minor, old.counted_currency) is distinct from (new.usd_minor, new.counted_minor, new.counted_currency)
  or old.decided_at is not null and (old.decided_by, old.decided_at) is distinct from (new.decided_by, new.decided_at))
  execute function act_stays();

-- What the limits of a role are amounts of: the shop's currency when they were written. Those of releases before are US cents.
alter table operator_role add column limit_currency text not null default 'USD';
alter table operator_role add constraint operator_role_limit_currency check (limit_currency ~ '^[A-Z]{3}$') not valid;

-- A workbook that is not whole yet has a time in finished_at, so that a worker of a release that makes tables of text alone never takes it up.
alter table export_run drop constraint export_run_check1;
alter table export_run add constraint export_run_finished check ((finished_at is null) = (state in ('waiting','running')) or format = 'xlsx' and state in ('waiting','running')) not valid;
create index export_run_unmade on export_run (id) where state in ('waiting','running');
