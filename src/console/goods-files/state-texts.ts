import type { FileState } from '#features/goods/files/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'

/** What a file's state is called. */
export const STATE_TEXTS = {
  uploading: 'console.exports.state.waiting',
  waiting: 'console.exports.state.waiting',
  checking: 'console.goodsFiles.checking',
  checked: 'console.goodsFiles.checked',
  taking: 'console.goodsFiles.taking',
  done: 'console.exports.state.done',
  failed: 'console.exports.state.failed',
  cancelled: 'console.exports.state.cancelled',
} as const satisfies Readonly<Record<FileState, MessageKey>>
