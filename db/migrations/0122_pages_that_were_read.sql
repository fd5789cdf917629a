-- expand: a table that only newer releases write
-- What was read of people a page at a time, by whom and by which token, in this hour: a line of the trail once that is over.
create table page_read (
  actor  text not null check (length(actor) between 1 and 100),
  -- Empty where somebody read in their own session.
  token  text not null check (length(token) <= 40),
  call   text not null check (length(call) between 1 and 100),
  hour   timestamptz not null,
  calls  integer not null check (calls > 0),
  rows   bigint not null check (rows >= 0),
  primary key (actor, token, call, hour)
);
