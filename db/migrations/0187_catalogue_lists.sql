-- expand: columns with a default, which the release before neither reads nor writes, and one more subject of what a change tells of
-- Categories, games, regions and platforms are edited in the console as goods are: imports leave alone what somebody has changed there.
alter table category add column locked_fields text[] not null default '{}';
alter table game add column locked_fields text[] not null default '{}';
alter table region add column locked_fields text[] not null default '{}';
alter table platform add column locked_fields text[] not null default '{}';
alter table goods_change_row drop constraint goods_change_row_subject_check;
alter table goods_change_row add constraint goods_change_row_subject_check
  check (subject in ('brand', 'product', 'item', 'game', 'category', 'region', 'platform'));
