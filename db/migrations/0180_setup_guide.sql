-- expand: tables that only newer releases read and write
-- What an owner said of a step of the setup guide: what is done follows from the shop itself, and stands nowhere.
create table guide_step (
  step       text primary key check (step in ('owner','identity','places','goods','keys','pay','mail','look','guide')),
  -- 'left' and 'dismissed' are said of the guide as a whole.
  choice     text not null check (choice in ('skipped','done','left','dismissed')),
  chosen_at  timestamptz not null,
  constraint guide_step_of_all check ((step = 'guide') = (choice in ('left','dismissed'))),
  -- Only a person can say that they have looked.
  constraint guide_step_looked check (choice <> 'done' or step = 'look')
);

-- The program's own goods, taken into a shop of one's own: asked for in the guide, done by the worker, a kind at a time.
create table starter_goods (
  id           uuid primary key,
  public_id    public_id not null unique,
  operator_id  uuid not null references operator,
  -- Kinds of brands; none for what goods stand on alone: currencies, countries, regions, categories.
  kinds        text[] not null check (array_length(kinds, 1) is null or array_length(kinds, 1) <= 7),
  is_on_sale   boolean not null,
  state        text not null check (state in ('waiting','taking','done','failed')),
  -- Kinds that are in, behind the places.
  step         integer not null default 0 check (step >= 0),
  steps        integer not null check (steps >= 1 and step <= steps),
  failure      text check (length(failure) <= 500),
  asked_at     timestamptz not null,
  finished_at  timestamptz,
  constraint starter_goods_over check ((finished_at is null) = (state in ('waiting','taking'))),
  constraint starter_goods_failure check ((failure is null) = (state <> 'failed'))
);
-- One at a time: what the next would do depends on what this one does.
create unique index starter_goods_open on starter_goods ((true)) where finished_at is null;
