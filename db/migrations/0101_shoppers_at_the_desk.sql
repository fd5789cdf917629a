-- expand: a status that releases before take for one that may not sign in, a table of its own, and indexes
-- What a team does with a shopper: finds them, writes down what colleagues are to know, and shuts an account until somebody has looked.

alter table account
  drop constraint account_status_check,
  drop constraint account_check,
  add column frozen_at timestamptz,
  -- Every row keeps them already; 0102 looks at them.
  add constraint account_status_check check (status in ('active','frozen','cancelling','erased')) not valid,
  add constraint account_check check ((status in ('active','frozen')) = (cancel_requested_at is null)) not valid,
  add constraint account_frozen_check check ((status = 'frozen') = (frozen_at is not null)) not valid;

create index account_newest on account (registered_at desc, id desc) where status <> 'erased';
create index account_apart on account (status, registered_at desc, id desc) where status in ('frozen','cancelling');
-- What is typed begins an address, a name or a number, whatever the database's collation.
create index account_email_begins on account (email text_pattern_ops);
create index account_user_name_begins on account (lower(user_name) text_pattern_ops);
create index account_nickname_begins on account (lower(nickname) text_pattern_ops);
create index account_mobile_begins on account (mobile text_pattern_ops) where mobile is not null;

create table shopper_note (
  id          uuid primary key,
  public_id   public_id not null unique,
  account_id  uuid not null references account,
  author      text not null check (length(author) between 1 and 100),
  text        text not null check (length(text) between 1 and 2000),
  created_at  timestamptz not null
);
create index shopper_note_account on shopper_note (account_id, created_at desc, id desc);
