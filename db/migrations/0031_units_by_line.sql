-- expand: an index alone. Alone in its transaction, too: whoever buys meanwhile waits for one table and holds nothing that we wait for.
-- An order that came to nothing is removed with its lines, and each line is looked for in all units.
create index order_unit_line on order_unit (line_id);
