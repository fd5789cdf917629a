/** What the team asks for at its desk; none of it tells of a person. */
export const DESK_TABLES = {
  bulk_run: { personal: [], none: ['public_id', 'act', 'state'] },
  bulk_run_order: { personal: [], none: ['version', 'state', 'why'] },
  dispute_evidence: {
    personal: [],
    none: ['provider', 'state', 'reference', 'failure', 'asked_by'],
  },
  goods_file: {
    personal: [],
    none: ['public_id', 'kind', 'state', 'file_name', 'mark', 'report', 'hash', 'failure', 'token'],
  },
  goods_file_fault: { personal: [], none: ['place', 'shown', 'reason', 'why'] },
  goods_file_piece: { personal: [], none: ['content'] },
  guide_step: { personal: [], none: ['step', 'choice'] },
  starter_goods: { personal: [], none: ['public_id', 'state', 'failure'] },
  list_columns: { personal: [], none: ['list', 'columns'] },
  order_looker: { personal: [], none: [] },
  key_export: {
    personal: [],
    none: ['public_id', 'reason', 'state', 'wrapped_key', 'asked_by', 'approved_by', 'request_id'],
  },
  key_import: {
    personal: [],
    none: [
      'status',
      'file_name',
      'supplier',
      'wrapped_key',
      'taken_by',
      'approved_by',
      'created_by',
      'request_id',
    ],
  },
  key_import_chunk: { personal: [], none: ['nonce', 'ciphertext'] },
  key_import_fault: { personal: [], none: ['fault', 'part'] },
  key_export_piece: { personal: [], none: ['nonce', 'ciphertext'] },
} as const
