-- Minor units of a currency for one US dollar, by the newest rate without any margin; null where none is known.
create or replace function minor_per_dollar(code text) returns numeric language sql stable as $$
  select case when code = 'USD' then 100 else (
    select r.per_usd * power(10::numeric, c.minor_units) from currency c
    cross join lateral (select per_usd from currency_rate where currency_rate.currency = c.code order by observed_at desc limit 1) r where c.code = minor_per_dollar.code
  ) end
$$;

-- What limits are written in and sums over several currencies are told in. One without a rate is as if nobody had chosen it.
create or replace function shop_currency() returns text language sql stable as $$
  select coalesce((select value #>> '{}' from setting where key = 'shop_currency' and minor_per_dollar(value #>> '{}') is not null), 'USD')
$$;

-- An amount in the shop's currency, rounded up, so that many small ones are not nothing; null where no rate is known.
create or replace function in_shop_currency(minor numeric, code text) returns numeric language sql stable as $$
  select case when shop.currency = code then minor else ceil(minor * minor_per_dollar(shop.currency) / minor_per_dollar(code)) end
  from (select shop_currency() as currency) shop
$$;

-- Limits of a role in the shop's currency, rounded down: they are texts, and null for no limit. What no rate is known of allows nothing.
create or replace function limits_in_shop_currency(limits jsonb, code text) returns jsonb language sql stable as $$
  select case when shop.currency = code then limits else (
    select coalesce(jsonb_object_agg(key, to_jsonb(case when value ~ '^\d{1,18}$'
      then coalesce(floor(value::numeric * minor_per_dollar(shop.currency) / minor_per_dollar(code)), 0)::text end)), '{}')
    from jsonb_each_text(limits) where value is null or value ~ '^\d{1,18}$'
  ) end from (select shop_currency() as currency) shop
$$;

-- Minor units that stand for a dollar in limits that nobody has written: as much of the shop's currency, or ten, a hundred … times it, where
-- a unit of it is worth about a tenth, a hundredth … of one. So they are round in every currency, and stay so when rates move.
create or replace function shop_unit() returns numeric language sql stable as $$
  select case when shop.currency = 'USD' then 100 else (
    select greatest(1, power(10::numeric, c.minor_units + round(log(minor_per_dollar(c.code) / power(10::numeric, c.minor_units)))::integer))::numeric(38,0)
    from currency c where c.code = shop.currency
  ) end from (select shop_currency() as currency) shop
$$;
