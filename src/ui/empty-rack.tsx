/** A rail without cards, and who sleeps under it; the theme colours the room. */
export function EmptyRack() {
  return (
    <svg viewBox="0 0 640 360" width="320" height="180" fill="none" aria-hidden="true">
      <path fill="var(--scene-ground)" d="M0 0h640v360H0z" />
      <path fill="var(--scene-floor)" d="M0 300h640v60H0z" />
      <g fill="var(--scene-ink)">
        <path d="M110 0h8v66h-8zM522 0h8v66h-8z" />
        <rect x="70" y="62" width="500" height="10" rx="5" />
      </g>
      <g strokeLinecap="round" strokeLinejoin="round">
        <path
          stroke="var(--scene-ink)"
          strokeWidth="5"
          d="M190 70v22q0 12 11 12M320 70v22q0 12 11 12M450 70v22q0 12 11 12"
        />
        <ellipse fill="var(--scene-shade)" cx="322" cy="318" rx="132" ry="16" />
        <path
          fill="var(--scene-ink)"
          d="M218 316C206 262 258 232 312 240C336 226 372 230 386 246L392 222L412 240Q424 238 434 240L452 222L456 252Q466 272 452 290Q440 304 420 304Q424 316 404 318H240Q224 318 218 316Z"
        />
        <path stroke="var(--scene-ink)" strokeWidth="14" d="M226 304C176 310 168 262 196 254" />
        <path
          stroke="var(--scene-ground)"
          strokeWidth="3.5"
          d="M412 270Q418 276 424 270M436 270Q442 276 448 270"
        />
        <path stroke="#ffd321" strokeWidth="7" d="M392 292Q404 304 420 304" />
      </g>
      <path fill="#ff5a4e" d="M426 282H436L431 288Z" />
      <circle fill="#ffd321" cx="408" cy="306" r="7" />
      <path stroke="#87938f" strokeWidth="4" strokeDasharray="12 9" d={GHOSTS} />
    </svg>
  )
}

/** Where cards would hang. */
const GHOSTS = [146, 276, 406]
  .map((x) => `M${x + 10} 110h68q10 0 10 10v98q0 10-10 10h-68q-10 0-10-10v-98q0-10 10-10z`)
  .join('')
