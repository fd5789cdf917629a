import { getLanguage, type LanguageCode } from '#kernel/language.ts'

/** Every mail the shop sends. Its texts are `mail.<kind>.*` in locales/<lang>/mail.json. */
export const MAIL_KINDS = [
  'register_code',
  'register_known',
  'reset_code',
  'email_code',
  'proof_code',
  'email_changed',
  'password_changed',
  'password_set',
  'new_device',
  'mailbox_frozen',
  'account_cancelling',
  'sign_in_while_cancelling',
  'cancellation_undone',
  'account_erased',
  'identity_linked',
  'identity_unlinked',
  'factor_added',
  'factor_removed',
  'order_delivered',
  'order_paid_by_hand',
  'order_credited',
  'order_delayed',
  'order_refunded',
  'order_money_returned',
  'order_payment_problem',
  'order_cancelled',
  'order_failed_unit',
  'order_input_needed',
  'case_decided',
  'shop_alert',
  'audit_head',
  'operator_invited',
  'operator_factor_lost',
  'operator_reset_waits',
  'operator_reset_done',
  'test_letter',
  'report',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** What a mail tells beside its kind. All of it is shown as text; none of it is ever a secret. */
export interface MailParams {
  /** The browser and the system somebody used, as the list of devices names them. */
  readonly browser?: string | undefined
  readonly system?: string | undefined
  /** The network a call came from, cut to its prefix. */
  readonly network?: string | undefined
  /** Name of another service, as it calls itself: "Google". */
  readonly service?: string | undefined
  readonly factor?: 'passkey' | 'totp' | undefined
  /** Name that a person gave a passkey; name of the operator whose doing it tells of. */
  readonly name?: string | undefined
  /** When what it tells of will be, ISO 8601. */
  readonly due?: string | undefined
  readonly order?: MailOrder | undefined
  readonly alert?: MailAlert | undefined
  readonly seal?: MailSeal | undefined
  readonly report?: MailReport | undefined
  /** Name of the browser that asked for a code; not shown. */
  readonly asker?: string | undefined
}

/** What a mail tells of an order, ready to show in the mail's language. Never a key, never an account that goods went to. */
export interface MailOrder {
  /** Public id, for the way to its page. */
  readonly id: string
  readonly number: string
  /** "2 × Steam gift card: 10 USD" */
  readonly goods: readonly string[]
  /** The same goods with what each costs and looks like; a mail of the release before has none. */
  readonly lines?: readonly MailLine[] | undefined
  /** Empty where none was taken, or where the mail is about a part of the order. */
  readonly fee?: string | undefined
  readonly total: string
  /** The amount that the mail is about; empty where it is about none. */
  readonly amount: string
  /** Which of a kind's sentences: why money goes back, where to, what was decided. */
  readonly variant: string
  /** Usual minutes to delivery by hand, and whether they were measured or are the catalogue's estimate. */
  readonly minutes: { readonly count: number; readonly isMeasured: boolean } | null
}

/** A picture that goes along with a mail; its HTML shows it as `cid:<cid>`. */
export interface MailPicture {
  readonly cid: string
  /** PNG, which every mail program shows. */
  readonly content: Uint8Array
}

export interface MailLine {
  readonly name: string
  /** "2 × 10 USD" */
  readonly detail: string
  readonly amount: string
  /** Code of its cover; null for none. */
  readonly picture: string | null
}

/** What a report says, ready to show in the mail's language: sums of the shop, and nothing of a person. */
export interface MailReport {
  /** "1 – 30 Nov 2026" */
  readonly days: string
  /** The days it is compared with; null for none. */
  readonly compared: string | null
  readonly lines: readonly {
    readonly name: string
    readonly value: string
    readonly before: string | null
    /** "+12 %" */
    readonly change: string | null
  }[]
  /** The page it comes from. */
  readonly link: string
}

/** What whoever runs the shop is told of; the words are `mail.alert.<label>`. */
export const ALERT_LABELS = [
  'no_worker',
  'clock',
  'late',
  'dead_jobs',
  'mails_wait',
  'payments_wait',
  'broken_promises',
  'keys_missing',
  'disk',
  'settings',
  'refunds_refused',
  'keys_seen',
  'keys_exported',
  'changed_alone',
  'low_stock',
  'sold_out',
  'undecided',
  'approvals',
  'disputes',
  'by_hand',
  'to_clarify',
  'rates_stale',
  'rates_held',
] as const
export type AlertLabel = (typeof ALERT_LABELS)[number]

export interface MailAlert {
  /** What began and holds something added is told as more of it: the release before, which may send it, knows no such state. */
  readonly state: 'begun' | 'over' | 'digest'
  readonly matters: readonly {
    readonly label: AlertLabel
    readonly count: number
    /** How many of them are new since it was last told. */
    readonly added: number
    /** When it began, ISO 8601. */
    readonly since: string
  }[]
}

/** The newest seal of the audit trail, to be kept outside of the shop. */
export interface MailSeal {
  readonly number: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  /** ISO 8601. */
  readonly at: string
}

/** What a mail carries that is good for one use. It is made while the mail is sent and stands nowhere else. */
export interface MailProof {
  readonly purpose:
    | 'register'
    | 'reset'
    | 'email'
    | 'proof'
    | 'undo_cancel'
    | 'unfreeze'
    | 'operator_invitation'
  readonly withCode: boolean
  /** Page that takes the secret as `key`; null for a mail without a link. */
  readonly page:
    | '/mobile/register'
    | '/mobile/resetpwd'
    | '/mobile/recoveryAccount'
    | typeof INVITATION_PAGE
    | null
  /** Seconds that the link is good for, or `erasure`: until the account is erased. A code is good for CODE_MINUTES. */
  readonly lasts: number | 'erasure'
}

/** Page of the console that takes the key of an invitation; it stands in no language's part of the shop. */
export const INVITATION_PAGE = '/console/invitation'

export const CODE_MINUTES = 10
const MINUTE = 60
const HOUR = 60 * MINUTE

const UNDO: MailProof = {
  purpose: 'undo_cancel',
  withCode: false,
  page: '/mobile/recoveryAccount',
  lasts: 'erasure',
}

const PROOFS: Partial<Record<MailKind, MailProof>> = {
  register_code: {
    purpose: 'register',
    withCode: true,
    page: '/mobile/register',
    lasts: 24 * HOUR,
  },
  reset_code: { purpose: 'reset', withCode: true, page: '/mobile/resetpwd', lasts: 30 * MINUTE },
  email_code: { purpose: 'email', withCode: true, page: null, lasts: CODE_MINUTES * MINUTE },
  proof_code: { purpose: 'proof', withCode: true, page: null, lasts: CODE_MINUTES * MINUTE },
  mailbox_frozen: {
    purpose: 'unfreeze',
    withCode: false,
    page: '/mobile/recoveryAccount',
    lasts: 24 * HOUR,
  },
  account_cancelling: UNDO,
  sign_in_while_cancelling: UNDO,
  operator_invited: {
    purpose: 'operator_invitation',
    withCode: false,
    page: INVITATION_PAGE,
    lasts: 72 * HOUR,
  },
}

/** Null for a mail that only tells something. */
export function proofOf(kind: MailKind): MailProof | null {
  return PROOFS[kind] ?? null
}

/** Address of the page in the recipient's language that takes the secret. */
export function linkOf(
  publicUrl: string,
  language: LanguageCode,
  page: string,
  key: string,
  /** Origin of the operators' console. */
  consoleUrl: string = publicUrl,
): string {
  if (page === INVITATION_PAGE) return `${consoleUrl}${page}?key=${encodeURIComponent(key)}`
  return `${publicUrl}${getLanguage(language).prefix}${page}?key=${encodeURIComponent(key)}`
}

/** The account behind a mail, as far as its text needs it. */
export interface MailAccount {
  readonly id: string
  readonly nickname: string | null
  readonly status: 'active' | 'frozen' | 'cancelling' | 'erased'
  readonly eraseAt: Date | null
}

/** Where a mail is to go and what it is to be, as far as the account decides it. */
export interface Choice {
  readonly kind: MailKind
  /** Whose account it is about: of the address where a visitor asked, else of who is signed in. */
  readonly account: MailAccount | null
}

/**
 * Decides at sending time what an address is really sent, so that asking for a code is the same whether it has an account
 * or not. Null: nothing is sent.
 * @param own the account that the mail was written for, if it was
 * @param known the account that the address belongs to
 */
export function chooseMail(
  kind: MailKind,
  own: MailAccount | null,
  known: MailAccount | null,
): Choice | null {
  switch (kind) {
    case 'register_code':
      return known ? { kind: 'register_known', account: known } : { kind, account: null }
    case 'reset_code':
      // Whoever is frozen is told nothing: a code would open nothing.
      if (!known || known.status === 'frozen') return null
      return {
        kind: known.status === 'cancelling' ? 'sign_in_while_cancelling' : kind,
        account: known,
      }
    case 'email_code':
      return known && known.id !== own?.id
        ? { kind: 'register_known', account: known }
        : { kind, account: own }
    default:
      return { kind, account: own }
  }
}

/** After this nobody waits for a code any more, and one that comes then would only alarm. */
const CODE_WAITS_MS = HOUR * 1_000

export function isStale(kind: MailKind, createdAt: Date, now: Date): boolean {
  return proofOf(kind)?.withCode === true && now.getTime() - createdAt.getTime() > CODE_WAITS_MS
}

/** Days after sending that the address is kept, to answer "did you write to me". */
export const RECIPIENT_KEPT_DAYS = 30
