-- expand: an older release goes on writing a row a visit; it counts none of them up.
-- How many visits a day had: a number alone. The rows of `visit`, which keep one visit from counting twice, go once their day is over.
create table visit_count (
  day     date primary key,
  visits  bigint not null default 0 check (visits >= 0)
);
