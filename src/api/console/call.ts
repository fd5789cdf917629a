import type { z } from 'zod'
import type { Site } from '#features/base/authenticator/rules.ts'
import type { SignedIn } from '#features/team/operator/flows.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { TakeShare } from '#platform/http/rate-limiter.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { DrawReceipt } from '#features/buying/receipt/rules.ts'
import type { Vault } from '#features/buying/vault/engine/vault.ts'
import type { ReadUpload } from '#features/goods/upload/rules.ts'
import type { PaymentEnvironment } from '#features/office/payment-service/engine/settings.ts'
import type {
  SupplyEnvironment,
  Suppliers,
} from '#features/office/supplier-service/engine/settings.ts'
import type { ReadyLine } from '#features/office/readiness/rules.ts'
import type { PaymentServices } from '#features/buying/payment/flows.ts'
import type { ConsolePath } from './access.ts'
import type { StreamedFile } from './streamed-file.ts'

/** What the console's calls use beside the database; put together in `src/console-part.ts`. */
export interface ConsoleServices {
  /** Origin of the console: the shop's own, or CONSOLE_ORIGIN. */
  readonly origin: string
  readonly isHttps: boolean
  readonly isDemo: boolean
  readonly shopName: () => string
  /** Who sells, as it stands on what is sent out: names, and the address below them. */
  readonly seller: () => readonly string[]
  readonly timeZone: string
  readonly drawReceipt: DrawReceipt
  readonly payments: PaymentServices
  /** What the environment says of payment services: it wins. */
  readonly paymentEnvironment: PaymentEnvironment
  /** Whom the shop buys from now, and what of it the environment says. */
  readonly supplying: { readonly environment: SupplyEnvironment; readonly suppliers: Suppliers }
  readonly vault: Vault
  readonly takeShare: TakeShare
  /** Decodes what operators send, in the process for pictures. */
  readonly readUpload: ReadUpload
  /** Whether the shop is ready, by facts looked up now. */
  readonly ready: () => Promise<readonly ReadyLine[]>
}

/** A file that is being sent with a call. */
export interface IncomingBytes {
  /** What the sender says; null where it says nothing. */
  readonly declaredBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Who makes a call of the console, and what answering may use. */
export interface ConsoleCaller {
  readonly ctx: Ctx
  readonly t: Translate
  readonly language: LanguageCode
  readonly visitor: Visitor
  readonly services: ConsoleServices
  /** The console as passkeys know it. */
  readonly site: Site
  /** Token of the cookie that came, whether it is worth anything or not. */
  readonly cookieToken: string | null
  /** Keeps a session's token in the caller's browser; null forgets it. */
  readonly keep: (token: string | null) => void
}

/** Somebody who is an operator: with a session, or by a token that has none. */
export interface OperatorCaller extends Omit<ConsoleCaller, 'ctx'> {
  readonly ctx: OperatorCtx
  readonly signedIn: SignedIn | null
  /** What is sent with a call that takes a file. */
  readonly file: IncomingBytes | null
}

interface Described<
  Path extends ConsolePath,
  BodyShape extends z.ZodObject,
  DataShape extends z.ZodType,
> {
  /** Below /api: "console/team/list". What it needs stands in `access.ts`. */
  readonly path: Path
  readonly summary: string
  /** Its body is a file, and its input stands in the address. */
  readonly takesFile?: true
  readonly description?: string
  /** JSON object of a POST, query parameters of a GET. */
  readonly body: BodyShape
  readonly data: DataShape
  readonly example: Readonly<Record<string, unknown>>
  /** Content type of an answer that goes out as a file, a `StreamedFile`, and never as an envelope. */
  readonly file?: string
}

export interface OperatorCall<
  Path extends ConsolePath = ConsolePath,
  BodyShape extends z.ZodObject = z.ZodObject,
  DataShape extends z.ZodType = z.ZodType,
> extends Described<Path, BodyShape, DataShape> {
  readonly by: 'operator'
  readonly answer: (
    caller: OperatorCaller,
    body: z.output<BodyShape>,
  ) => Promise<z.input<DataShape> | StreamedFile>
}

export interface OpenCall<
  Path extends ConsolePath = ConsolePath,
  BodyShape extends z.ZodObject = z.ZodObject,
  DataShape extends z.ZodType = z.ZodType,
> extends Described<Path, BodyShape, DataShape> {
  readonly by: 'anyone'
  readonly answer: (caller: ConsoleCaller, body: z.output<BodyShape>) => Promise<z.input<DataShape>>
}

/** Ties a call's parts together, so that what it takes and answers fits the published shapes. */
export function operatorCall<
  const Path extends ConsolePath,
  BodyShape extends z.ZodObject,
  DataShape extends z.ZodType,
>(
  call: Omit<OperatorCall<Path, BodyShape, DataShape>, 'by'>,
): OperatorCall<Path, BodyShape, DataShape> {
  return { ...call, by: 'operator' }
}

/** The same of a call that nobody need be signed in for. */
export function openCall<
  const Path extends ConsolePath,
  BodyShape extends z.ZodObject,
  DataShape extends z.ZodType,
>(call: Omit<OpenCall<Path, BodyShape, DataShape>, 'by'>): OpenCall<Path, BodyShape, DataShape> {
  return { ...call, by: 'anyone' }
}
