-- expand: an index; the release before does not look for codes by their hash.
-- A code that was mailed to an address is found by itself, whoever asked for it.
create index verification_code on verification (code_hash) where used_at is null;
