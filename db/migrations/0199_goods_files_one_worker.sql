-- expand: a column of its own, which the release before leaves empty and does not read
-- Who works on a file, by a name of that turn: whoever has lost it to another writes nothing of it any more.
alter table goods_file add column worker uuid;
