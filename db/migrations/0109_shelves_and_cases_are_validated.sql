-- expand: what 0095 and 0103 ask of new rows is looked for in those that were there, while everybody works on
alter table key_batch validate constraint key_batch_supplier_check, validate constraint key_batch_cost, validate constraint key_batch_cost_currency_fkey;
alter table service_case validate constraint service_case_claimed_by_check, validate constraint service_case_claimed_check, validate constraint service_case_due_check;
alter table review validate constraint review_answer_check, validate constraint review_answered_check;
