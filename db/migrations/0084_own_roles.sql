-- expand: a new table; an operator with a role of the shop's own can do nothing at the release before, which knows no such role
-- Roles: those of the program, whose powers stand in it, and the shop's own, each a named set of permissions with its limits.
create table operator_role (
  code         text primary key check (code ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  is_own       boolean not null,
  -- As people read it; the program's own have their names in every language.
  name         text check (length(name) between 1 and 60),
  permissions  text[] check (cardinality(permissions) between 1 and 100),
  -- What one person of it may move for one shopper within a day: US cents by permission, null for no limit.
  limits       jsonb not null default '{}' check (jsonb_typeof(limits) = 'object'),
  -- Counts its changes, so that nobody overwrites one they have not seen.
  version      integer not null default 1 check (version > 0),
  check (is_own = (name is not null) and is_own = (permissions is not null))
);
create unique index operator_role_name on operator_role (lower(name));
insert into operator_role (code, is_own) select code, false from unnest(array['owner','catalogue','orders','support','finance','read-only']) code;

-- A role that somebody has cannot go.
alter table operator drop constraint operator_role_check;
alter table operator add constraint operator_role_known foreign key (role) references operator_role;
create index operator_by_role on operator (role);

-- Four eyes stay on for a day after one of two approvers was shut out.
alter table operator add disabled_at timestamptz;

create function last_owner_stays() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger last_owner_stays after update of role, status on operator for each row
  when (old.role = 'owner' and old.status = 'active' and (new.role, new.status) is distinct from ('owner','active')) execute function last_owner_stays();
create trigger last_owner_is_kept after delete on operator for each row
  when (old.role = 'owner' and old.status = 'active') execute function last_owner_stays();
