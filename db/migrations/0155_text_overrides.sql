-- expand: a table that only newer releases read and write
-- The owner's own words in place of a text that the program brings along. A text without a row is as its release has it.
create table text_override (
  language       language_code not null,
  key            text not null check (key ~ '^[a-zA-Z0-9._-]+$' and length(key) <= 200),
  text           text not null check (length(text) between 1 and 4000),
  -- Of the text that stood there when the row was written: another one by now is told.
  original_hash  text not null check (original_hash ~ '^[A-Za-z0-9_-]{22}$'),
  made_by        text not null check (length(made_by) between 1 and 100),
  made_at        timestamptz not null,
  primary key (language, key)
);

-- Each process takes another text up when it hears of it; kept pages are forgotten.
create trigger text_override_notify after insert or update or delete or truncate on text_override
  for each statement execute function notify_catalogue_changed();
