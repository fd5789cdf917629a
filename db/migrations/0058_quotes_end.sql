-- expand: an index
-- Quotes that were never in force go after a while: whether one was is looked up for each.
create index currency_rate_of_quote on currency_rate (quote_id) where quote_id is not null;
