-- expand: an older release counts no pages.
-- How many pages the shop showed on a day: a number alone, counted by the shop itself, without anything of who saw them.
create table page_count (
  day date primary key,
  pages bigint not null default 0 check (pages >= 0)
);
