-- expand: new tables, and checks that allow more
-- What a team does with orders in the console: each act once by its key, notes about an order, lists an operator keeps, and a key that
-- stands in for a faulty one.

-- What an operator's call answered, by the key it was sent with; written with what it did, so that neither stands without the other.
create table operator_answer (
  operator     text not null check (length(operator) between 1 and 100),
  key          text not null check (length(key) between 8 and 100),
  call         text not null check (length(call) between 1 and 100),
  request_hash bytea not null check (length(request_hash) = 32),
  answer       jsonb not null,
  created_at   timestamptz not null,
  primary key (operator, key)
);
create index operator_answer_old on operator_answer (created_at);

-- What colleagues tell each other about an order. Gone with the person it is about.
create table order_note (
  id         uuid primary key,
  public_id  public_id not null unique,
  order_id   uuid not null references shop_order,
  author     text not null check (length(author) between 1 and 100),
  text       text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index order_note_order on order_note (order_id, created_at);

-- A list of orders with its filters, as one operator has named it.
create table order_view (
  id          uuid primary key,
  public_id   public_id not null unique,
  operator_id uuid not null references operator,
  name        text not null check (length(name) between 1 and 60),
  filters     jsonb not null check (jsonb_typeof(filters) = 'object'),
  created_at  timestamptz not null,
  unique (operator_id, name)
);

-- A key that was given in place of a faulty one: the faulty one is bound to the unit no longer, and by this row it is known whose it was.
create table key_replacement (
  old_key_id uuid primary key references card_key,
  new_key_id uuid not null unique references card_key check (new_key_id <> old_key_id),
  unit_id    uuid not null references order_unit,
  reason     text not null check (length(reason) between 1 and 500),
  replaced_by text not null check (length(replaced_by) between 1 and 100),
  replaced_at timestamptz not null
);
create index key_replacement_unit on key_replacement (unit_id);

-- What operators give by other means counts as well.
alter table operator_act drop constraint operator_act_kind_check;
alter table operator_act add constraint operator_act_kind_check check (kind in ('refund','case','held_money','unit_failure','store_credit',
  'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release',
  'staff_invite','staff_role','role_change','factor_reset','replacement','doubt_failure','hand_delivery')) not valid;
alter table operator_act drop constraint operator_act_permission_check;
alter table operator_act add constraint operator_act_permission_check
  check (permission in ('order.refund','shopper.credit','payment.note','order.decide','staff.manage','order.deliver')) not valid;
