import { z } from 'zod'

/** Payload of the job `send_sms`. */
export const sendSmsPayload = z.strictObject({ id: z.uuid() })
