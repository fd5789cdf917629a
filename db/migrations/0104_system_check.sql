-- expand: a table that only newer releases read and write, and an index
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
-- Mails that nobody could send, newest first: ids are in the order of time.
create index outgoing_mail_lost on outgoing_mail (id) where sent_at is null and recipient is null;
-- Notices of a provider, newest first.
create index provider_event_received on provider_event (received_at desc, (provider::text) desc, event_id desc);
