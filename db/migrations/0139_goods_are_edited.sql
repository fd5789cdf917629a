-- expand: tables that only newer releases read and write
-- A change that somebody has made to goods, whole: told before it is made, and taken back with one press.
create table goods_change (
  id         uuid primary key,
  public_id  public_id not null unique,
  kind       text not null check (kind in ('inline','bulk','editor','undo','import')),
  made_by    text not null check (length(made_by) between 1 and 100),
  made_at    timestamptz not null,
  note       text not null default '' check (length(note) <= 500),
  row_count  integer not null check (row_count > 0),
  -- Taken back by that one, as far as nobody had changed the same since.
  undone_by  uuid unique references goods_change
);
create index goods_change_latest on goods_change (made_at desc, id desc);

-- One field of one brand, product or item: what it was and what it became, as the import's format has it, amounts in minor units.
create table goods_change_row (
  change_id  uuid not null references goods_change,
  subject    text not null check (subject in ('brand','product','item','game','category','region')),
  code       text not null check (length(code) between 1 and 160),
  field      text not null check (length(field) between 1 and 100),
  before     jsonb not null,
  after      jsonb not null,
  -- The field was free for imports and syncs until then.
  has_locked boolean not null default false,
  primary key (change_id, subject, code, field),
  check (before <> after)
);
create index goods_change_row_history on goods_change_row (subject, code, change_id desc);
