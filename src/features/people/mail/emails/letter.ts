import type { Theme } from '#features/base/theme/rules.ts'
import { DEMO_SHOP } from '#features/base/shop/rules.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { formatDate, formatMoment } from '#platform/i18n/format.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import {
  type MailPicture,
  CODE_MINUTES,
  proofOf,
  type AlertLabel,
  type MailAlert,
  type MailKind,
  type MailParams,
  type MailReport,
  type MailSeal,
} from '../rules.ts'
import { LOGO } from './logo.ts'
import { renderHtml, renderText, type Block } from './layout.ts'
import { mailLookOf } from './styles.ts'
import { orderBlocks, orderValues } from './order.ts'

/** What a mail is made from. */
export interface Letter {
  readonly kind: MailKind
  readonly language: LanguageCode
  readonly params: MailParams
  /** When it was written, that is, when what it tells of happened. */
  readonly at: Date
  /** Null in mails to an address that may be anybody's. */
  readonly nickname: string | null
  readonly eraseAt: Date | null
  readonly code: string | null
  readonly link: string | null
  readonly shop: LetterShop
  /** Covers of what it is about, by their codes. */
  readonly covers: ReadonlyMap<string, MailPicture>
}

export interface LetterShop {
  readonly name: string
  /** The operator's own words, in lines; empty for none. */
  readonly signature: string
  readonly corporateName: string
  readonly address: string
  readonly publicUrl: string
  readonly timeZone: string
  readonly theme: Theme
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly pictures: readonly MailPicture[]
}

/** Kinds that tell the owner of something that somebody else might have done. */
const ALARMS = new Set<MailKind>([
  'email_changed',
  'password_changed',
  'password_set',
  'new_device',
  'identity_linked',
  'identity_unlinked',
  'factor_added',
  'factor_removed',
])
/** Kinds that go to whoever runs the shop. */
const TO_THE_SHOP = new Set<MailKind>(['shop_alert', 'audit_head'])
/** To people who run the shop, or are to: they have no account there. */
const isToTeam = (kind: MailKind) =>
  kind.startsWith('operator_') || kind === 'test_letter' || kind === 'report'
/** The old address cannot set a password any more. */
const ALARM_TO_SUPPORT = new Set<MailKind>(['email_changed'])

export function renderLetter(letter: Letter, t: Translate): RenderedMail {
  const { shop } = letter
  const language = getLanguage(letter.language)
  const subject = oneLine(
    t(`mail.${letter.kind}.subject`, {
      shop: shop.name,
      name: oneLine(letter.params.name ?? ''),
      state: stateOf(letter.params.alert),
      ...orderValues(letter.params.order),
    }),
  )
  const blocks = blocksOf(letter, t)
  const look = mailLookOf(shop.theme)
  const hasLettering = shop.name === DEMO_SHOP.name && look.hasReleaseHead
  const frame = {
    language,
    subject,
    shopName: oneLine(shop.name),
    look,
    logo: hasLettering ? LOGO.cid : null,
    publicUrl: shop.publicUrl + language.prefix,
    preview: previewOf(letter, t),
    blocks,
    foot: [
      ...shop.signature.split(/\r?\n/).map(oneLine),
      ...(TO_THE_SHOP.has(letter.kind)
        ? [t('mail.alert.why', { shop: shop.name })]
        : isToTeam(letter.kind)
          ? [t('mail.whyTeam', { shop: shop.name })]
          : [
              t(letter.params.order ? 'mail.whyOrder' : 'mail.why', { shop: shop.name }),
              t('mail.noReply', { link: pageOf(letter, '/support') }),
            ]),
      [shop.corporateName, shop.address].filter((part) => part !== '').join(', '),
    ].filter((line) => line !== ''),
  }
  return {
    subject,
    text: renderText(frame),
    html: renderHtml(frame),
    pictures: [...(hasLettering ? [LOGO] : []), ...letter.covers.values()],
  }
}

/** The sentence under the title; of a code what it is good for, as the code itself shows on no locked screen. */
function previewOf(letter: Letter, t: Translate): string {
  return letter.code === null
    ? t(`mail.${letter.kind}.text`, valuesOf(letter, t))
    : t('mail.codeLasts', { minutes: CODE_MINUTES })
}

function blocksOf(letter: Letter, t: Translate): Block[] {
  const { kind, nickname } = letter
  return [
    { is: 'title', text: t(`mail.${kind}.title`, valuesOf(letter, t)) },
    ...(nickname
      ? [{ is: 'text', text: t('mail.hello', { name: oneLine(nickname) }) } as const]
      : []),
    { is: 'text', text: t(`mail.${kind}.text`, valuesOf(letter, t)) },
    ...(letter.params.order
      ? orderBlocks(
          letter.params.order,
          pageOf(letter, `/order/detail?order=${letter.params.order.id}`),
          (picture) => letter.covers.get(picture)?.cid ?? null,
          t,
          letter.language,
        )
      : []),
    ...(letter.params.alert ? [alertLines(letter, letter.params.alert, t)] : []),
    ...(letter.params.seal ? [sealLines(letter, letter.params.seal)] : []),
    ...(letter.params.report ? reportBlocks(letter.params.report, t) : []),
    ...(ALARMS.has(kind) ? alarmBlocks(letter, t) : []),
    ...proofBlocks(letter, t),
    ...plainButton(letter, t),
  ]
}

function valuesOf(
  { language, params, eraseAt, shop }: Letter,
  t: Translate,
): Record<string, string> {
  return {
    team: t('console.people.nav'),
    shop: shop.name,
    days: params.report?.days ?? '',
    service: oneLine(params.service ?? ''),
    name: oneLine(params.name ?? ''),
    moment: params.due ? formatMoment(language, new Date(params.due), shop.timeZone) : '',
    factor: params.factor ?? 'totp',
    state: stateOf(params.alert),
    ...orderValues(params.order),
    date: eraseAt ? formatDate(language, eraseAt, shop.timeZone) : '',
  }
}

function stateOf(alert: MailAlert | undefined): string {
  if (!alert) return ''
  return alert.state === 'begun' && alert.matters.some(({ added }) => added > 0)
    ? 'more'
    : alert.state
}

/** "Disputes open (5, +2)", and below it "20 November 2026 at 14:05 UTC": what, how many, how many of them are new, and since when. */
function alertLines({ language, shop }: Letter, { matters }: MailAlert, t: Translate): Block {
  const byWeight = matters.toSorted((a, b) => weightOf(a) - weightOf(b))
  const lines = byWeight.map(({ label, count, added, since }) => {
    const counted = added > 0 ? `${count}, +${added}` : String(count)
    return {
      what: `${t(`mail.alert.${label}`)} (${counted})`,
      since: formatMoment(language, new Date(since), shop.timeZone),
    }
  })
  return { is: 'matters', lines }
}

/** Number and moment of the seal, and its hash in halves that a phone shows whole. */
function sealLines({ language, shop }: Letter, { number, hash, at }: MailSeal): Block {
  const moment = formatMoment(language, new Date(at), shop.timeZone)
  return { is: 'facts', lines: [`${number}: ${moment}`, hash.slice(0, 32), hash.slice(32)] }
}

/** Each sum with how it was, and the way to the page. */
function reportBlocks({ compared, lines, link }: MailReport, t: Translate): Block[] {
  return [
    {
      is: 'goods',
      lines: lines.map(({ name, value, before, change }) => ({
        name: oneLine(name),
        detail: [before === null ? '' : t('console.home.before', { value: before }), change ?? '']
          .filter((part) => part !== '')
          .join(' · '),
        amount: value,
        cid: null,
      })),
      sums: [],
    },
    ...(compared === null
      ? []
      : [{ is: 'small', text: t('mail.report.compared', { days: compared }) } as const]),
    { is: 'button', label: t('mail.report.button'), href: link },
  ]
}

/** First what is wrong with records and money, then what keeps everybody from being served, then what waits for somebody. */
const HEAVY: readonly AlertLabel[] = [
  'broken_promises',
  'keys_missing',
  'payments_wait',
  'refunds_refused',
  'no_worker',
  'disk',
  'clock',
  'dead_jobs',
  'settings',
  'late',
  'mails_wait',
  'rates_held',
  'rates_stale',
  'disputes',
  'to_clarify',
]

function weightOf({ label }: { readonly label: AlertLabel }): number {
  const place = HEAVY.indexOf(label)
  return place < 0 ? HEAVY.length : place
}

function alarmBlocks(letter: Letter, t: Translate): Block[] {
  const { browser, system, network, name } = letter.params
  const lines = [
    ...(name ? [name] : []),
    t('mail.when', { moment: formatMoment(letter.language, letter.at, letter.shop.timeZone) }),
    ...(browser && system ? [t('mail.device', { browser, system })] : []),
    ...(network ? [t('mail.network', { network })] : []),
  ]
  const toSupport = ALARM_TO_SUPPORT.has(letter.kind)
  return [
    { is: 'facts', lines: lines.map(oneLine) },
    { is: 'small', text: t(toSupport ? 'mail.notYouSupport' : 'mail.notYou') },
    toSupport
      ? { is: 'button', label: t('mail.support'), href: pageOf(letter, '/support') }
      : { is: 'button', label: t('mail.notYouButton'), href: pageOf(letter, '/reset-password') },
  ]
}

function proofBlocks(letter: Letter, t: Translate): Block[] {
  const { kind, code, link } = letter
  const blocks: Block[] = []
  if (code)
    blocks.push(
      { is: 'code', code },
      {
        is: 'small',
        text: `${t('mail.codeLasts', { minutes: CODE_MINUTES })} ${t('mail.keepCode')}`,
      },
    )
  if (link) {
    if (code) blocks.push({ is: 'text', text: t('mail.linkInstead') })
    blocks.push({ is: 'button', label: buttonLabel(kind, t), href: link })
    blocks.push(
      { is: 'address', text: t('mail.copyLink'), href: link },
      { is: 'small', text: linkLasts(letter, t) },
    )
  }
  if (code) blocks.push({ is: 'small', text: t('mail.ignore') })
  return blocks
}

function linkLasts({ kind, language, eraseAt, shop }: Letter, t: Translate): string {
  const lasts = proofOf(kind)?.lasts ?? 'erasure'
  if (lasts === 'erasure')
    return t('mail.linkLastsUntil', {
      date: eraseAt ? formatDate(language, eraseAt, shop.timeZone) : '',
    })
  const minutes = lasts / 60
  return minutes < 60
    ? t('mail.linkLastsMinutes', { minutes })
    : t('mail.linkLastsHours', { hours: minutes / 60 })
}

/** A way on for mails that need no code. */
function plainButton(letter: Letter, t: Translate): Block[] {
  switch (letter.kind) {
    case 'register_known':
    case 'cancellation_undone':
      return [
        { is: 'button', label: buttonLabel(letter.kind, t), href: pageOf(letter, '/login') },
        ...(letter.kind === 'register_known'
          ? [{ is: 'small', text: t('mail.ignore') } as const]
          : []),
      ]
    default:
      return []
  }
}

function buttonLabel(kind: MailKind, t: Translate): string {
  switch (kind) {
    case 'register_code':
    case 'register_known':
    case 'reset_code':
    case 'mailbox_frozen':
    case 'account_cancelling':
    case 'sign_in_while_cancelling':
    case 'cancellation_undone':
    case 'operator_invited':
      return t(`mail.${kind}.button`)
    default:
      return ''
  }
}

function pageOf({ shop, language }: Letter, path: string): string {
  return `${shop.publicUrl}${getLanguage(language).prefix}${path}`
}

/** No line of a mail, its subject least of all, is broken by a value put into it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
