import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  undo: pageForm({
    call: 'user/undo_cancel',
    body: (fields) => ({ key: fields.text('key') }),
    done: () => null,
    secret: ['key'],
  }),
  unfreeze: pageForm({
    call: 'user/unfreeze',
    body: (fields) => ({ key: fields.text('key') }),
    done: () => null,
    secret: ['key'],
  }),
} as const satisfies PageForms
