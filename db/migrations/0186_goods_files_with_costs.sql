-- expand: a column with a default, which the release before does not read
-- Whether what goods cost stands in a file that was made: nobody takes it away who may not see costs. What was made before may have them.
alter table goods_file add column has_costs boolean not null default true;
