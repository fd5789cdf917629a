-- expand: a table that only newer releases read and write
-- Evidence of a dispute as it was handed to its provider: written down before it is sent, so that sent again it arrives once.
create table dispute_evidence (
  id        uuid primary key,
  case_id   uuid not null references service_case,
  provider  text not null check (length(provider) between 1 and 100),
  -- Refused: the provider took none. Sending: its answer is not known; it is asked again under the same id.
  state     text not null check (state in ('sending','sent','refused')),
  -- The provider's name for the dispute.
  reference text check (length(reference) between 1 and 255),
  failure   text check (length(failure) between 1 and 200),
  asked_by  text not null check (length(asked_by) between 1 and 100),
  asked_at  timestamptz not null,
  ended_at  timestamptz,
  check ((state = 'sending') = (ended_at is null)),
  check ((state = 'sent') = (reference is not null)),
  check ((state = 'refused') = (failure is not null))
);
create unique index dispute_evidence_once on dispute_evidence (case_id) where state in ('sending','sent');
create index dispute_evidence_case on dispute_evidence (case_id);
