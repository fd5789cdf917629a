import { pageForm, type PageForms } from '../forms/form.ts'

export const forms = {
  approve: pageForm({
    call: 'agent/confirm',
    body: (fields) => ({ id: fields.text('id'), answer: 'approve' as const }),
    done: () => null,
  }),
  refuse: pageForm({
    call: 'agent/confirm',
    body: (fields) => ({ id: fields.text('id'), answer: 'refuse' as const }),
    done: () => null,
  }),
} as const satisfies PageForms
