-- expand: an older release asks for no check of the key, and changes nothing of it.
-- A value made with SECRET_KEY (secret.key): who starts with another key is told so, before one sign-in after the other fails.
create table program_key (
  is_only      boolean primary key default true check (is_only),
  check_value  bytea not null check (length(check_value) = 32),
  noted_at     timestamptz not null
);
