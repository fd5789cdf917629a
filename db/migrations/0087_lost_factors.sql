-- expand: a new table
-- Somebody's passkeys and app are lost: said at the sign-in, asked for by another owner, and done by a third person's word or after a while
-- in which everybody has been told and any owner may stop it.
create table operator_factor_reset (
  id           uuid primary key,
  public_id    public_id not null unique,
  operator_id  uuid not null references operator,
  -- 'reported': the operator said so with the right password. 'asked': waits for a third person. 'delayed': done at `due_at`.
  state        text not null check (state in ('reported','asked','delayed','done','stopped')),
  created_at   timestamptz not null,
  -- Null as long as it is only reported.
  asked_by     text check (length(asked_by) between 1 and 100),
  due_at       timestamptz,
  ended_at     timestamptz,
  ended_by     text check (length(ended_by) between 1 and 100),
  check ((state in ('asked','delayed')) <= (asked_by is not null)),
  check ((state = 'delayed') <= (due_at is not null)),
  check ((state in ('done','stopped')) = (ended_at is not null) and (ended_at is null) = (ended_by is null))
);
create unique index operator_factor_reset_open on operator_factor_reset (operator_id) where ended_at is null;
create index operator_factor_reset_due on operator_factor_reset (due_at) where state = 'delayed';
create index operator_factor_reset_operator on operator_factor_reset (operator_id);

alter table operator_act validate constraint operator_act_kind_check, validate constraint operator_act_permission_check, validate constraint operator_act_has_money;
