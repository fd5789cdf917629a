import type { MotifData } from '../motif.ts'

/** Objects with a full outline. */
export const objectsHToZ = {
  hanger: {
    box: [2, 9.5, 96, 90.5],
    art: '<g fill="none"><path stroke="$4" stroke-width="5" d="M50 38V32C62 30 62 12 50 12C42 12 40 18 40 22" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$2" stroke-width="8" d="M50 40L94 72H6Z" stroke-linecap="round" stroke-linejoin="round"/></g><path fill="$3" d="M28 68H72L82 100H18Z"/><path fill="$1" d="M42 68H58L50 80Z"/>',
  },
  'hard-hat': {
    box: [0, 8, 100, 88],
    art: '<path fill="$2" d="M10 62A40 44 0 0 1 90 62Z"/><path fill="$3" d="M66 22A44 44 0 0 1 90 62H70C72 46 70 34 66 22Z"/><rect fill="$4" x="40" y="8" width="20" height="54" rx="8"/><rect fill="$2" x="0" y="60" width="100" height="12" rx="6"/><rect fill="$3" x="30" y="78" width="18" height="18" rx="2"/><rect fill="$4" x="52" y="78" width="18" height="18" rx="2"/><rect fill="$3" x="74" y="78" width="18" height="18" rx="2"/><rect fill="$4" x="8" y="78" width="18" height="18" rx="2"/>',
  },
  hatching: {
    box: [11.5, -1.5, 87.5, 101.5],
    art: '<path fill="$4" d="M50 2L54.8 20.8L70.6 9.5L62.1 27L81.5 28.4L63.8 36.4L77.7 50L59 44.7L60.9 64.1L50 48L39.1 64.1L41 44.7L22.3 50L36.2 36.4L18.5 28.4L37.9 27L29.4 9.5L45.2 20.8Z"/><path fill="$2" d="M12 54L24 46L36 56L50 44L64 56L76 46L88 54C90 82 74 100 50 100S10 82 12 54Z"/><path fill="$3" d="M88 54C90 82 74 100 50 100C72 90 78 66 76 46Z"/><g transform="rotate(22 82 16)"><path fill="$2" d="M60 24C62 4 78 -4 90 -2C98 4 100 14 98 26L88 20L80 30L70 20Z"/></g><g fill="$1"><circle cx="34" cy="74" r="4"/><circle cx="56" cy="82" r="5"/><circle cx="44" cy="66" r="2.5"/></g>',
  },
  'heart-orbit': {
    box: [1, 18, 99.5, 74],
    art: '<path fill="none" stroke="$4" stroke-width="5" d="M16 42A54 17 -22 0 0 88 26"/><path fill="$2" d="M50 92C20 72 8 54 12 34C16 14 40 12 50 32C60 12 84 14 88 34C92 54 80 72 50 92Z"/><path fill="$3" d="M50 32C60 12 84 14 88 34C92 54 80 72 50 92C66 72 70 46 50 32Z"/><path fill="none" stroke="$4" stroke-width="5" d="M16 42C-24 76 40 84 84 50C104 34 100 24 88 26" stroke-linecap="round" stroke-linejoin="round"/><circle fill="$4" cx="8" cy="66" r="6"/>',
  },
  helicopter: {
    box: [0, 14, 104, 74],
    art: '<rect fill="$4" x="0" y="14" width="92" height="5" rx="2.5"/><rect fill="$3" x="43" y="14" width="6" height="16"/><path fill="$2" d="M14 44A34 22 0 0 1 70 34L104 36V46L74 54Q66 74 38 74Q12 74 14 44Z"/><path fill="$4" d="M20 52A26 18 0 0 1 42 36V54Z"/><path fill="$3" d="M96 24H104V56H98Z"/><path fill="none" stroke="$3" stroke-width="4" d="M30 74V84M56 72V84M16 80L22 86H66L70 82" stroke-linecap="round" stroke-linejoin="round"/><rect fill="$3" x="52" y="44" width="10" height="10" rx="2"/>',
  },
  hoop: {
    box: [6, 0, 88, 98.5],
    art: '<rect fill="$2" x="6" y="0" width="88" height="56" rx="6"/><path fill="none" stroke="$4" stroke-width="4" d="M34 46V24H66V46"/><ellipse fill="$3" cx="50" cy="58" rx="30" ry="8"/><ellipse fill="$1" cx="50" cy="58" rx="22" ry="4.5"/><path fill="none" stroke="$4" stroke-width="3" d="M22 60L34 98M36 64L44 98M64 64L56 98M78 60L66 98M27 76H73M31 89H69"/><circle fill="$4" cx="50" cy="16" r="0"/>',
  },
  hourglass: {
    box: [14, 0, 72, 100],
    art: '<g fill="$3"><rect x="14" y="0" width="72" height="10" rx="4"/><rect x="14" y="90" width="72" height="10" rx="4"/></g><path fill="$2" d="M22 10H78C78 36 58 40 58 50S78 64 78 90H22C22 64 42 60 42 50S22 36 22 10Z"/><path fill="$4" d="M28 28H72C68 40 54 42 50 50C46 42 32 40 28 28Z"/><path fill="none" stroke="$4" stroke-width="2.5" d="M50 48V78"/><path fill="$4" d="M26 90C28 76 42 74 50 66C58 74 72 76 74 90Z"/><path fill="$1" d="M42 90L50 76L58 90Z"/>',
  },
  ingots: {
    box: [0, 10, 100, 80],
    art: '<path fill="$3" d="M40 10H60L66 34H34Z"/><path fill="$4" d="M42 13H58L59.5 19H40.5Z"/><path fill="$2" d="M23 38H43L49 62H17Z"/><path fill="$4" d="M25 41H41L42.5 47H23.5Z"/><path fill="$3" d="M57 38H77L83 62H51Z"/><path fill="$4" d="M59 41H75L76.5 47H57.5Z"/><path fill="$2" d="M6 66H26L32 90H0Z"/><path fill="$4" d="M8 69H24L25.5 75H6.5Z"/><path fill="$3" d="M40 66H60L66 90H34Z"/><path fill="$4" d="M42 69H58L59.5 75H40.5Z"/><path fill="$2" d="M74 66H94L100 90H68Z"/><path fill="$4" d="M76 69H92L93.5 75H74.5Z"/>',
  },
  kettle: {
    box: [6, 0, 93, 96],
    art: '<path fill="none" stroke="$3" stroke-width="6" d="M28 44C24 16 70 16 66 44"/><g fill="$2"><path d="M18 58Q22 40 47 40T76 58L84 92H10Z"/><path d="M70 58L88 42L96 48L80 76Z"/></g><g fill="$3"><path d="M47 40Q72 40 76 58L84 92H58Q64 60 47 40Z"/><rect x="6" y="90" width="82" height="6" rx="3"/></g><g fill="$4"><circle cx="47" cy="38" r="5"/><circle cx="84" cy="27" r="6"/><circle cx="76" cy="18" r="8"/><circle cx="90" cy="14" r="9"/><circle cx="78" cy="6" r="6"/></g>',
  },
  'keyhole-eye': {
    box: [20, 2, 60, 96],
    art: '<path fill="$2" d="M50 2A30 30 0 0 1 68 56L80 98H20L32 56A30 30 0 0 1 50 2Z"/><path fill="$4" d="M22 34Q50 8 78 34Q50 60 22 34Z"/><circle fill="$3" cx="54" cy="34" r="12"/><circle fill="$1" cx="54" cy="34" r="6"/><circle fill="$4" cx="58" cy="30" r="2.4"/>',
  },
  lanyard: {
    box: [20, 0, 60, 98],
    art: '<path fill="$3" d="M30 0H40L52 40H44ZM70 0H60L48 40H56Z"/><rect fill="$4" x="44" y="36" width="12" height="12" rx="3"/><rect fill="$2" x="20" y="46" width="60" height="52" rx="7"/><rect fill="$1" x="40" y="50" width="20" height="4" rx="2"/><circle fill="$3" cx="50" cy="70" r="10"/><path fill="$4" d="M47 64L57 70L47 76Z"/><rect fill="$3" x="32" y="86" width="36" height="5" rx="2.5"/>',
  },
  'live-phone': {
    box: [20, 0.5, 82, 89.5],
    art: '<g transform="rotate(8 46 50)"><rect fill="$2" x="24" y="4" width="46" height="84" rx="8"/><rect fill="$1" x="29" y="12" width="36" height="66" rx="2"/><g fill="$3"><circle cx="47" cy="36" r="11"/><path d="M31 78A16 26 0 0 1 63 78Z"/></g><rect fill="$4" x="33" y="16" width="14" height="7" rx="3.5"/></g><g transform="translate(82 66) scale(1.1)"><path fill="$4" d="M0 12C-10 4 -12 -4 -8 -8C-4 -11 -1 -8 0 -5C1 -8 4 -11 8 -8C12 -4 10 4 0 12Z"/></g><g transform="translate(92 40) scale(0.8)"><path fill="$3" d="M0 12C-10 4 -12 -4 -8 -8C-4 -11 -1 -8 0 -5C1 -8 4 -11 8 -8C12 -4 10 4 0 12Z"/></g><g transform="translate(80 16) scale(1.3)"><path fill="$4" d="M0 12C-10 4 -12 -4 -8 -8C-4 -11 -1 -8 0 -5C1 -8 4 -11 8 -8C12 -4 10 4 0 12Z"/></g><g transform="translate(96 6) scale(0.6)"><path fill="$3" d="M0 12C-10 4 -12 -4 -8 -8C-4 -11 -1 -8 0 -5C1 -8 4 -11 8 -8C12 -4 10 4 0 12Z"/></g>',
  },
  magnifier: {
    box: [3, 2.5, 94, 99],
    art: '<g transform="rotate(-42 50 50)"><rect fill="$3" x="43" y="76" width="14" height="40" rx="6"/><circle fill="$2" cx="50" cy="40" r="40"/><circle fill="$4" cx="50" cy="40" r="30"/></g><g fill="$1"><ellipse cx="42" cy="50" rx="7" ry="11"/><ellipse cx="40" cy="30" rx="4.5" ry="5"/><circle cx="33" cy="60" r="0"/><ellipse cx="60" cy="40" rx="5" ry="8"/><ellipse cx="61" cy="25" rx="3.4" ry="3.8"/></g>',
  },
  'map-pin': {
    box: [0, 0, 100, 102],
    art: '<path fill="$3" d="M0 56L32 44V90L0 102Z"/><path fill="$2" d="M32 44L66 56V102L32 90Z"/><path fill="$3" d="M66 56L100 44V90L66 102Z"/><path fill="none" stroke="$4" stroke-width="3" d="M8 84Q30 62 46 80T92 66" stroke-dasharray="5 4"/><path fill="$4" d="M50 72C34 48 26 40 26 24A24 24 0 0 1 74 24C74 40 66 48 50 72Z"/><circle fill="$1" cx="50" cy="24" r="10"/>',
  },
  matchbook: {
    box: [12, -8, 76, 106],
    art: '<rect fill="$4" x="20" y="24" width="6" height="50"/><ellipse fill="$2" cx="23" cy="24" rx="5.5" ry="7"/><rect fill="$4" x="30.6" y="24" width="6" height="50"/><ellipse fill="$2" cx="33.6" cy="24" rx="5.5" ry="7"/><rect fill="$4" x="41.2" y="12" width="6" height="50"/><ellipse fill="$3" cx="44.2" cy="12" rx="5.5" ry="7"/><rect fill="$4" x="51.8" y="24" width="6" height="50"/><ellipse fill="$2" cx="54.8" cy="24" rx="5.5" ry="7"/><rect fill="$4" x="62.4" y="24" width="6" height="50"/><ellipse fill="$2" cx="65.4" cy="24" rx="5.5" ry="7"/><rect fill="$4" x="73" y="24" width="6" height="50"/><g fill="$2"><ellipse cx="76" cy="24" rx="5.5" ry="7"/><path d="M41.6 -8Q52 6 44 14Q36 6 41.6 -8Z"/></g><rect fill="$3" x="12" y="54" width="76" height="44" rx="3"/><rect fill="$2" x="12" y="84" width="76" height="8"/><path fill="$4" d="M50 57L52.8 66.2L62 69L52.8 71.8L50 81L47.2 71.8L38 69L47.2 66.2Z"/>',
  },
  megaphone: {
    box: [8, 4, 86, 92],
    art: '<path fill="$2" d="M22 40L78 8V84L22 62Z"/><path fill="$3" d="M22 51H78V84L22 62Z"/><rect fill="$4" x="8" y="38" width="16" height="26" rx="4"/><path fill="$3" d="M26 64L34 96H48L42 70Z"/><rect fill="$4" x="76" y="4" width="8" height="84" rx="4"/><path fill="none" stroke="$4" stroke-width="4" d="M92 30V32M92 44V48M92 60V62" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  metronome: {
    box: [8, 6, 84, 94],
    art: '<path fill="$2" d="M36 6H64L86 94H14Z"/><path fill="$3" d="M64 6L86 94H50V6Z"/><path fill="$1" d="M42 16H58L66 66H34Z"/><path fill="none" stroke="$4" stroke-width="4" d="M50 66L78 10" stroke-linecap="round" stroke-linejoin="round"/><g transform="rotate(26 66 34)"><rect fill="$4" x="58" y="28" width="16" height="13" rx="2"/></g><rect fill="$3" x="8" y="92" width="84" height="8" rx="3"/><rect fill="$4" x="26" y="74" width="48" height="5" rx="2"/>',
  },
  'mirror-shades': {
    box: [-2.5, 24, 105, 69.5],
    art: '<path fill="none" stroke="$3" stroke-width="5" d="M0 36L14 30M100 36L86 30" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M2 28H98L94 62Q92 72 80 72H66Q56 72 54 60L52 48H48L46 60Q44 72 34 72H20Q8 72 6 62Z"/><path fill="$4" d="M8 54H14V46H20V56H26V42H33V52H38V60H42Q40 66 34 66H20Q12 66 11 60ZM58 60H62V48H68V54H74V40H81V50H86V58H89Q88 66 80 66H66Q59 66 58 60Z"/><rect fill="$3" x="2" y="24" width="96" height="8" rx="2"/><path fill="none" stroke="$4" stroke-width="2.5" d="M14 84H86M30 92H70" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  nautilus: {
    box: [4, 1.5, 92, 97],
    art: '<path fill="$4" d="M92 44C104 70 88 100 46 98L44 86Z"/><circle fill="$2" cx="48" cy="46" r="44"/><g fill="none"><path stroke="$1" stroke-width="2.6" d="M20 46L4 48M26 26L14 18M44 12L42 2M64 16L72 8M80 30L90 26M24 64L12 72M38 74L34 88M58 72L62 88"/><path stroke="$3" stroke-width="6.5" d="M90 46A35 35 0 0 0 20 46A27 27 0 0 0 74 46A20 20 0 0 0 34 46A14.5 14.5 0 0 0 63 46A9.5 9.5 0 0 0 44 46" stroke-linecap="round" stroke-linejoin="round"/></g><circle fill="$3" cx="50" cy="46" r="5"/>',
  },
  'nitro-bottle': {
    box: [0, 6.5, 87, 96],
    art: '<g transform="rotate(32 50 50)"><rect fill="$2" x="32" y="22" width="36" height="62" rx="16"/><g fill="$3"><rect x="52" y="22" width="16" height="62" rx="8"/><rect x="42" y="8" width="16" height="16" rx="2"/></g><g fill="$4"><rect x="30" y="10" width="40" height="7" rx="3"/><rect x="32" y="42" width="36" height="18"/><path d="M36 86H64L58 100L54 94L50 112L44 95L41 102Z"/></g></g><path fill="none" stroke="$3" stroke-width="4" d="M2 44H20M8 58H20M78 92V98" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  padlock: {
    box: [12, 3.5, 76, 94.5],
    art: '<path fill="none" stroke="$3" stroke-width="9" d="M28 46V30A22 22 0 0 1 72 30V46"/><rect fill="$2" x="12" y="42" width="76" height="56" rx="12"/><path fill="$3" d="M60 42H76A12 12 0 0 1 88 54V86A12 12 0 0 1 76 98H60Z"/><g fill="$1"><circle cx="34" cy="56" r="4.4"/><circle cx="50" cy="56" r="4.4"/><circle cx="66" cy="56" r="4.4"/><circle cx="34" cy="70" r="4.4"/></g><circle fill="$4" cx="50" cy="70" r="4.4"/><g fill="$1"><circle cx="66" cy="70" r="4.4"/><circle cx="34" cy="84" r="4.4"/><circle cx="50" cy="84" r="4.4"/><circle cx="66" cy="84" r="4.4"/></g>',
  },
  paintbrush: {
    box: [18.5, -11.5, 81, 115.5],
    art: '<g transform="rotate(38 50 50)"><path fill="$3" d="M45 -24H55L58 36H42Z"/><rect fill="$4" x="41" y="36" width="18" height="16" rx="2"/><path fill="$2" d="M41 52H59C66 66 62 84 50 100C38 84 34 66 41 52Z"/></g><g fill="none"><path stroke="$2" stroke-width="7" d="M22 84C36 110 84 104 96 70" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="3" d="M80 26V8M71 17H89" stroke-linecap="round" stroke-linejoin="round"/></g>',
  },
  pan: {
    box: [2, 7, 100.5, 89],
    art: '<g transform="rotate(-38 40 58)"><rect fill="$3" x="72" y="52" width="46" height="11" rx="5"/><circle fill="$2" cx="40" cy="58" r="38"/><circle fill="$3" cx="40" cy="58" r="31"/><path fill="#fff" d="M18 56C14 40 34 30 44 38C58 36 66 52 58 64C56 80 36 80 32 72C24 74 19 66 18 56Z"/><circle fill="$4" cx="40" cy="57" r="11"/></g>',
  },
  'paper-plane': {
    box: [2, 6, 96, 89.5],
    art: '<path fill="$2" d="M2 48L98 6L62 94L46 62Z"/><path fill="$3" d="M98 6L46 62L48 90L58 72Z"/><path fill="$4" d="M98 6L46 62L2 48Z"/><path fill="none" stroke="$4" stroke-width="3" d="M8 78L24 70M22 94L36 82" stroke-dasharray="4 5" stroke-linecap="round"/>',
  },
  parachute: {
    box: [4, 0, 92, 98],
    art: '<path fill="$2" d="M4 44A46 44 0 0 1 96 44Q85 36 73 44Q62 36 50 44Q38 36 27 44Q15 36 4 44Z"/><path fill="$3" d="M27 44C27 16 40 0 50 0C60 0 73 16 73 44Q62 36 50 44Q38 36 27 44Z"/><path fill="none" stroke="$4" stroke-width="2" d="M5 44L42 74M27 44L46 74M73 44L54 74M95 44L58 74"/><rect fill="$2" x="36" y="72" width="28" height="26" rx="2"/><path fill="$3" d="M36 72H64V80H36Z"/><rect fill="$4" x="46" y="72" width="8" height="26"/>',
  },
  pawns: {
    box: [2, 6, 96, 93],
    art: '<g transform="translate(24 30) scale(0.8)"><g fill="$3"><circle cx="0" cy="-14" r="15"/><path d="M-11 0H11C11 18 16 30 24 42H-24C-16 30 -11 18 -11 0Z"/><rect x="-27" y="42" width="54" height="10" rx="5"/></g><path fill="$1" d="M-20 38H20L23 42H-23Z"/></g><g transform="translate(76 30) scale(0.8)"><g fill="$4"><circle cx="0" cy="-14" r="15"/><path d="M-11 0H11C11 18 16 30 24 42H-24C-16 30 -11 18 -11 0Z"/><rect x="-27" y="42" width="54" height="10" rx="5"/></g><path fill="$1" d="M-20 38H20L23 42H-23Z"/></g><g transform="translate(50 44) scale(1.1)"><g fill="$2"><circle cx="0" cy="-14" r="15"/><path d="M-11 0H11C11 18 16 30 24 42H-24C-16 30 -11 18 -11 0Z"/><rect x="-27" y="42" width="54" height="10" rx="5"/></g><path fill="$1" d="M-20 38H20L23 42H-23Z"/></g>',
  },
  'phone-stage': {
    box: [18, 2, 64, 96],
    art: '<rect fill="$2" x="18" y="2" width="64" height="96" rx="10"/><rect fill="$1" x="24" y="10" width="52" height="78" rx="3"/><g fill="$3"><path d="M24 10H54C50 40 42 58 24 64Z"/><path d="M76 10H46C50 40 58 58 76 64Z"/></g><g fill="$4"><path d="M24 10H34C34 36 30 54 24 62ZM76 10H66C66 36 70 54 76 62Z"/><rect x="24" y="74" width="52" height="14"/><circle cx="50" cy="62" r="6"/></g><path fill="$2" d="M42 74A8 9 0 0 1 58 74Z"/><circle fill="$1" cx="50" cy="93" r="2.4"/>',
  },
  pickaxe: {
    box: [2, 0.5, 97, 95],
    art: '<g transform="rotate(38 50 50)"><rect fill="$3" x="45" y="14" width="10" height="92" rx="4"/><path fill="$2" d="M2 40Q14 2 50 0Q86 2 98 40Q76 20 50 20T2 40Z"/><path fill="$4" d="M50 0Q86 2 98 40Q76 20 50 20Z"/><rect fill="$1" x="42" y="7" width="16" height="6" rx="2"/></g><g fill="$4"><circle cx="16" cy="30" r="7"/><circle cx="6" cy="50" r="4"/><circle cx="30" cy="14" r="4"/></g>',
  },
  'plane-drop': {
    box: [-4, 2, 104, 105],
    art: '<path fill="$2" d="M100 12L60 20L24 2L14 6L38 26L16 32L4 24L-4 27L10 46L62 36L44 62H56L78 32L98 24Z"/><path fill="$4" d="M19 60A11 11 0 0 1 41 60Z"/><path fill="none" stroke="$4" stroke-width="1.5" d="M20 60L30 73L40 60"/><circle fill="$4" cx="30" cy="74" r="3"/><path fill="$3" d="M41 82A11 11 0 0 1 63 82Z"/><path fill="none" stroke="$3" stroke-width="1.5" d="M42 82L52 95L62 82"/><circle fill="$3" cx="52" cy="96" r="3"/><path fill="$4" d="M3 90A11 11 0 0 1 25 90Z"/><path fill="none" stroke="$4" stroke-width="1.5" d="M4 90L14 103L24 90"/><circle fill="$4" cx="14" cy="104" r="3"/>',
  },
  'pocket-cards': {
    box: [4, -5.5, 92, 105.5],
    art: '<g transform="rotate(-14 40 40)"><rect fill="$4" x="22" y="-4" width="34" height="56" rx="5"/><circle fill="$3" cx="39" cy="16" r="8"/></g><g transform="rotate(10 62 40)"><rect fill="$3" x="44" y="-2" width="34" height="56" rx="5"/><path fill="$4" d="M61 8L63.6 14.4L70.5 14.9L65.3 19.4L66.9 26.1L61 22.5L55.1 26.1L56.7 19.4L51.5 14.9L58.4 14.4Z"/></g><path fill="$2" d="M4 38H96V72L50 100L4 72Z"/><path fill="$3" d="M4 38H96V48H4Z"/><path fill="none" stroke="$4" stroke-width="2" d="M11 55V69L50 92L89 69V55" stroke-dasharray="5 3.5"/><circle fill="$4" cx="50" cy="43" r="2.6"/>',
  },
  popcorn: {
    box: [11, -2, 77, 100],
    art: '<circle fill="$4" cx="22" cy="34" r="11"/><circle fill="$3" cx="38" cy="30" r="11"/><g fill="$4"><circle cx="56" cy="32" r="11"/><circle cx="74" cy="35" r="11"/></g><circle fill="$3" cx="30" cy="22" r="11"/><g fill="$4"><circle cx="48" cy="18" r="11"/><circle cx="66" cy="21" r="11"/></g><circle fill="$3" cx="40" cy="9" r="11"/><circle fill="$4" cx="58" cy="10" r="11"/><path fill="$2" d="M12 40H88L78 98H22Z"/><g fill="$4"><path d="M23 40H34L36 98H29Z"/><path d="M43.5 40H56L54.5 98H45.5Z"/><path d="M65 40H77L71.5 98H62.5Z"/></g>',
  },
  potion: {
    box: [11.5, -2, 77, 100],
    art: '<rect fill="$3" x="36" y="-2" width="28" height="12" rx="3"/><path fill="$2" d="M40 8H60V34L86 78Q94 98 74 98H26Q6 98 14 78L40 34Z"/><path fill="$4" d="M30 56Q40 50 50 56T71 56L82 78Q88 94 74 94H26Q12 94 18 78Z"/><g fill="$1"><circle cx="42" cy="76" r="5"/><circle cx="58" cy="68" r="3.4"/><circle cx="60" cy="84" r="4"/></g><path fill="none" stroke="$3" stroke-width="3" d="M38 24H62"/>',
  },
  'ring-light': {
    box: [8, 0, 84, 104.5],
    art: '<path fill="none" stroke="$3" stroke-width="5" d="M50 78V90M50 88L32 102M50 88L68 102" stroke-linecap="round" stroke-linejoin="round"/><circle fill="$4" cx="50" cy="42" r="42"/><circle fill="$1" cx="50" cy="42" r="28"/><rect fill="$2" x="36" y="18" width="28" height="48" rx="5"/><rect fill="$3" x="40" y="24" width="20" height="34" rx="2"/><g fill="$4"><circle cx="50" cy="36" r="5"/><path d="M41 58A9 12 0 0 1 59 58Z"/></g><circle fill="$1" cx="50" cy="62" r="1.8"/>',
  },
  'rival-masks': {
    box: [-4.5, 15, 109, 74],
    art: '<g transform="rotate(-14 36 40)"><path fill="$2" d="M-2 26C16 14 26 24 36 28C46 24 56 14 74 26C76 48 58 62 48 54C42 50 40 46 36 46C32 46 30 50 24 54C14 62 -4 48 -2 26Z"/><path fill="$1" d="M8 36C16 32 24 36 28 42C20 48 10 46 8 36ZM64 36C56 32 48 36 44 42C52 48 62 46 64 36Z"/></g><g transform="rotate(166 64 64)"><path fill="$3" d="M26 50C44 38 54 48 64 52C74 48 84 38 102 50C104 72 86 86 76 78C70 74 68 70 64 70C60 70 58 74 52 78C42 86 24 72 26 50Z"/><path fill="$4" d="M36 60C44 56 52 60 56 66C48 72 38 70 36 60ZM92 60C84 56 76 60 72 66C80 72 90 70 92 60Z"/></g>',
  },
  'sash-window': {
    box: [0, -2, 100, 100],
    art: '<rect fill="$3" x="6" y="0" width="88" height="90" rx="3"/><rect fill="$4" x="14" y="8" width="72" height="76"/><circle fill="$2" cx="62" cy="46" r="18"/><g fill="$3"><path d="M14 64Q36 50 58 64T86 60V84H14Z"/><rect x="47" y="8" width="6" height="76"/></g><g fill="$2"><rect x="0" y="88" width="100" height="10" rx="3"/><path d="M6 -2H38C36 30 24 50 6 56ZM94 -2H62C64 30 76 50 94 56Z"/></g><path fill="none" stroke="$1" stroke-width="2" d="M18 0C18 26 14 40 8 50M82 0C82 26 86 40 92 50"/>',
  },
  'shop-bag': {
    box: [8, 3.5, 84, 92.5],
    art: '<path fill="none" stroke="$3" stroke-width="5" d="M34 36V22A16 16 0 0 1 66 22V36"/><path fill="$2" d="M14 34H86L92 96H8Z"/><path fill="$3" d="M70 34H86L92 96H74Z"/><circle fill="$1" cx="30" cy="56" r="9"/><g fill="$4"><rect x="27.5" y="49" width="5" height="14" rx="2"/><rect x="23" y="53.5" width="14" height="5" rx="2"/><circle cx="54" cy="52" r="5"/><circle cx="63" cy="61" r="5"/></g><path fill="none" stroke="$4" stroke-width="4" d="M24 78Q44 92 64 78" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  'snow-globe': {
    box: [10, 2, 80, 96],
    art: '<circle fill="$2" cx="50" cy="42" r="40"/><path fill="$4" d="M13 56A40 40 0 0 0 87 56Q68 46 50 54T13 56Z"/><g fill="$3"><rect x="40" y="30" width="20" height="26"/><path d="M36 30L50 14L64 30Z"/></g><g fill="$4"><rect x="47" y="40" width="6" height="16" rx="3"/><circle cx="24" cy="34" r="2.6"/><circle cx="34" cy="18" r="2.6"/><circle cx="70" cy="22" r="2.6"/><circle cx="78" cy="40" r="2.6"/><circle cx="62" cy="10" r="2.6"/><circle cx="28" cy="48" r="2.6"/><circle cx="52" cy="6" r="2.6"/></g><path fill="$3" d="M18 80H82L90 98H10Z"/><rect fill="$4" x="30" y="86" width="40" height="6" rx="3"/>',
  },
  songbird: {
    box: [0, 0, 98, 100],
    art: '<path fill="$2" d="M14 44A26 26 0 0 1 62 34C66 50 78 60 98 64C86 88 56 96 36 82C20 74 14 60 14 44Z"/><path fill="$3" d="M40 52C56 50 72 62 78 78C58 84 42 74 40 52Z"/><path fill="$4" d="M14 38L0 46L15 50Z"/><circle fill="$1" cx="30" cy="38" r="4"/><g fill="none"><path stroke="$3" stroke-width="3.5" d="M46 84V98M58 85V98" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="3.5" d="M66 22V6L80 2V18" stroke-linecap="round" stroke-linejoin="round"/></g><g fill="$4"><circle cx="63" cy="22" r="4.5"/><circle cx="77" cy="18" r="4.5"/></g>',
  },
  stag: {
    box: [1, 1, 98, 95],
    art: '<path fill="none" stroke="$2" stroke-width="6" d="M42 46C20 40 14 24 16 4M58 46C80 40 86 24 84 4M20 26L4 14M80 26L96 14M28 38L32 12M72 38L68 12" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M36 44H64L82 42L70 56L60 90Q50 100 40 90L30 56L18 42Z"/><path fill="$3" d="M50 44H64L82 42L70 56L60 90Q56 95 50 96Z"/><g fill="$4"><circle cx="41" cy="60" r="3"/><circle cx="59" cy="60" r="3"/><path d="M43 86H57L50 94Z"/></g>',
  },
  'stage-mic': {
    box: [6, -0.5, 90, 105],
    art: '<g transform="rotate(30 50 50)"><circle fill="$2" cx="50" cy="22" r="26"/><path fill="$3" d="M24 26H76L70 46H30Z"/><path fill="$2" d="M32 48H68L58 108H42Z"/><rect fill="$4" x="28" y="40" width="44" height="8" rx="3"/><path fill="none" stroke="$1" stroke-width="2.4" d="M30 12H70M26 22H74M40 0V36M60 0V36"/></g><g fill="$4"><path d="M86 61L88.1 67.9L95 70L88.1 72.1L86 79L83.9 72.1L77 70L83.9 67.9Z"/><path d="M14 59L15.7 64.3L21 66L15.7 67.7L14 73L12.3 67.7L7 66L12.3 64.3Z"/><circle cx="10" cy="18" r="4"/></g><circle fill="$3" cx="92" cy="88" r="4"/>',
  },
  'star-train': {
    box: [-5, 4, 111, 92.5],
    art: '<circle fill="$3" cx="58" cy="60" r="34"/><path fill="none" stroke="$4" stroke-width="4" d="M-4 78C30 96 96 74 104 32"/><g transform="rotate(-24 46 62)"><g fill="$2"><rect x="36" y="40" width="46" height="26" rx="4"/><rect x="70" y="28" width="18" height="38" rx="3"/></g><g fill="$4"><rect x="74" y="33" width="10" height="11" rx="2"/><rect x="42" y="22" width="9" height="20" rx="1"/></g><path fill="$2" d="M36 44V66H18Z"/><g fill="$4"><circle cx="46" cy="68" r="7"/><circle cx="62" cy="68" r="7"/><circle cx="79" cy="68" r="7"/></g></g><g fill="$4"><path d="M16 13L17.8 20.2L25 22L17.8 23.8L16 31L14.2 23.8L7 22L14.2 20.2Z"/><path d="M90 83L91.4 88.6L97 90L91.4 91.4L90 97L88.6 91.4L83 90L88.6 88.6Z"/><circle cx="38" cy="6" r="2"/></g>',
  },
  'stop-pause': {
    box: [2, 0, 96, 102],
    art: '<rect fill="$3" x="46" y="84" width="8" height="18"/><path fill="$2" d="M29.5 0H70.5L98 28V66L70.5 92H29.5L2 66V28Z"/><path fill="$4" d="M32 6H68L92 30V63L68 86H32L8 63V30Z"/><path fill="$2" d="M34 11H66L87 32V61L66 81H34L13 61V32Z"/><g fill="$4"><rect x="33" y="28" width="12" height="36" rx="2"/><rect x="55" y="28" width="12" height="36" rx="2"/></g>',
  },
  'struck-match': {
    box: [26.5, 0, 58.5, 105.5],
    art: '<g transform="rotate(24 50 60)"><rect fill="$3" x="45" y="42" width="10" height="66" rx="2"/><path fill="$2" d="M50 -6C60 10 78 20 74 40A24 22 0 0 1 26 40C24 26 38 22 40 8C46 14 48 4 50 -6Z"/><path fill="$4" d="M50 18C56 26 64 32 62 42A12 12 0 0 1 38 42C38 34 48 30 50 18Z"/><ellipse fill="$1" cx="50" cy="44" rx="5.5" ry="8"/></g>',
  },
  'tin-cans': {
    box: [-10.5, 2, 121, 94.5],
    art: '<path fill="none" stroke="$4" stroke-width="3.4" d="M31 54C32 108 68 108 69 54"/><g transform="translate(19 34) rotate(-32)"><rect fill="$2" x="-19" y="-24" width="38" height="48"/><g fill="$3"><ellipse cx="0" cy="24" rx="19" ry="6"/><rect x="-19" y="-10" width="38" height="5"/><rect x="-19" y="5" width="38" height="5"/></g><ellipse fill="$2" cx="0" cy="-24" rx="19" ry="7"/><ellipse fill="$1" cx="0" cy="-24" rx="14" ry="4.4"/></g><g transform="translate(81 34) rotate(32)"><rect fill="$2" x="-19" y="-24" width="38" height="48"/><g fill="$3"><ellipse cx="0" cy="24" rx="19" ry="6"/><rect x="-19" y="-10" width="38" height="5"/><rect x="-19" y="5" width="38" height="5"/></g><ellipse fill="$2" cx="0" cy="-24" rx="19" ry="7"/><ellipse fill="$1" cx="0" cy="-24" rx="14" ry="4.4"/></g>',
  },
  'treasure-chest': {
    box: [6, 0, 88, 96],
    art: '<path fill="$4" d="M50 54L6 4L24 2ZM50 54L40 0H60ZM50 54L94 4L76 2Z"/><path fill="$2" d="M10 56V48A20 20 0 0 1 30 30H70A20 20 0 0 1 90 48V56Z"/><rect fill="$1" x="14" y="44" width="72" height="12"/><g fill="$4"><circle cx="34" cy="52" r="8"/><circle cx="50" cy="48" r="9"/><circle cx="66" cy="52" r="8"/></g><rect fill="$2" x="6" y="56" width="88" height="40" rx="4"/><g fill="$3"><rect x="18" y="56" width="10" height="40"/><rect x="72" y="56" width="10" height="40"/></g><rect fill="$4" x="42" y="52" width="16" height="20" rx="3"/><circle fill="$1" cx="50" cy="61" r="3.4"/>',
  },
  trophy: {
    box: [6.5, 8, 87, 88],
    art: '<path fill="none" stroke="$3" stroke-width="6" d="M26 22H10C8 44 18 52 32 52M74 22H90C92 44 82 52 68 52"/><path fill="$2" d="M22 8H78C80 44 70 66 50 66S20 44 22 8Z"/><path fill="$3" d="M50 8H78C80 44 70 66 50 66Z"/><rect fill="$2" x="45" y="64" width="10" height="18"/><g fill="$4"><rect x="26" y="82" width="48" height="14" rx="3"/><path d="M50 20L53.5 29.1L63.3 29.7L55.7 35.9L58.2 45.3L50 40L41.8 45.3L44.3 35.9L36.7 29.7L46.5 29.1Z"/></g>',
  },
  'tuning-fork': {
    box: [-7.5, -3.5, 105.5, 100],
    art: '<g transform="rotate(28 50 50)"><path fill="$2" d="M34 -2H44V40A6 6 0 0 0 56 40V-2H66V42A16 16 0 0 1 55 57V94A5 8 0 0 1 45 94V57A16 16 0 0 1 34 42Z"/></g><g fill="none"><path stroke="$3" stroke-width="4" d="M10 14A32 32 0 0 0 14 44M0 6A46 46 0 0 0 4 56" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="4" d="M84 30A30 30 0 0 1 66 62M96 34A46 46 0 0 1 72 74" stroke-linecap="round" stroke-linejoin="round"/></g>',
  },
  vhs: {
    box: [-6, 10, 113, 80.5],
    art: '<g transform="rotate(-10 50 50)"><rect fill="$2" x="-2" y="18" width="104" height="64" rx="5"/><rect fill="$3" x="-2" y="70" width="104" height="12"/><rect fill="$4" x="14" y="28" width="72" height="34" rx="3"/><g fill="$1"><circle cx="32" cy="45" r="12"/><circle cx="68" cy="45" r="12"/></g><g fill="none"><circle stroke="$2" stroke-width="4" cx="32" cy="45" r="7"/><circle stroke="$2" stroke-width="4" cx="68" cy="45" r="7"/></g><rect fill="$2" x="42" y="38" width="16" height="14"/></g>',
  },
  vinyl: {
    box: [2, 1, 97, 95],
    art: '<circle fill="$2" cx="46" cy="52" r="44"/><g fill="none"><circle stroke="$1" stroke-width="1.2" cx="46" cy="52" r="37"/><circle stroke="$1" stroke-width="1.2" cx="46" cy="52" r="31"/><circle stroke="$1" stroke-width="1.2" cx="46" cy="52" r="25"/></g><path fill="$3" d="M46 52L70 15A44 44 0 0 1 85 32Z"/><circle fill="$4" cx="46" cy="52" r="17"/><circle fill="$1" cx="46" cy="52" r="3.5"/><path fill="none" stroke="$3" stroke-width="5" d="M92 6V54L70 72" stroke-linecap="round" stroke-linejoin="round"/><circle fill="$3" cx="92" cy="8" r="7"/><rect fill="$4" x="60" y="66" width="14" height="9" rx="2"/>',
  },
  'virtual-card': {
    box: [-4, 8.5, 107, 81.5],
    art: '<g transform="rotate(-14 50 50)"><rect fill="$3" x="14" y="30" width="84" height="54" rx="8"/><rect fill="none" stroke="$4" stroke-width="2.5" stroke-dasharray="6 5" x="2" y="16" width="84" height="54" rx="8"/><path fill="$2" d="M14 38A8 8 0 0 1 22 30H86V62A8 8 0 0 1 78 70H14Z"/><rect fill="$4" x="24" y="40" width="15" height="12" rx="3"/><path fill="none" stroke="$1" stroke-width="3" d="M24 60H50M58 60H72"/></g>',
  },
  visor: {
    box: [2, 7.5, 96, 82.5],
    art: '<path fill="none" stroke="$3" stroke-width="10" d="M8 44C8 2 92 2 92 44"/><rect fill="$2" x="2" y="36" width="96" height="54" rx="22"/><path fill="$1" d="M12 58A14 14 0 0 1 26 46H74A14 14 0 0 1 88 58V66A14 14 0 0 1 74 80H62Q50 62 38 80H26A14 14 0 0 1 12 66Z"/><g fill="$3"><path d="M12 66L30 52L46 70L38 80H26A14 14 0 0 1 12 66Z"/><path d="M62 80L58 74L72 56L88 66A14 14 0 0 1 74 80Z"/></g><circle fill="$4" cx="56" cy="56" r="5"/>',
  },
  'voxel-tree': {
    box: [18, -0.5, 64, 122.5],
    art: '<path fill="$3" d="M18 74L50 90L82 74V106L50 122L18 106Z"/><path fill-opacity=".2" d="M82 74L50 90V122L82 106Z"/><path fill="$4" d="M50 58L82 74L50 90L18 74Z"/><path fill="$3" d="M43 62L50 65.5L57 62V69L50 72.5L43 69Z"/><path fill-opacity=".2" d="M57 62L50 65.5V72.5L57 69Z"/><g fill="$3"><path d="M50 58.5L57 62L50 65.5L43 62Z"/><path d="M43 52L50 55.5L57 52V59L50 62.5L43 59Z"/></g><path fill-opacity=".2" d="M57 52L50 55.5V62.5L57 59Z"/><path fill="$3" d="M50 48.5L57 52L50 55.5L43 52Z"/><path fill="$2" d="M25 26L50 38.5L75 26V51L50 63.5L25 51Z"/><path fill-opacity=".2" d="M75 26L50 38.5V63.5L75 51Z"/><path fill="$4" d="M50 13.5L75 26L50 38.5L25 26Z"/><path fill="$2" d="M37 6L50 12.5L63 6V19L50 25.5L37 19Z"/><path fill-opacity=".2" d="M63 6L50 12.5V25.5L63 19Z"/><path fill="$4" d="M50 -0.5L63 6L50 12.5L37 6Z"/>',
  },
  whistle: {
    box: [2, 2, 94, 91],
    art: '<path fill="none" stroke="$4" stroke-width="4" d="M84 34C100 20 96 4 78 4" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M2 34H88V52H62A28 28 0 1 1 10 58L2 58Z"/><circle fill="$3" cx="35" cy="64" r="17"/><circle fill="$4" cx="35" cy="64" r="8"/><path fill="$1" d="M30 34H44L38 44H30Z"/><rect fill="$3" x="2" y="34" width="10" height="24"/>',
  },
  'wind-kite': {
    box: [0, 3.5, 100, 108],
    art: '<path fill="none" stroke="$2" stroke-width="3.5" d="M2 30C30 20 44 34 36 42C30 48 22 40 28 35M98 74C72 84 58 68 66 60C72 54 80 62 74 68" stroke-linecap="round" stroke-linejoin="round"/><g transform="rotate(24 52 44)"><path fill="$4" d="M52 0L84 38L52 92L20 38Z"/><g fill="$3"><path d="M52 0L84 38H52Z"/><path d="M20 38H52V92Z"/></g><path fill="none" stroke="$1" stroke-width="2" d="M52 0V92M20 38H84"/></g><path fill="none" stroke="$4" stroke-width="3" d="M34 86C28 98 46 98 40 110" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  'wire-cutter': {
    box: [-8.5, 0, 117, 113.5],
    art: '<g fill="none"><path stroke="$3" stroke-width="5" d="M-6 34C10 18 24 40 42 34" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="5" d="M58 36C74 30 88 48 106 32" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$3" stroke-width="5" d="M-6 52C14 60 28 50 46 52M54 52C72 48 88 62 106 52" stroke-linecap="round" stroke-linejoin="round"/></g><path fill="$2" d="M40 6L48 0L51 34L46 50L36 42Z"/><path fill="$3" d="M60 6L52 0L49 34L54 50L64 42Z"/><g fill="none"><path stroke="$2" stroke-width="11" d="M46 46C66 62 68 82 62 108" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$3" stroke-width="11" d="M54 46C34 62 32 82 38 108" stroke-linecap="round" stroke-linejoin="round"/></g><circle fill="$4" cx="50" cy="49" r="5"/>',
  },
} as const satisfies Record<string, MotifData>
