-- expand: a table that only newer releases read and write
-- What the doctor found when the worker last looked, one row a subject: the console shows it without looking itself.
create table system_check (
  subject    text primary key check (subject ~ '^[a-z]+([ -][a-z]+)*$' and length(subject) <= 60),
  -- In the doctor's order.
  place      smallint not null,
  -- Sentences on what is wrong, each with what to do about it.
  problems   text[] not null,
  -- What waits for a person and is no fault.
  work       text[] not null,
  note       text not null check (length(note) <= 2000),
  looked_at  timestamptz not null
);
