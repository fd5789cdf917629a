import { ownPath } from '#kernel/own-path.ts'
import { KEY_FORMS } from '../card-keys/forms.ts'
import { pageForm, type PageForms } from '../forms/form.ts'
import { proofOf } from '../forms/proof-forms.ts'

export const forms = {
  ...KEY_FORMS,
  addFavourite: pageForm({
    call: 'collect/add',
    body: (fields) => ({ code: fields.text('code') }),
    done: () => '/user/collect',
  }),
  removeFavourite: pageForm({
    call: 'collect/remove',
    body: (fields) => ({ code: fields.text('code') }),
    done: () => null,
  }),
  readNotice: pageForm({
    call: 'notice/read',
    body: (fields) => ({ id: fields.text('id') }),
    done: () => null,
  }),
  /** Read, and on to what it tells of. */
  openNotice: pageForm({
    call: 'notice/read',
    body: (fields) => ({ id: fields.text('id') }),
    done: (_, fields) => ownPath(fields.text('path')) ?? '/user/notice',
  }),
  readAllNotices: pageForm({ call: 'notice/read_all', body: () => ({}), done: () => null }),
  /** Off to the other service, which brings the person back to /loading. */
  link: pageForm({
    call: 'user/link',
    body: (fields) => ({
      platform: fields.text('platform'),
      redirect: `/user/link?done=${encodeURIComponent(fields.text('platform'))}`,
      ...proofOf(fields),
    }),
    done: (data) => data.redirect_url,
    secret: ['password', 'proof_code'],
  }),
  unlink: pageForm({
    call: 'user/unlink',
    body: (fields) => ({ platform: fields.text('platform'), ...proofOf(fields) }),
    done: (_, fields) => `/user/link?removed=${encodeURIComponent(fields.text('platform'))}`,
    secret: ['password', 'proof_code'],
  }),
} as const satisfies PageForms
