import type { ReactNode } from 'react'
import { GUIDE_STEPS, isGuideStep } from '#features/office/guide/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { Logo } from '#ui/logo.tsx'
import { refreshPage } from '../browser/navigation.ts'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH, NAVIGATION, type NavEntry, type NavGroup } from '../routes.ts'
import { useT } from '../words.tsx'
import { TopBar } from './top-bar.tsx'

export interface FrameProps {
  readonly frame: FrameData
  /** Name of the page that is open. */
  readonly current: string
  /** Path and query below `/console`. */
  readonly address: string
  /** Rows of the page have changed elsewhere and wait to be shown. */
  readonly isStale: boolean
  readonly children: ReactNode
}

const DRAWER = 'con-drawer'
/** What the bar at the foot of a phone holds; the rest is in the drawer. */
const IN_BAR = 4

/** Rail, top bar, and on a phone the bar at the foot, around a page. */
export function Frame({ frame, current, address, isStale, children }: FrameProps) {
  const t = useT()
  const groups = readableGroups(frame)
  return (
    <>
      <div popover="auto" id={DRAWER} className="drawer con-drawer">
        <nav aria-label={t('console.menu')}>
          <Groups frame={frame} groups={groups} current={current} />
        </nav>
      </div>
      <div className="con">
        <nav className="con-nav" aria-label={t('console.name')}>
          <div>
            <div className="top">
              <Logo href={CONSOLE_PATH} label={frame.shopName} name={frame.shopName} />
              {frame.isDemo && (
                <span className="env" title={t('console.demoHint')}>
                  {t('console.demo')}
                </span>
              )}
            </div>
            <Groups frame={frame} groups={groups} current={current} />
            <p className="foot">
              <span>{frame.shopTime}</span>
            </p>
          </div>
        </nav>
        <div>
          <TopBar frame={frame} drawer={DRAWER} />
          <main id="main" className="stack" tabIndex={-1}>
            {current !== 'guide' && <BackToGuide address={address} />}
            {children}
          </main>
          <div className="live" role="status">
            {isStale && (
              <button type="button" className="btn solid sm" onClick={refreshPage}>
                {t('console.live.new')}
              </button>
            )}
          </div>
        </div>
      </div>
      <nav className="con-tabs" aria-label={t('console.sections')}>
        {groups
          .flatMap(({ entries }) => entries)
          .slice(0, IN_BAR)
          .map((entry) => (
            <Entry key={entry.page} frame={frame} entry={entry} current={current} pip />
          ))}
        <button type="button" popoverTarget={DRAWER}>
          <Icon name="menu" />
          {t('console.more')}
        </button>
      </nav>
    </>
  )
}

/** Whoever came from a step of the setup guide is led back to it. */
function BackToGuide({ address }: { readonly address: string }) {
  const t = useT()
  const step = new URLSearchParams(address.split('?')[1]).get('guide')
  if (!isGuideStep(step)) return null
  return (
    <p className="back-guide">
      <a className="btn edge sm" href={`${CONSOLE_PATH}/guide?step=${step}`}>
        <Icon name="left" className="flip" />
        {t('console.guide.back', {
          step: GUIDE_STEPS.indexOf(step) + 1,
          all: GUIDE_STEPS.length,
        })}
      </a>{' '}
      <span className="muted small">{t(`console.guide.step.${step}`)}</span>
    </p>
  )
}

/** What the operator's role may read; a group without entries goes. */
function readableGroups({ readable }: FrameData): readonly NavGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    entries: group.entries.filter(({ page }) => readable.includes(page)),
  })).filter(({ entries }) => entries.length > 0)
}

function Groups({
  frame,
  groups,
  current,
}: {
  readonly frame: FrameData
  readonly groups: readonly NavGroup[]
  readonly current: string
}) {
  const t = useT()
  return groups.map(({ name, entries }) => (
    <div key={name}>
      {name !== 'top' && <p className="grp">{t(`console.nav.${name}`)}</p>}
      {entries.map((entry) => (
        <Entry key={entry.page} frame={frame} entry={entry} current={current} />
      ))}
    </div>
  ))
}

function Entry({
  frame,
  entry: { page, path, icon },
  current,
  pip = false,
}: {
  readonly frame: FrameData
  readonly entry: NavEntry
  readonly current: string
  readonly pip?: boolean
}) {
  const t = useT()
  const counted = frame.counts[page]
  const numbers = pip ? 'pip' : counted?.isLate ? 'n num act' : 'n num'
  return (
    <a
      href={CONSOLE_PATH + (path === '/' ? '' : path)}
      aria-current={isUnder(page, current) ? 'page' : undefined}
    >
      <Icon name={icon} />
      {t(`console.${page as 'home'}.nav`)}
      {counted && counted.count > 0 && <span className={numbers}>{counted.count}</span>}
    </a>
  )
}

/** Pages that stand under an entry whose name theirs is not part of. */
const UNDER: Readonly<Record<string, string>> = {
  lists: 'products',
  'list-entry': 'products',
  'list-new': 'products',
  shelf: 'keys',
  batch: 'keys',
  reviews: 'cases',
  templates: 'cases',
  'payment-service': 'money',
  'payment-method': 'money',
}

/** A thing's own page stands under its list. */
const isUnder = (page: string, current: string) =>
  page === current || page === `${current}s` || page === UNDER[current]
