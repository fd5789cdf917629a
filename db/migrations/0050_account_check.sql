-- expand: a column with a default, a table of its own, and a trigger that does nothing until that has rows
-- Whether a supplier is asked about the account before somebody pays: 'none' never, 'wish' where one can be asked, 'must' or it is not sold.
alter table brand add column account_check text not null default 'wish' check (account_check in ('none','wish','must'));

-- What a supplier calls the account of a line: it is shown beside it, and goes with it.
create table line_player (
  line_id  uuid primary key references order_line on delete cascade,
  name     text not null check (length(name) between 1 and 80)
);
create function forget_player() returns trigger language plpgsql as $$
begin
  delete from line_player where line_id = new.id;
  return null;
end $$;
create trigger order_line_player after update of account_fields on order_line for each row
  when (new.account_fields <> old.account_fields) execute function forget_player();
