import { pageForm, type PageForms } from './form.ts'

/** Forms that every personal page takes. */
export const SHARED_FORMS = {
  signOut: pageForm({
    call: 'user/logout',
    body: () => ({}),
    done: (_, fields) => `/middle?url=${encodeURIComponent(fields.text('address') || '/')}`,
  }),
} as const satisfies PageForms
