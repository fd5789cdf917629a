-- Generated from the migrations by scripts/db-types.ts, for reading and review: do not edit.

create domain code as text CHECK (((VALUE ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(VALUE) <= 100)));

create domain currency_code as text CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

create domain language_code as text CHECK ((VALUE = ANY (ARRAY['ar'::text, 'de'::text, 'en'::text, 'es'::text, 'fr'::text, 'hi'::text, 'id'::text, 'it'::text, 'ja'::text, 'ko'::text, 'ms'::text, 'my'::text, 'nl'::text, 'pt'::text, 'ro'::text, 'ru'::text, 'th'::text, 'tl'::text, 'vi'::text, 'zh'::text, 'zh-tw'::text])));

create domain minor_amount as numeric(38,0) CHECK ((VALUE >= (0)::numeric));

create domain publication_status as text CHECK ((VALUE = ANY (ARRAY['active'::text, 'suspended'::text])));

CREATE OR REPLACE FUNCTION public.audit_log_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'audit_log is append-only' using errcode = '23514';
end $function$;

CREATE OR REPLACE FUNCTION public.notify_catalogue_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalogue_changed', tg_table_name);
  return null;
end $function$;

create table article (
  kind text not null,
  code code not null,
  category text,
  title text not null,
  summary text not null default ''::text,
  sections jsonb not null,
  related text[] not null default '{}'::text[],
  picture text,
  published_at timestamp with time zone not null,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  constraint article_pkey PRIMARY KEY (kind, code),
  constraint article_kind_check CHECK ((kind = ANY (ARRAY['news'::text, 'faq'::text, 'page'::text]))),
  constraint article_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code)
);

CREATE TRIGGER article_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.article FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table article_category (
  kind text not null,
  code code not null,
  name text not null,
  position integer not null,
  constraint article_category_pkey PRIMARY KEY (kind, code),
  constraint article_category_kind_check CHECK ((kind = ANY (ARRAY['news'::text, 'faq'::text])))
);

CREATE TRIGGER article_category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.article_category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  request_id text not null,
  action text not null,
  subject text not null,
  subject_code text not null,
  before jsonb,
  after jsonb,
  constraint audit_log_pkey PRIMARY KEY (id)
);

CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, subject_code, at DESC);

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_is_append_only();

create table brand (
  code code not null,
  kind text not null,
  type smallint not null,
  name text not null,
  publisher text not null default ''::text,
  aliases text[] not null default '{}'::text[],
  game text,
  platforms text[] not null default '{}'::text[],
  picture text,
  delivery text not null,
  typical_minutes integer,
  unit text,
  fields jsonb not null default '[]'::jsonb,
  redeem_at text,
  redeem_steps text[] not null default '{}'::text[],
  key_format jsonb,
  validity text,
  recharge jsonb,
  released_year smallint,
  popularity integer not null default 0,
  is_hot boolean not null default false,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  constraint brand_pkey PRIMARY KEY (code),
  constraint brand_delivery_check CHECK ((delivery = ANY (ARRAY['card_key'::text, 'direct_charge'::text]))),
  constraint brand_game_fkey FOREIGN KEY (game) REFERENCES game(code) ON UPDATE CASCADE,
  constraint brand_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'game_card'::text, 'gift_card'::text, 'prepaid_card'::text, 'subscription'::text, 'recharge'::text, 'game_key'::text]))),
  constraint brand_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint brand_released_year_check CHECK (((released_year >= 1970) AND (released_year <= 2100))),
  constraint brand_type_check CHECK (((type >= 1) AND (type <= 4))),
  constraint brand_typical_minutes_check CHECK ((typical_minutes > 0)),
  constraint brand_unit_fkey FOREIGN KEY (unit) REFERENCES unit(key)
);

CREATE TRIGGER brand_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.brand FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table brand_category (
  brand text not null,
  category_id integer not null,
  constraint brand_category_pkey PRIMARY KEY (brand, category_id),
  constraint brand_category_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint brand_category_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id)
);

CREATE TRIGGER brand_category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.brand_category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table category (
  id integer not null,
  code code not null,
  parent_id integer,
  name text not null,
  icon text not null default ''::text,
  path text not null,
  picture text,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  constraint category_pkey PRIMARY KEY (id),
  constraint category_check CHECK ((parent_id <> id)),
  constraint category_code_key UNIQUE (code),
  constraint category_id_check CHECK ((id > 0)),
  constraint category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES category(id),
  constraint category_path_check CHECK ((path ~~ '/%'::text)),
  constraint category_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code)
);

CREATE TRIGGER category_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.category FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table code_redirect (
  kind text not null,
  old_code text not null,
  new_code text not null,
  constraint code_redirect_pkey PRIMARY KEY (kind, old_code),
  constraint code_redirect_check CHECK ((new_code <> old_code)),
  constraint code_redirect_kind_check CHECK ((kind = ANY (ARRAY['brand'::text, 'product'::text, 'game'::text, 'category'::text, 'item'::text])))
);

CREATE TRIGGER code_redirect_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.code_redirect FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table country (
  code text not null,
  alpha3 text not null,
  numeric_code text not null,
  name text not null,
  continent text not null,
  dial_code text,
  currency currency_code not null,
  store_currency currency_code not null,
  language language_code not null,
  is_on_sale boolean not null,
  phone jsonb,
  position integer not null,
  constraint country_pkey PRIMARY KEY (code),
  constraint country_alpha3_check CHECK ((alpha3 ~ '^[A-Z]{3}$'::text)),
  constraint country_code_check CHECK ((code ~ '^[A-Z]{2}$'::text)),
  constraint country_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint country_numeric_code_check CHECK ((numeric_code ~ '^[0-9]{3}$'::text)),
  constraint country_store_currency_fkey FOREIGN KEY (store_currency) REFERENCES currency(code)
);

CREATE TRIGGER country_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.country FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table currency (
  code currency_code not null,
  numeric_code text not null,
  name text not null,
  symbol text not null,
  minor_units smallint not null,
  rounding_increment minor_amount not null default 1,
  rounding_mode text not null default 'half_up'::text,
  margin_basis_points integer not null default 0,
  is_checkout boolean not null default false,
  position integer not null,
  constraint currency_pkey PRIMARY KEY (code),
  constraint currency_margin_basis_points_check CHECK (((margin_basis_points >= 0) AND (margin_basis_points <= 5000))),
  constraint currency_minor_units_check CHECK (((minor_units >= 0) AND (minor_units <= 4))),
  constraint currency_numeric_code_check CHECK ((numeric_code ~ '^[0-9]{3}$'::text)),
  constraint currency_rounding_increment_check CHECK (((rounding_increment)::numeric > (0)::numeric)),
  constraint currency_rounding_mode_check CHECK ((rounding_mode = ANY (ARRAY['half_up'::text, 'up'::text])))
);

CREATE TRIGGER currency_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.currency FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table currency_rate (
  currency currency_code not null,
  observed_at timestamp with time zone not null,
  per_usd numeric(30,12) not null,
  source text not null,
  constraint currency_rate_pkey PRIMARY KEY (currency, observed_at),
  constraint currency_rate_currency_fkey FOREIGN KEY (currency) REFERENCES currency(code),
  constraint currency_rate_per_usd_check CHECK ((per_usd > (0)::numeric))
);

CREATE TRIGGER currency_rate_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.currency_rate FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table game (
  code code not null,
  name text not null,
  publisher text not null,
  aliases text[] not null default '{}'::text[],
  platforms text[] not null default '{}'::text[],
  category_id integer,
  released_year smallint,
  picture text,
  popularity integer not null default 0,
  is_hot boolean not null default false,
  status publication_status not null default 'active'::text,
  source text not null,
  constraint game_pkey PRIMARY KEY (code),
  constraint game_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id),
  constraint game_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint game_released_year_check CHECK (((released_year >= 1970) AND (released_year <= 2100)))
);

CREATE TRIGGER game_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.game FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table item (
  id uuid not null,
  code text not null,
  product text not null,
  kind text not null,
  name text not null,
  units bigint,
  bonus bigint,
  days integer,
  data_mb integer,
  face_minor minor_amount,
  price_minor minor_amount not null,
  price_currency currency_code not null,
  market_minor minor_amount,
  cost_minor minor_amount,
  cost_currency currency_code,
  stock integer,
  sold bigint not null default 0,
  buyer_countries text[],
  blocked_countries text[] not null default '{}'::text[],
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  source_reference text,
  locked_fields text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null,
  constraint item_pkey PRIMARY KEY (id),
  constraint item_bonus_check CHECK ((bonus >= 0)),
  constraint item_check CHECK (((cost_minor IS NULL) = (cost_currency IS NULL))),
  constraint item_check1 CHECK (((market_minor IS NULL) OR ((market_minor)::numeric >= (price_minor)::numeric))),
  constraint item_code_check CHECK (((code ~ '^[a-z]+(:[a-z0-9_.-]+){2,3}$'::text) AND (length(code) <= 160))),
  constraint item_code_key UNIQUE (code),
  constraint item_cost_currency_fkey FOREIGN KEY (cost_currency) REFERENCES currency(code),
  constraint item_data_mb_check CHECK ((data_mb > 0)),
  constraint item_days_check CHECK ((days > 0)),
  constraint item_kind_check CHECK ((kind = ANY (ARRAY['pack'::text, 'pass'::text, 'membership'::text, 'bundle'::text, 'value'::text, 'plan'::text, 'edition'::text, 'airtime'::text, 'data'::text]))),
  constraint item_price_currency_fkey FOREIGN KEY (price_currency) REFERENCES currency(code),
  constraint item_price_minor_check CHECK (((price_minor)::numeric > (0)::numeric)),
  constraint item_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE,
  constraint item_sold_check CHECK ((sold >= 0)),
  constraint item_stock_check CHECK ((stock >= 0)),
  constraint item_units_check CHECK ((units > 0))
);

CREATE INDEX item_product ON public.item USING btree (product, "position");

CREATE TRIGGER item_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.item FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table item_level_price (
  item uuid not null,
  level smallint not null,
  price_minor minor_amount not null,
  price_currency currency_code not null,
  constraint item_level_price_pkey PRIMARY KEY (item, level),
  constraint item_level_price_item_fkey FOREIGN KEY (item) REFERENCES item(id) ON DELETE CASCADE,
  constraint item_level_price_level_check CHECK ((level > 0)),
  constraint item_level_price_price_currency_fkey FOREIGN KEY (price_currency) REFERENCES currency(code),
  constraint item_level_price_price_minor_check CHECK (((price_minor)::numeric > (0)::numeric))
);

CREATE TRIGGER item_level_price_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.item_level_price FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table migration (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table picture (
  code text not null,
  kind text not null,
  recipe jsonb,
  path text,
  constraint picture_pkey PRIMARY KEY (code),
  constraint picture_check CHECK (((kind = 'cover'::text) = (recipe IS NOT NULL))),
  constraint picture_check1 CHECK (((kind = 'file'::text) = (path IS NOT NULL))),
  constraint picture_code_check CHECK (((code ~ '^[a-z0-9]+([/-][a-z0-9]+)*$'::text) AND (length(code) <= 160))),
  constraint picture_kind_check CHECK ((kind = ANY (ARRAY['cover'::text, 'file'::text])))
);

CREATE TRIGGER picture_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.picture FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table platform (
  code code not null,
  name text not null,
  position integer not null,
  constraint platform_pkey PRIMARY KEY (code)
);

CREATE TRIGGER platform_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.platform FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table product (
  code code not null,
  brand text not null,
  region text not null,
  region_name text,
  countries text[],
  lock text not null default 'none'::text,
  lock_note text not null default ''::text,
  face_currency currency_code,
  face_min_minor minor_amount,
  face_max_minor minor_amount,
  picture text,
  position integer not null,
  status publication_status not null default 'active'::text,
  source text not null,
  locked_fields text[] not null default '{}'::text[],
  constraint product_pkey PRIMARY KEY (code),
  constraint product_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE,
  constraint product_brand_region_key UNIQUE (brand, region),
  constraint product_check CHECK (((face_min_minor IS NULL) = (face_max_minor IS NULL))),
  constraint product_check1 CHECK (((face_max_minor)::numeric > (face_min_minor)::numeric)),
  constraint product_face_currency_fkey FOREIGN KEY (face_currency) REFERENCES currency(code),
  constraint product_lock_check CHECK ((lock = ANY (ARRAY['country'::text, 'currency'::text, 'zone'::text, 'none'::text]))),
  constraint product_picture_fkey FOREIGN KEY (picture) REFERENCES picture(code),
  constraint product_region_fkey FOREIGN KEY (region) REFERENCES region(code)
);

CREATE TRIGGER product_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.product FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table region (
  code code not null,
  name text not null,
  position integer not null,
  constraint region_pkey PRIMARY KEY (code)
);

CREATE TRIGGER region_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.region FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table review (
  id bigint not null,
  brand text not null,
  language language_code not null,
  country text,
  rating smallint not null,
  text text not null,
  nickname text not null,
  helpful integer not null default 0,
  published_at timestamp with time zone not null,
  status publication_status not null default 'active'::text,
  source text not null,
  constraint review_pkey PRIMARY KEY (id),
  constraint review_brand_fkey FOREIGN KEY (brand) REFERENCES brand(code) ON UPDATE CASCADE,
  constraint review_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint review_helpful_check CHECK ((helpful >= 0)),
  constraint review_rating_check CHECK (((rating >= 1) AND (rating <= 5)))
);

CREATE INDEX review_brand ON public.review USING btree (brand, published_at DESC);

CREATE TRIGGER review_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.review FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table setting (
  key text not null,
  value jsonb not null,
  constraint setting_pkey PRIMARY KEY (key)
);

CREATE TRIGGER setting_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.setting FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table translation (
  subject text not null,
  subject_code text not null,
  field text not null,
  language language_code not null,
  text text not null,
  origin text not null,
  english_hash text not null,
  constraint translation_pkey PRIMARY KEY (subject, subject_code, field, language),
  constraint translation_english_hash_check CHECK ((english_hash ~ '^[0-9a-f]{16}$'::text)),
  constraint translation_origin_check CHECK ((origin = ANY (ARRAY['data'::text, 'human'::text, 'machine'::text, 'cldr'::text]))),
  constraint translation_subject_check CHECK ((subject = ANY (ARRAY['brand'::text, 'game'::text, 'category'::text, 'unit'::text, 'region'::text, 'country'::text, 'currency'::text, 'platform'::text, 'article_category'::text, 'article'::text, 'phrase'::text]))),
  constraint translation_text_check CHECK ((text <> ''::text))
);

CREATE TRIGGER translation_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.translation FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table unit (
  key text not null,
  name text not null,
  is_proper boolean not null,
  constraint unit_pkey PRIMARY KEY (key)
);

CREATE TRIGGER unit_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.unit FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table visit (
  day date not null,
  visit_id_hash bytea not null,
  constraint visit_pkey PRIMARY KEY (day, visit_id_hash),
  constraint visit_visit_id_hash_check CHECK ((length(visit_id_hash) = 32))
);
