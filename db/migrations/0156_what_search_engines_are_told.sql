-- expand: columns that only newer releases read and write; the ones before leave them as they are
-- What search engines and links show of a product's page, where its owner wants other words than the shop's own.
alter table product
  add column seo_title text check (length(seo_title) between 1 and 120),
  add column seo_description text check (length(seo_description) between 1 and 320);
