-- expand: columns that may be null; the release before asks for no amount, and sells such an item at its own face value
-- An item that is sold at any amount between two, in steps from the least on, in its product's face currency. Its price is that of its face.
alter table item add column face_min_minor minor_amount, add column face_max_minor minor_amount, add column face_step_minor minor_amount,
  add constraint item_free_amount check (
    (face_min_minor is null and face_max_minor is null and face_step_minor is null)
    or (kind = 'airtime' and face_minor is not null and face_minor > 0 and face_min_minor is not null and face_max_minor is not null and face_step_minor is not null
      and face_min_minor > 0 and face_step_minor > 0 and face_max_minor > face_min_minor and (face_max_minor - face_min_minor) % face_step_minor = 0)
  );
-- The amount asked for, in minor units of the face currency. Lines of other goods have none. No domains here, and what they would say is checked
-- later: a column of a domain has its table written anew, while nobody can buy.
alter table cart_line add column amount_minor numeric(38,0), add constraint cart_line_amount check (amount_minor > 0) not valid;
alter table order_line add column amount_minor numeric(38,0), add column amount_currency text,
  add constraint order_line_amount check ((amount_minor is null) = (amount_currency is null) and amount_minor > 0) not valid,
  add constraint order_line_amount_currency check (amount_currency ~ '^[A-Z]{3}$') not valid;
