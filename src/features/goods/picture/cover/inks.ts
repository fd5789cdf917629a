import { contrast, labDistance } from './colour.ts'

/** The spot inks of the rack: what makes hundreds of covers one collection. A brand's colour is snapped to one of them. */
export const INKS = {
  night: '#10182e',
  navy: '#17326f',
  cobalt: '#1b50d2',
  indigo: '#4b55e0',
  azure: '#2f9bf2',
  sky: '#8cd2ff',
  ice: '#dbf0fa',
  ink: '#15151a',
  graphite: '#3b3e48',
  fog: '#c8cdd6',
  paper: '#fbf6ea',
  white: '#ffffff',
  pine: '#0a3b2f',
  green: '#0b7c43',
  leaf: '#22b559',
  lime: '#8fe03a',
  mint: '#9de7c3',
  teal: '#086f78',
  aqua: '#35c8cb',
  olive: '#4b5a2b',
  khaki: '#bdb274',
  wine: '#5c0f27',
  red: '#db1f2c',
  coral: '#ff5a4e',
  rose: '#ff8ca6',
  pink: '#de1f7c',
  blush: '#ffd6d2',
  plum: '#321259',
  violet: '#6c38db',
  lilac: '#b79cff',
  orange: '#f6771b',
  amber: '#ffaa20',
  yellow: '#ffd321',
  butter: '#ffe9a0',
  sand: '#ead3a8',
  gold: '#c8942c',
  brown: '#56301a',
  clay: '#b4522b',
} as const
export type InkName = keyof typeof INKS
export const INK_NAMES = Object.keys(INKS) as [InkName, ...InkName[]]

/** Ground, main shape, second tone, accent. */
export type Inks = readonly [InkName, InkName, InkName, InkName]

/** What each ground is printed with: main, second and accent, tried by eye. */
export const COMPANIONS = {
  navy: ['sky azure paper', 'rose pink butter', 'red wine paper'],
  cobalt: ['paper sky yellow', 'yellow red paper'],
  indigo: ['paper pink rose', 'lilac night yellow', 'coral navy paper'],
  azure: ['navy coral yellow', 'paper night yellow'],
  sky: ['paper cobalt amber', 'clay navy white'],
  ice: ['navy azure amber', 'teal aqua graphite'],
  ink: ['lime green butter', 'orange sand yellow', 'red wine paper', 'aqua coral paper'],
  graphite: ['fog sand leaf', 'amber paper orange'],
  paper: ['red ink amber', 'orange clay ink', 'cobalt navy amber'],
  pine: ['sand khaki paper', 'mint leaf butter'],
  green: ['pine coral yellow', 'paper mint ink'],
  leaf: ['paper pine orange', 'ink graphite paper'],
  mint: ['pine green paper', 'red navy paper'],
  teal: ['sand night aqua', 'paper fog amber'],
  aqua: ['paper pine butter', 'navy night yellow'],
  olive: ['fog khaki ink', 'sand orange yellow'],
  wine: ['sand gold amber', 'coral red amber'],
  red: ['paper wine amber', 'amber wine butter'],
  coral: ['paper wine ink', 'ink wine paper'],
  rose: ['night plum amber', 'paper wine red'],
  pink: ['white plum amber'],
  plum: ['lilac violet yellow', 'coral gold butter'],
  violet: ['sky navy yellow', 'lilac amber paper', 'aqua plum paper'],
  orange: ['paper wine ink', 'graphite ink amber'],
  amber: ['graphite ink orange', 'paper clay ink', 'clay night paper'],
  yellow: ['ink gold clay', 'violet plum paper', 'navy cobalt paper'],
  butter: ['coral wine orange', 'cobalt leaf red'],
  sand: ['brown graphite red', 'cobalt navy red'],
  brown: ['gold clay butter'],
  clay: ['sand brown yellow'],
} as const satisfies Partial<Record<InkName, readonly string[]>>
export type GroundInk = keyof typeof COMPANIONS
export const GROUND_INKS = Object.keys(COMPANIONS) as [GroundInk, ...GroundInk[]]

export function inksOn(ground: GroundInk, choice: number): Inks {
  const offered: readonly string[] = COMPANIONS[ground]
  const [main, second, accent] = (offered[choice % offered.length] ?? '').split(' ') as [
    InkName,
    InkName,
    InkName,
  ]
  return [ground, main, second, accent]
}

/** Grounds from the nearest to a brand's colour to the farthest. */
export function groundsNear(color: string): GroundInk[] {
  const distance = new Map(GROUND_INKS.map((ink) => [ink, labDistance(INKS[ink], color)]))
  return [...GROUND_INKS].sort((a, b) => (distance.get(a) ?? 0) - (distance.get(b) ?? 0))
}

/** WCAG's figure for text of any size. */
export const READABLE = 4.5

/** The ink that lettering takes on a colour: of the cover's own if one reads, else paper or black. */
export function inkOn(behind: string, [, main, , accent]: Inks): InkName {
  const figure = (ink: InkName) => contrast(INKS[ink], behind)
  const own = ([accent, main, 'paper', 'ink'] as const).filter((ink) => figure(ink) >= READABLE)
  return (
    own.sort((a, b) => Number(figure(b) > 7) - Number(figure(a) > 7))[0] ??
    (figure('white') > figure('ink') ? 'white' : 'ink')
  )
}
