import type { MotifData } from '../motif.ts'

/** Scenes that fill the field. */
export const field = {
  'app-grid': {
    box: [4, 4, 94, 94],
    art: '<rect fill="$2" x="4" y="4" width="19" height="19" rx="5"/><rect fill="$3" x="29" y="4" width="19" height="19" rx="5"/><rect fill="$4" x="54" y="4" width="19" height="19" rx="5"/><rect fill="$2" x="79" y="4" width="19" height="19" rx="5"/><rect fill="$4" x="4" y="29" width="19" height="19" rx="5"/><rect fill="$2" x="29" y="29" width="19" height="19" rx="5"/><rect fill="$3" x="54" y="29" width="19" height="19" rx="5"/><rect fill="$4" x="79" y="29" width="19" height="19" rx="5"/><rect fill="$3" x="4" y="54" width="19" height="19" rx="5"/><rect fill="$4" x="29" y="54" width="19" height="19" rx="5"/><g transform="rotate(18 63 63)"><rect fill="$3" x="59" y="60" width="19" height="19" rx="5"/><rect fill="$4" x="54" y="54" width="19" height="19" rx="5"/><path fill="none" stroke="$1" stroke-width="3" d="M63.5 59V67M59.5 64L63.5 68L67.5 64"/></g><rect fill="$3" x="79" y="54" width="19" height="19" rx="5"/><rect fill="$2" x="4" y="79" width="19" height="19" rx="5"/><rect fill="$3" x="29" y="79" width="19" height="19" rx="5"/><rect fill="$4" x="54" y="79" width="19" height="19" rx="5"/><rect fill="$2" x="79" y="79" width="19" height="19" rx="5"/>',
  },
  'drop-pods': {
    box: [-8, -50, 116, 200],
    art: '<circle fill="$3" cx="50" cy="124" r="58"/><path fill="$2" d="M0 96A58 58 0 0 1 50 66Q22 84 34 108Z"/><g transform="translate(20 40) scale(1.1)"><path fill="$4" d="M-5 -8L0 -60L5 -8Z"/><path fill="$2" d="M-8 -8H8L6 12L0 22L-6 12Z"/><path fill="$3" d="M0 -8H8L6 12L0 22Z"/><rect fill="$4" x="-8" y="-4" width="16" height="4"/></g><g transform="translate(52 22) scale(1.4)"><path fill="$4" d="M-5 -8L0 -60L5 -8Z"/><path fill="$2" d="M-8 -8H8L6 12L0 22L-6 12Z"/><path fill="$3" d="M0 -8H8L6 12L0 22Z"/><rect fill="$4" x="-8" y="-4" width="16" height="4"/></g><g transform="translate(84 50) scale(1)"><path fill="$4" d="M-5 -8L0 -60L5 -8Z"/><path fill="$2" d="M-8 -8H8L6 12L0 22L-6 12Z"/><path fill="$3" d="M0 -8H8L6 12L0 22Z"/><rect fill="$4" x="-8" y="-4" width="16" height="4"/></g>',
  },
  'goal-net': {
    box: [3, 11, 94, 102],
    art: '<g fill="none"><path stroke="$3" stroke-width="1.8" d="M6 17V104M6 24H94"/><path stroke="$3" stroke-width="1.8" d="M17 17V104M6 35H94"/><path stroke="$3" stroke-width="1.8" d="M28 17V104M6 46H94"/><path stroke="$3" stroke-width="1.8" d="M39 17V104M6 57H94"/><path stroke="$3" stroke-width="1.8" d="M50 17V104M6 68H94"/><path stroke="$3" stroke-width="1.8" d="M61 17V104M6 79H94"/><path stroke="$3" stroke-width="1.8" d="M72 17V104M6 90H94"/><path stroke="$3" stroke-width="1.8" d="M83 17V104M6 101H94"/><path stroke="$3" stroke-width="1.8" d="M94 17V104M6 112H94"/></g><path fill="$3" d="M58 46L78 40L92 56L84 76L62 76L52 60Z"/><path fill="none" stroke="$2" stroke-width="6" d="M6 104V14H94V104"/><circle fill="$4" cx="70" cy="60" r="20"/><path fill="$1" d="M70 51L74.3 54.1L78.6 57.2L76.9 62.3L75.3 67.3L70 67.3L64.7 67.3L63.1 62.3L61.4 57.2L65.7 54.1Z"/><path fill="none" stroke="$1" stroke-width="3" d="M70 51V42M61.5 57L52 55M78.5 57L88 55M65 67L60 76M75 67L80 76"/>',
  },
  headlights: {
    box: [-6, 10, 112, 90],
    art: '<path fill="$3" d="M0 62L24 74L20 100H0ZM100 62L76 74L80 100H100Z"/><path fill="$4" d="M-6 100L23 66H33L44 100ZM106 100L77 66H67L56 100Z"/><path fill="$2" d="M22 40Q24 20 50 20T78 40L88 50V76H12V50Z"/><path fill="$1" d="M29 40Q31 27 50 27T71 40Z"/><rect fill="$3" x="36" y="58" width="28" height="10" rx="2"/><rect fill="$2" x="40" y="10" width="20" height="9" rx="2"/><g fill="$4"><circle cx="25" cy="59" r="7"/><circle cx="75" cy="59" r="7"/></g><g fill="$3"><rect x="14" y="76" width="14" height="9" rx="2"/><rect x="72" y="76" width="14" height="9" rx="2"/></g>',
  },
  'palm-sunset': {
    box: [-6, 6, 108, 98],
    art: '<circle fill="$4" cx="50" cy="56" r="34"/><g fill="$1"><rect x="0" y="58" width="100" height="2"/><rect x="0" y="67" width="100" height="3"/><rect x="0" y="76" width="100" height="4"/><rect x="0" y="85" width="100" height="5"/></g><path fill="$3" d="M-2 88H102V104H-2Z"/><path fill="none" stroke="$2" stroke-width="5" d="M30 94C36 66 34 48 26 30" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M26 32C10 18 -2 26 -6 40C6 32 16 32 26 32C14 40 8 52 12 62C16 48 20 40 26 32C34 42 44 46 46 60C52 46 42 36 26 32C40 30 50 32 56 42C56 26 42 20 26 32C32 18 28 10 16 6C20 16 20 22 26 32Z"/><path fill="none" stroke="$2" stroke-width="3.5" d="M78 94C76 78 78 70 84 58" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M84 60C76 50 68 54 66 62C72 58 78 58 84 60C78 64 76 70 78 76C80 70 82 66 84 60C92 62 96 68 96 74C102 64 94 58 84 60C88 52 96 50 100 54C98 46 88 48 84 60Z"/>',
  },
  periscope: {
    box: [-2, 12, 104, 92],
    art: '<circle fill="$4" cx="22" cy="26" r="13"/><path fill="$2" d="M44 74V34H38V12H66A4 4 0 0 1 70 16V30A4 4 0 0 1 66 34H58V74Z"/><rect fill="$3" x="70" y="13" width="7" height="20" rx="2"/><rect fill="$1" x="44" y="18" width="18" height="10" rx="5"/><g fill="$3"><circle cx="53" cy="23" r="4"/><rect x="44" y="40" width="14" height="5"/><path d="M-2 66Q10 56 24 66T50 66T76 66T102 64V104H-2Z"/></g><path fill="$2" d="M-2 82Q10 74 24 82T50 82T76 82T102 80V104H-2Z"/><path fill="none" stroke="$4" stroke-width="2.6" d="M30 59Q38 52 40 58M62 58Q66 52 74 58" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  pitch: {
    box: [-17.5, -39, 135, 178],
    art: '<rect fill="$3" x="-10" y="-10" width="120" height="24"/><rect fill="$2" x="-10" y="14" width="120" height="24"/><rect fill="$3" x="-10" y="38" width="120" height="24"/><rect fill="$2" x="-10" y="62" width="120" height="24"/><rect fill="$3" x="-10" y="86" width="120" height="24"/><g transform="rotate(-16 50 50)"><g fill="none"><path stroke="$4" stroke-width="2.4" d="M-20 50H120M8 -30V130M92 -30V130M30 132V104H70V132M30 -32V-6H70V-32"/><circle stroke="$4" stroke-width="2.4" cx="50" cy="50" r="22"/></g></g><circle fill="$1" cx="66" cy="38" r="12"/><path fill="$4" d="M66 32L68.9 34L71.7 36.1L70.7 39.5L69.5 42.9L66 42.9L62.5 42.9L61.3 39.5L60.3 36.1L63.1 34Z"/><path fill="none" stroke="$4" stroke-width="2.4" d="M66 32V26M60 36L54.6 35M72 36L77.4 35M62.4 43L59 48M69.6 43L73 48"/>',
  },
  rift: {
    box: [-2, -2, 104, 104],
    art: '<path fill="$2" d="M-2 -2H60L48 20L58 36L40 58L50 74L38 102H-2Z"/><g fill="$3"><path d="M-2 30L22 20L40 58L50 74L38 102H-2Z"/><path d="M102 -2H70L60 22L70 38L52 60L62 76L52 102H102Z"/></g><path fill="$2" d="M102 40L84 30L52 60L62 76L52 102H102Z"/><path fill="$4" d="M63 -2H67L56 21L65 37L47 59L57 75L46 102H43L53 75L44 59L61 37L52 21Z"/>',
  },
  'skyline-swing': {
    box: [-2, 26, 104, 78],
    art: '<path fill="$3" d="M-2 104V46H18V62H32V104ZM68 104V26H84V46H102V104Z"/><path fill="$2" d="M22 104V70H44V82H56V64H74V104Z"/><g fill="$4"><rect x="4" y="54" width="4" height="5"/><rect x="4" y="68" width="4" height="5"/><rect x="76" y="36" width="4" height="5"/><rect x="76" y="52" width="4" height="5"/><rect x="30" y="78" width="4" height="5"/><rect x="62" y="72" width="4" height="5"/><rect x="90" y="60" width="4" height="5"/><rect x="10" y="82" width="4" height="5"/></g><g fill="none"><path stroke="$4" stroke-width="2" d="M70 27L34 58"/><path stroke="$4" stroke-width="2" d="M34 58C24 58 14 54 8 44" stroke-dasharray="4 4"/><path stroke="$4" stroke-width="2" d="M34 58C44 58 54 54 60 46" stroke-dasharray="4 4"/></g><circle fill="$4" cx="34" cy="58" r="5"/>',
  },
  summit: {
    box: [-24, 4, 154, 100],
    art: '<circle fill="$4" cx="72" cy="28" r="13"/><path fill="$3" d="M40 104L84 44L130 104Z"/><path fill="$2" d="M-24 104L40 24L100 104Z"/><path fill="$4" d="M40 24L58 48L48 46L42 56L34 46L22 47Z"/><path fill="$3" d="M40 24L100 104H62L50 62L58 48Z"/><path fill="$4" d="M40 24L58 48L48 46Z"/><path fill="none" stroke="$4" stroke-width="2.4" d="M40 26V4"/><path fill="$4" d="M40 4L58 9L40 15Z"/>',
  },
  surfboard: {
    box: [-2, 3, 104, 99],
    art: '<circle fill="$4" cx="70" cy="26" r="18"/><g transform="rotate(20 44 46)"><path fill="$2" d="M44 0C62 20 64 66 44 96C24 66 26 20 44 0Z"/><path fill="none" stroke="$4" stroke-width="3" d="M44 2V94"/><path fill="$3" d="M28 46H60V56H28Z"/></g><path fill="$3" d="M-2 76Q12 62 25 74T50 74T75 74T102 72V102H-2Z"/><path fill="$2" d="M-2 88Q12 76 25 87T50 87T75 87T102 85V102H-2Z"/>',
  },
  'three-lanes': {
    box: [-4, -4, 108, 108],
    art: '<rect fill="$2" x="-2" y="-2" width="104" height="104"/><path fill="$1" d="M-4 22L78 104H104V94L6 -4H-4Z"/><path fill="none" stroke="$4" stroke-width="4" d="M10 94V10H90M10 94H90V10M12 92L88 12" stroke-linecap="round" stroke-linejoin="round"/><g fill="$3"><rect x="0" y="84" width="20" height="20" rx="4"/><rect x="80" y="-2" width="20" height="20" rx="4"/></g><g fill="$4"><circle cx="10" cy="94" r="5"/><circle cx="90" cy="8" r="5"/></g><g fill="$3"><circle cx="34" cy="30" r="6"/><circle cx="30" cy="56" r="7"/><circle cx="70" cy="44" r="7"/><circle cx="64" cy="74" r="6"/></g>',
  },
  'wall-hole': {
    box: [-14, -2, 146, 103],
    art: '<path fill="$2" d="M13 -2h25v13h-25ZM40 -2h25v13h-25ZM94 -2h25v13h-25ZM-1 13h25v13h-25ZM26 13h25v13h-25ZM80 13h25v13h-25ZM107 13h25v13h-25ZM-14 28h25v13h-25ZM40 28h25v13h-25ZM67 28h25v13h-25ZM26 43h25v13h-25ZM53 43h25v13h-25ZM107 43h25v13h-25ZM-14 58h25v13h-25ZM13 58h25v13h-25ZM67 58h25v13h-25ZM94 58h25v13h-25ZM-1 73h25v13h-25ZM53 73h25v13h-25ZM80 73h25v13h-25ZM13 88h25v13h-25ZM40 88h25v13h-25ZM94 88h25v13h-25Z"/><path fill="$3" d="M-14 -2h25v13h-25ZM67 -2h25v13h-25ZM53 13h25v13h-25ZM13 28h25v13h-25ZM94 28h25v13h-25ZM-1 43h25v13h-25ZM80 43h25v13h-25ZM40 58h25v13h-25ZM26 73h25v13h-25ZM107 73h25v13h-25ZM-14 88h25v13h-25ZM67 88h25v13h-25Z"/><path fill="$4" d="M34 22L50 14L68 24L76 44L70 62L76 78L58 90L38 84L24 68L30 48Z"/><path fill="$1" d="M40 28L52 22L64 30L70 46L64 62L68 74L56 82L42 76L32 64L38 48Z"/>',
  },
} as const satisfies Record<string, MotifData>
