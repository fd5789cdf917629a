/** What the team asks for at its desk; none of it tells of a person. */
export const DESK_TABLES = {
  bulk_run: { personal: [], none: ['public_id', 'act', 'state'] },
  bulk_run_order: { personal: [], none: ['version', 'state', 'why'] },
  list_columns: { personal: [], none: ['list', 'columns'] },
  order_looker: { personal: [], none: [] },
  key_export: {
    personal: [],
    none: ['public_id', 'reason', 'state', 'wrapped_key', 'asked_by', 'approved_by', 'request_id'],
  },
  key_export_piece: { personal: [], none: ['nonce', 'ciphertext'] },
} as const
