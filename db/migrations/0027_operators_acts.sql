-- expand: a new table, and columns that the release before leaves empty
-- What operators give away, note and let go, counted against their limits; and what of it waits for another person.

create table operator_act (
  id            uuid primary key,
  public_id     public_id not null unique,
  kind          text not null check (kind in ('refund','case','held_money','unit_failure','store_credit',
    'bank_receipt','bank_return','stray_return','stray_close','difference_book','difference_close','hold_release')),
  -- What whoever asks is limited in, and whoever approves must have.
  permission    text not null check (permission in ('order.refund','shopper.credit','payment.note','order.decide')),
  -- 'given': within the limits of who asked, at once. The others waited for another person.
  status        text not null check (status in ('given','waiting','approved','refused','ended')),
  -- What it is about: a refund, a case, an order, a unit, an address, a line of the bank's statement, a payment, a difference.
  subject       text not null check (length(subject) <= 300),
  account_id    uuid references account,
  order_id      uuid references shop_order,
  currency      currency_code not null references currency,
  amount_minor  minor_amount not null,
  -- In US cents by the rates of then, rounded up; null where there was no rate.
  usd_minor     minor_amount,
  -- What it takes to do it.
  details       jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  asked_by      text not null check (length(asked_by) between 1 and 100),
  asked_at      timestamptz not null,
  -- Until when it can be approved; null for no end.
  ends_at       timestamptz,
  -- Who answers for it: who gave it alone, approved or refused it.
  decided_by    text check (length(decided_by) between 1 and 100),
  decided_at    timestamptz,
  reason        text not null default '' check (length(reason) <= 500),
  request_id    text not null,
  check ((status = 'waiting') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  -- Nobody approves their own, and what is given alone nobody else answers for.
  check (case status when 'given' then decided_by = asked_by when 'approved' then decided_by <> asked_by else true end),
  -- What nobody can convert is never within a limit.
  check (status <> 'given' or usd_minor is not null)
);
-- One of a kind about the same thing waits at a time.
create unique index operator_act_waiting on operator_act (kind, subject) where status = 'waiting';
create index operator_act_sum on operator_act (decided_by, decided_at) where status in ('given','approved');
create index operator_act_account on operator_act (account_id) where account_id is not null;

insert into transition_rule (machine, from_status, to_status)
select 'act', 'waiting', to_status from unnest(array['approved','refused','ended']) as to_status;
select keep_to_machine('operator_act', 'act');

-- What is decided stays as it was decided; who and what it names may be forgotten.
create function act_stays() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator gave, act %, stays', old.id using errcode = '23514', constraint = 'act_stays';
end $$;
create trigger act_stays before update on operator_act for each row when (
  (old.kind, old.permission, old.currency, old.amount_minor, old.asked_by, old.asked_at) is distinct from (new.kind, new.permission, new.currency, new.amount_minor, new.asked_by, new.asked_at)
  or old.usd_minor is distinct from new.usd_minor
  or old.decided_at is not null and (old.decided_by, old.decided_at) is distinct from (new.decided_by, new.decided_at))
  execute function act_stays();
create trigger act_is_kept before delete on operator_act for each row execute function act_stays();

-- Who made an account, and who chose its password last: nobody is another person through an account of their own making.
-- Null: made by a release that did not say.
alter table operator add column created_by text check (length(created_by) between 1 and 100);
alter table operator add column password_set_by text check (length(password_set_by) between 1 and 100);
alter table operator add column password_set_at timestamptz;
update operator o set
  created_by = (select actor from audit_log a where a.subject = 'operator' and a.subject_code = o.name and a.action = 'create' order by a.at limit 1),
  password_set_by = (select actor from audit_log a where a.subject = 'operator' and a.subject_code = o.name and a.action in ('create','password_changed') order by a.at desc limit 1),
  password_set_at = (select at from audit_log a where a.subject = 'operator' and a.subject_code = o.name and a.action in ('create','password_changed') order by a.at desc limit 1);

-- A password that the release before changes was chosen by somebody it does not name.
create function password_has_a_chooser() returns trigger language plpgsql as $$
begin
  new.password_set_by := null;
  new.password_set_at := new.updated_at;
  return new;
end $$;
create trigger password_has_a_chooser before update of password_hash on operator for each row
  when (old.password_hash is distinct from new.password_hash and old.password_set_at is not distinct from new.password_set_at) execute function password_has_a_chooser();
