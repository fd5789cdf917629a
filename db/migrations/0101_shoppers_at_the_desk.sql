-- expand: a status that releases before take for one that may not sign in, and a table of its own
-- What a team does with a shopper: finds them, writes down what colleagues are to know, and shuts an account until somebody has looked.

alter table account
  drop constraint account_status_check,
  drop constraint account_check,
  add column frozen_at timestamptz,
  -- Every row keeps them already; 0102 looks at them.
  add constraint account_status_check check (status in ('active','frozen','cancelling','erased')) not valid,
  add constraint account_check check ((status in ('active','frozen')) = (cancel_requested_at is null)) not valid,
  add constraint account_frozen_check check ((status = 'frozen') = (frozen_at is not null)) not valid;

create table shopper_note (
  id          uuid primary key,
  public_id   public_id not null unique,
  account_id  uuid not null references account,
  author      text not null check (length(author) between 1 and 100),
  text        text not null check (length(text) between 1 and 2000),
  created_at  timestamptz not null
);
create index shopper_note_account on shopper_note (account_id, created_at desc, id desc);
