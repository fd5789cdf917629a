-- expand: columns with defaults and wider checks of tables that only operators use; a worker of the release before fails what it does not know
-- Files for spreadsheets, and of taxes.
alter table export_run
  add column format text not null default 'csv' check (format in ('csv','xlsx')),
  -- It was asked for as XLSX, and had more rows than such a file may have.
  add column is_too_long boolean not null default false,
  -- What the archive knows of the sheet so far: its checksum, and its bytes before and after packing.
  add column sheet_crc bigint not null default 0,
  add column sheet_bytes bigint not null default 0,
  add column packed_bytes bigint not null default 0,
  drop constraint export_run_kind_check,
  add constraint export_run_kind_check check (kind in ('orders','units','movements','vat','vat_days'));
alter table export_part
  alter column content drop not null,
  add column bytes bytea,
  add constraint export_part_check check (num_nonnulls(content, bytes) = 1);
