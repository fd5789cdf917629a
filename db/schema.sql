-- Generated from the migrations by scripts/db-types.ts, for reading and review: do not edit.

create domain code as text CHECK (((VALUE ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(VALUE) <= 100)));

create domain currency_code as text CHECK ((VALUE ~ '^[A-Z]{3}$'::text));

create domain language_code as text CHECK ((VALUE = ANY (ARRAY['ar'::text, 'de'::text, 'en'::text, 'es'::text, 'fr'::text, 'hi'::text, 'id'::text, 'it'::text, 'ja'::text, 'ko'::text, 'ms'::text, 'my'::text, 'nl'::text, 'pt'::text, 'ro'::text, 'ru'::text, 'th'::text, 'tl'::text, 'vi'::text, 'zh'::text, 'zh-tw'::text])));

create domain minor_amount as numeric(38,0) CHECK ((VALUE >= (0)::numeric));

create domain publication_status as text CHECK ((VALUE = ANY (ARRAY['active'::text, 'suspended'::text])));

CREATE OR REPLACE FUNCTION public.account_status_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status = 'erased' then raise exception 'an erased account stays as it is' using errcode = '23514'; end if;
  if new.status = 'erased' and old.status <> 'cancelling' then raise exception 'only a cancelled account is erased' using errcode = '23514'; end if;
  return new;
end $function$;

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

create table account (
  id uuid not null,
  user_id text not null,
  uid bigint not null,
  user_name text,
  nickname text,
  email text,
  email_verified_at timestamp with time zone,
  mobile text,
  mobile_verified_at timestamp with time zone,
  password_hash text,
  password_changed_at timestamp with time zone,
  avatar uuid,
  language language_code not null,
  role_id smallint not null default 0,
  status text not null default 'active'::text,
  registered_at timestamp with time zone not null,
  cancel_requested_at timestamp with time zone,
  erase_at timestamp with time zone,
  erased_at timestamp with time zone,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_avatar_fkey FOREIGN KEY (avatar) REFERENCES uploaded_picture(id) ON DELETE SET NULL,
  constraint account_check CHECK (((status = 'active'::text) = (cancel_requested_at IS NULL))),
  constraint account_check1 CHECK (((cancel_requested_at IS NULL) = (erase_at IS NULL))),
  constraint account_check2 CHECK (((status = 'erased'::text) = (erased_at IS NOT NULL))),
  constraint account_check3 CHECK (((status = 'erased'::text) OR ((user_name IS NOT NULL) AND (nickname IS NOT NULL) AND (email IS NOT NULL) AND (email_verified_at IS NOT NULL)))),
  constraint account_check4 CHECK (((status <> 'erased'::text) OR ((user_name IS NULL) AND (nickname IS NULL) AND (email IS NULL) AND (email_verified_at IS NULL) AND (mobile IS NULL) AND (mobile_verified_at IS NULL) AND (password_hash IS NULL) AND (password_changed_at IS NULL) AND (avatar IS NULL)))),
  constraint account_check5 CHECK (((mobile IS NOT NULL) OR (mobile_verified_at IS NULL))),
  constraint account_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint account_mobile_check CHECK ((mobile ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint account_nickname_check CHECK (((length(nickname) >= 1) AND (length(nickname) <= 40))),
  constraint account_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
  constraint account_role_id_check CHECK ((role_id >= 0)),
  constraint account_status_check CHECK ((status = ANY (ARRAY['active'::text, 'cancelling'::text, 'erased'::text]))),
  constraint account_uid_check CHECK (((uid >= 100000000) AND (uid <= 999999999))),
  constraint account_uid_key UNIQUE (uid),
  constraint account_user_id_check CHECK ((user_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint account_user_id_key UNIQUE (user_id),
  constraint account_user_name_check CHECK ((user_name ~ '^[A-Za-z0-9]{6,32}$'::text))
);

CREATE UNIQUE INDEX account_email ON public.account USING btree (email);

CREATE INDEX account_to_erase ON public.account USING btree (erase_at) WHERE (status = 'cancelling'::text);

CREATE UNIQUE INDEX account_user_name ON public.account USING btree (lower(user_name));

CREATE TRIGGER account_status BEFORE UPDATE ON public.account FOR EACH ROW EXECUTE FUNCTION account_status_moves();

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

create table billing_address (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  country text not null,
  region text not null default ''::text,
  first_name text not null,
  surname text not null,
  address text not null,
  postal_code text not null default ''::text,
  is_default boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint billing_address_pkey PRIMARY KEY (id),
  constraint billing_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint billing_address_address_check CHECK (((length(address) >= 1) AND (length(address) <= 300))),
  constraint billing_address_country_fkey FOREIGN KEY (country) REFERENCES country(code),
  constraint billing_address_first_name_check CHECK (((length(first_name) >= 1) AND (length(first_name) <= 100))),
  constraint billing_address_postal_code_check CHECK ((length(postal_code) <= 20)),
  constraint billing_address_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint billing_address_public_id_key UNIQUE (public_id),
  constraint billing_address_region_check CHECK ((length(region) <= 100)),
  constraint billing_address_surname_check CHECK (((length(surname) >= 1) AND (length(surname) <= 100)))
);

CREATE INDEX billing_address_account ON public.billing_address USING btree (account_id, created_at);

CREATE UNIQUE INDEX billing_address_default ON public.billing_address USING btree (account_id) WHERE is_default;

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

create table favourite (
  account_id uuid not null,
  product code not null,
  discount smallint not null default 0,
  created_at timestamp with time zone not null,
  constraint favourite_pkey PRIMARY KEY (account_id, product),
  constraint favourite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint favourite_discount_check CHECK (((discount >= 0) AND (discount <= 100))),
  constraint favourite_product_fkey FOREIGN KEY (product) REFERENCES product(code) ON UPDATE CASCADE
);

CREATE INDEX favourite_newest ON public.favourite USING btree (account_id, created_at DESC);

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

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  call text not null,
  request_hash bytea not null,
  status smallint,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200))),
  constraint idempotency_key_request_hash_check CHECK ((length(request_hash) = 32))
);

CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);

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

create table known_device (
  account_id uuid not null,
  fingerprint bytea not null,
  seen_at timestamp with time zone not null,
  constraint known_device_pkey PRIMARY KEY (account_id, fingerprint),
  constraint known_device_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint known_device_fingerprint_check CHECK ((length(fingerprint) = 32))
);

CREATE INDEX known_device_age ON public.known_device USING btree (seen_at);

create table linked_identity (
  id uuid not null,
  account_id uuid not null,
  platform code not null,
  issuer text not null,
  subject text not null,
  display_name text not null default ''::text,
  linked_at timestamp with time zone not null,
  constraint linked_identity_pkey PRIMARY KEY (id),
  constraint linked_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint linked_identity_account_id_platform_key UNIQUE (account_id, platform),
  constraint linked_identity_display_name_check CHECK ((length(display_name) <= 200)),
  constraint linked_identity_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
  constraint linked_identity_issuer_subject_key UNIQUE (issuer, subject),
  constraint linked_identity_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

create table migration (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table notice (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  kind text not null,
  params jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  constraint notice_pkey PRIMARY KEY (id),
  constraint notice_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint notice_kind_check CHECK ((kind ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint notice_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint notice_public_id_key UNIQUE (public_id)
);

CREATE INDEX notice_newest ON public.notice USING btree (account_id, created_at DESC, id DESC);

CREATE INDEX notice_unread ON public.notice USING btree (account_id) WHERE (read_at IS NULL);

create table outgoing_mail (
  id uuid not null,
  kind text not null,
  account_id uuid,
  recipient text,
  language language_code not null,
  params jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint outgoing_mail_kind_check CHECK ((kind ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint outgoing_mail_recipient_check CHECK (((length(recipient) >= 3) AND (length(recipient) <= 254)))
);

CREATE INDEX outgoing_mail_account ON public.outgoing_mail USING btree (account_id);

CREATE INDEX outgoing_mail_unsent ON public.outgoing_mail USING btree (created_at) WHERE (sent_at IS NULL);

create table outgoing_sms (
  id uuid not null,
  account_id uuid not null,
  mobile text,
  language language_code not null,
  created_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  sent_at timestamp with time zone,
  constraint outgoing_sms_pkey PRIMARY KEY (id),
  constraint outgoing_sms_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint outgoing_sms_check CHECK (((sent_at IS NULL) OR (attempted_at IS NOT NULL))),
  constraint outgoing_sms_mobile_check CHECK ((mobile ~ '^\+[1-9][0-9]{6,14}$'::text))
);

CREATE INDEX outgoing_sms_account ON public.outgoing_sms USING btree (account_id);

CREATE INDEX outgoing_sms_age ON public.outgoing_sms USING btree (created_at);

create table passkey (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  name text not null,
  is_backed_up boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint passkey_counter_check CHECK ((counter >= 0)),
  constraint passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint passkey_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint passkey_public_id_key UNIQUE (public_id)
);

CREATE INDEX passkey_account ON public.passkey USING btree (account_id);

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

create table rate_limit (
  key bytea not null,
  used_up_to timestamp with time zone not null,
  constraint rate_limit_pkey PRIMARY KEY (key),
  constraint rate_limit_key_check CHECK ((length(key) = 32))
);

CREATE INDEX rate_limit_age ON public.rate_limit USING btree (used_up_to);

create table recovery_code (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (account_id, code_hash),
  constraint recovery_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint recovery_code_code_hash_check CHECK ((length(code_hash) = 32))
);

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

create table second_factor (
  account_id uuid not null,
  sealed_seed bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  constraint second_factor_pkey PRIMARY KEY (account_id),
  constraint second_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table session (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  token_hash bytea not null,
  handle_hash bytea not null,
  browser text not null,
  system text not null,
  network text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proved_at timestamp with time zone not null,
  handle_seen_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint session_browser_check CHECK ((length(browser) <= 40)),
  constraint session_handle_hash_check CHECK ((length(handle_hash) = 32)),
  constraint session_handle_hash_key UNIQUE (handle_hash),
  constraint session_network_check CHECK ((length(network) <= 60)),
  constraint session_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint session_public_id_key UNIQUE (public_id),
  constraint session_system_check CHECK ((length(system) <= 40)),
  constraint session_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint session_token_hash_key UNIQUE (token_hash)
);

CREATE INDEX session_account ON public.session USING btree (account_id, seen_at DESC);

CREATE INDEX session_expiry ON public.session USING btree (expires_at);

create table setting (
  key text not null,
  value jsonb not null,
  constraint setting_pkey PRIMARY KEY (key)
);

CREATE TRIGGER setting_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.setting FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed();

create table sign_in_guard (
  key bytea not null,
  failures integer not null,
  failed_at timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_guard_pkey PRIMARY KEY (key),
  constraint sign_in_guard_failures_check CHECK ((failures > 0)),
  constraint sign_in_guard_key_check CHECK ((length(key) = 32))
);

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

create table uploaded_picture (
  id uuid not null,
  public_id text not null,
  account_id uuid not null,
  purpose text not null,
  content bytea not null,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone not null,
  constraint uploaded_picture_pkey PRIMARY KEY (id),
  constraint uploaded_picture_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint uploaded_picture_content_check CHECK (((length(content) >= 1) AND (length(content) <= 5242880))),
  constraint uploaded_picture_height_check CHECK ((height > 0)),
  constraint uploaded_picture_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint uploaded_picture_public_id_key UNIQUE (public_id),
  constraint uploaded_picture_purpose_check CHECK ((purpose = ANY (ARRAY['avatar'::text, 'ticket'::text]))),
  constraint uploaded_picture_width_check CHECK ((width > 0))
);

CREATE INDEX uploaded_picture_account ON public.uploaded_picture USING btree (account_id, created_at);

create table verification (
  id uuid not null,
  purpose text not null,
  account_id uuid,
  target text not null default ''::text,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  tries smallint not null default 0,
  secret_hash bytea,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  constraint verification_pkey PRIMARY KEY (id),
  constraint verification_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint verification_check CHECK (((code_hash IS NULL) = (code_expires_at IS NULL))),
  constraint verification_check1 CHECK (((code_hash IS NOT NULL) OR (secret_hash IS NOT NULL))),
  constraint verification_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint verification_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'reset'::text, 'email'::text, 'phone'::text, 'proof'::text, 'undo_cancel'::text, 'unfreeze'::text, 'sign_in_elsewhere'::text, 'bind'::text, 'second_factor'::text, 'passkey'::text]))),
  constraint verification_secret_hash_check CHECK ((length(secret_hash) = 32)),
  constraint verification_secret_hash_key UNIQUE (secret_hash),
  constraint verification_target_check CHECK ((length(target) <= 254)),
  constraint verification_tries_check CHECK (((tries >= 0) AND (tries <= 5)))
);

CREATE INDEX verification_account ON public.verification USING btree (account_id);

CREATE INDEX verification_expiry ON public.verification USING btree (expires_at);

CREATE UNIQUE INDEX verification_living ON public.verification USING btree (purpose, target, COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE ((used_at IS NULL) AND (target <> ''::text));

create table visit (
  day date not null,
  visit_id_hash bytea not null,
  constraint visit_pkey PRIMARY KEY (day, visit_id_hash),
  constraint visit_visit_id_hash_check CHECK ((length(visit_id_hash) = 32))
);
