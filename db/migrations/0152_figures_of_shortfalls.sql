-- expand: a column that only newer releases read and write
-- What of the prices of its orders the shop has borne itself, in US cents.
alter table figure add borne_usd bigint not null default 0;
-- Hours that are kept are added up again where some of it was.
insert into figure_due (begins) select distinct date_trunc('hour', t.at, p.time_zone) from figure_progress p join ledger_transfer t on t.source = 'shortfall' and t.at >= p.hours_from
  on conflict do nothing;
