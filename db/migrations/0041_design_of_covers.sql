-- expand: columns that the release before leaves alone; the recipe becomes again what it can read
-- What a recipe has that releases before designs refuse: the design, and letters outside their alphabet.
alter table picture add design jsonb, add short text check (length(short) between 1 and 40),
  add constraint picture_design check (kind = 'cover' or (design is null and short is null));
update picture set design = recipe -> 'design', recipe = recipe - 'design' where recipe ? 'design';
update picture set short = recipe ->> 'short', recipe = recipe - 'short' where recipe ->> 'short' !~ '^[A-Za-z0-9+\-&%. ]{0,40}$';
