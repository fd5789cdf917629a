import type { ReactNode } from 'react'

export type SceneName = 'shopcar' | 'order' | 'collect' | 'notice' | '404' | 'search' | 'default'

/** A rail with three hooks and one object; colours come from the theme. */
export function Scene({ name }: { name: SceneName }) {
  return (
    <svg
      viewBox="0 0 320 200"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <g stroke="var(--line-strong)">
        <path d="M8 30h304" strokeWidth="5" />
        <path d="M70 30v16M160 30v16M250 30v16" strokeWidth="4" strokeLinecap="butt" />
        <path d="M70 48h.01M160 48h.01M250 48h.01" strokeWidth="7" />
        {name === '404' ? null : (
          <path d={GHOSTS} strokeWidth="2.5" strokeDasharray="6 7" strokeLinecap="butt" />
        )}
      </g>
      {OBJECTS[name]}
    </svg>
  )
}

const YELLOW = '#ffd21f'
const WHITE = 'var(--surface)'
const INK = 'currentColor'

/** Where two more cards would hang. */
const GHOSTS =
  'M48 50h44a9 9 0 0 1 9 9v64a9 9 0 0 1-9 9H48a9 9 0 0 1-9-9V59a9 9 0 0 1 9-9ZM228 50h44a9 9 0 0 1 9 9v64a9 9 0 0 1-9 9h-44a9 9 0 0 1-9-9V59a9 9 0 0 1 9-9Z'

const CARD =
  'M118 36h84a12 12 0 0 1 12 12v110a12 12 0 0 1-12 12h-84a12 12 0 0 1-12-12V48a12 12 0 0 1 12-12Zm30 10a6 6 0 0 0 0 12h24a6 6 0 0 0 0-12h-4a8 8 0 0 0-16 0Z'

const FOUR_O_FOUR =
  'M30.6 106.6V153.4H96.9M96.9 106.6V181.4M126.9 135.4C126.9 119.5 139.8 106.6 155.7 106.6H164.3C180.2 106.6 193.1 119.5 193.1 135.4V152.6C193.1 168.5 180.2 181.4 164.3 181.4H155.7C139.8 181.4 126.9 168.5 126.9 152.6ZM223.1 106.6V153.4H289.4M289.4 106.6V181.4'

function card(fill: string): ReactNode {
  return <path fillRule="evenodd" d={CARD} fill={fill} stroke={INK} />
}

const OBJECTS: Record<SceneName, ReactNode> = {
  shopcar: (
    <>
      <path d="M112 92h96l-10 70a8 8 0 0 1-8 7h-60a8 8 0 0 1-8-7Z" fill={YELLOW} stroke={INK} />
      <path d="M132 92c0-30 10-44 28-44s28 14 28 44" stroke={INK} strokeLinecap="butt" />
      <path d="M140 112v34M160 112v34M180 112v34" stroke={INK} />
    </>
  ),
  order: (
    <>
      <path
        d="M116 40h88v136l-11-9-11 9-11-9-11 9-11-9-11 9-11-9-11 9Z"
        fill={WHITE}
        stroke={INK}
      />
      <rect x="148" y="46" width="24" height="9" rx="4.5" fill="var(--line-strong)" />
      <path d="M132 78h36M132 96h56M132 114h48" stroke={INK} />
      <rect x="132" y="130" width="56" height="16" rx="4" fill={YELLOW} />
    </>
  ),
  collect: (
    <>
      {card(YELLOW)}
      <path
        d="M160 146c-26-16-32-29-32-39a16 16 0 0 1 32-5 16 16 0 0 1 32 5c0 10-6 23-32 39Z"
        fill={WHITE}
        stroke={INK}
      />
    </>
  ),
  notice: (
    <>
      <path
        d="M160 48c-30 0-42 22-42 48v36l-14 18h112l-14-18V96c0-26-12-48-42-48Z"
        fill={YELLOW}
        stroke={INK}
      />
      <path d="M146 152a14 14 0 0 0 28 0" fill={WHITE} stroke={INK} strokeLinecap="butt" />
      <path d="M136 106h20M136 122h34" stroke={INK} />
    </>
  ),
  404: (
    <>
      <path d={FOUR_O_FOUR} stroke={INK} strokeWidth="21.1" strokeLinecap="square" />
      <g transform="translate(210 118) rotate(16 160 110) scale(.72) translate(-160 -110)">
        {card(YELLOW)}
        <path d="M130 84h60M130 102h40" stroke="#171300" strokeWidth="5" />
      </g>
    </>
  ),
  search: (
    <>
      {card(WHITE)}
      <circle cx="154" cy="106" r="26" fill={YELLOW} stroke={INK} />
      <path d="m173 126 20 21" stroke={INK} strokeWidth="7" />
    </>
  ),
  default: (
    <>
      {card(YELLOW)}
      <path d="M128 84h64M128 102h44M128 146h24" stroke={INK} />
    </>
  ),
}
