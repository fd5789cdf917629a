-- One row a visitor and day: the client makes a random id, of which only the hash is kept. Says how many came, never who.
create table visit (
  day            date not null,
  visit_id_hash  bytea not null check (length(visit_id_hash) = 32),
  primary key (day, visit_id_hash)
);
