import { z } from 'zod'
import type { CallDescription } from '../call.ts'

export const TRACK_VISIT = {
  path: 'analysis/trackVisit',
  summary: 'Count a visit',
  description:
    'Counted once a day for each `vt`; a malformed one is ignored. Nothing about the visitor is kept.',
  query: z.object({
    vt: z
      .string()
      .regex(/^[A-Za-z0-9-]{36}$/)
      .meta({ description: 'Random, made by the client: 36 letters, digits or hyphens' }),
  }),
  data: z.null(),
  mayMiss: false,
  example: { vt: 'a3c41d0e-55f0-4f6e-9a54-0d4f3c0c7a11' },
} as const satisfies CallDescription
