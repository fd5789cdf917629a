-- expand: new tables, of which the release before knows nothing; open payments are asked about again, as it does itself
-- What the look at the shop's promises has found, and how far it is.

create table promise_look (
  -- 'changed': orders that have changed; 'everything': all of them, page by page.
  name        text primary key check (name in ('changed','everything')),
  -- Of the last event, or order, that was looked at; null at the beginning of a round.
  position    uuid,
  looked_at   timestamptz not null,
  -- When the last round through everything ended.
  ended_at    timestamptz
);

create table broken_promise (
  invariant   text not null check (length(invariant) <= 100),
  subject     text not null check (length(subject) <= 300),
  found_at    timestamptz not null,
  -- When it was last seen broken.
  seen_at     timestamptz not null,
  primary key (invariant, subject)
);

-- Payments that were open for so long that nobody asked about them any more: they are asked about until they are over.
update payment_attempt set check_at = now() where status in ('created','requires_action','seen','authorised') and check_at is null;
