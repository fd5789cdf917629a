-- expand: columns with nothing in them, and tables of their own
-- What a team does after the sale: who sees to a case and until when its bank waits, what a customer was answered, answers that are written
-- once, and what is said of reviews.

alter table service_case
  add column claimed_by text,
  add column claimed_at timestamptz,
  -- Of a dispute: until when the payer's bank takes evidence, as somebody has read it at the payment service.
  add column due_at timestamptz,
  -- 0109 looks at the rows that were there.
  add constraint service_case_claimed_by_check check (length(claimed_by) between 1 and 100) not valid,
  add constraint service_case_claimed_check check ((claimed_by is null) = (claimed_at is null)) not valid,
  add constraint service_case_due_check check (due_at is null or kind = 'dispute') not valid;

-- An answer as it is sent, by language; where a language has none, the English one is offered.
create table answer_template (
  id         uuid primary key,
  public_id  public_id not null unique,
  name       text not null unique check (length(name) between 1 and 80),
  texts      jsonb not null check (jsonb_typeof(texts) = 'object' and texts <> '{}'),
  changed_by text not null check (length(changed_by) between 1 and 100),
  changed_at timestamptz not null
);

alter table review
  add column answer text,
  add column answered_at timestamptz,
  add column looked_at timestamptz,
  add constraint review_answer_check check (length(answer) between 1 and 1000) not valid,
  add constraint review_answered_check check ((answer is null) = (answered_at is null)) not valid;
