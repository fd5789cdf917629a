-- expand: pictures that operators send are rows of a table that the release before does not know; a crop is a column that may say nothing
create table shop_image (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  content bytea not null check (octet_length(content) between 1 and 8388608),
  width integer not null check (width between 1 and 4000),
  height integer not null check (height between 1 and 4000),
  sent_at timestamptz not null
);
create index shop_image_sent on shop_image (sent_at);

alter table picture add column crop jsonb;
alter table picture add constraint picture_crop check (crop is null or (kind = 'file' and jsonb_typeof(crop) = 'object'));
