-- expand: a column that the release before leaves empty; a token that has scopes may do more under it until it is upgraded
-- What a token may do of what its operator may; null for all of it, as those made before and by the command.
alter table operator_token add column permissions text[] check (cardinality(permissions) between 1 and 60 and array_position(permissions, null) is null);
