import type { MotifData } from '../motif.ts'

/** What stands on a horizon: the foot is at y = 100. */
export const horizon = {
  arena: {
    box: [6, -4, 88, 104],
    art: '<path fill="$2" d="M6 100V36Q50 6 94 36V100Z"/><path fill="$3" d="M6 62H94V68H6ZM6 36Q50 6 94 36V42Q50 12 6 42Z"/><g fill="$1"><path d="M14 100V84A6 7 0 0 1 26 84V100Z"/><path d="M34 100V84A6 7 0 0 1 46 84V100Z"/><path d="M54 100V84A6 7 0 0 1 66 84V100Z"/><path d="M74 100V84A6 7 0 0 1 86 84V100Z"/><path d="M14 62V50A6 7 0 0 1 26 50V62Z"/><path d="M34 62V50A6 7 0 0 1 46 50V62Z"/></g><path fill="$4" d="M54 62V50A6 7 0 0 1 66 50V62Z"/><path fill="$1" d="M74 62V50A6 7 0 0 1 86 50V62Z"/><path fill="none" stroke="$3" stroke-width="2.5" d="M50 20V-4"/><path fill="$4" d="M50 -4L68 2L50 8Z"/>',
  },
  awning: {
    box: [4, 10, 92, 90],
    art: '<rect fill="$2" x="10" y="40" width="80" height="60"/><rect fill="$1" x="20" y="54" width="24" height="28" rx="2"/><g fill="$3"><path d="M20 82L44 54V82Z"/><rect x="54" y="54" width="26" height="46" rx="2"/></g><circle fill="$4" cx="75" cy="78" r="2.5"/><path fill="$3" d="M6 16H20.7V44A7.3 7.3 0 0 1 6 44Z"/><path fill="$4" d="M20.7 16H35.4V44A7.3 7.3 0 0 1 20.7 44Z"/><path fill="$3" d="M35.4 16H50.1V44A7.3 7.3 0 0 1 35.4 44Z"/><path fill="$4" d="M50.1 16H64.8V44A7.3 7.3 0 0 1 50.1 44Z"/><path fill="$3" d="M64.8 16H79.5V44A7.3 7.3 0 0 1 64.8 44Z"/><g fill="$4"><path d="M79.5 16H94.2V44A7.3 7.3 0 0 1 79.5 44Z"/><rect x="4" y="10" width="92" height="8" rx="2"/></g>',
  },
  'blanket-fort': {
    box: [2, 12, 96, 88],
    art: '<g fill="$3"><rect x="6" y="18" width="5" height="82"/><rect x="89" y="18" width="5" height="82"/></g><path fill="$2" d="M2 22Q28 40 50 12Q72 40 98 22L94 100H6Z"/><path fill="$3" d="M50 12Q72 40 98 22L94 100H74Z"/><path fill="$1" d="M50 36L74 100H26Z"/><g fill="$4"><path d="M50 100L36 72H64Z"/><circle cx="50" cy="62" r="4"/><circle cx="12" cy="30" r="2.6"/><circle cx="27.2" cy="34" r="2.6"/><circle cx="42.4" cy="26" r="2.6"/><circle cx="57.6" cy="26" r="2.6"/><circle cx="72.8" cy="34" r="2.6"/><circle cx="88" cy="30" r="2.6"/></g>',
  },
  bonfire: {
    box: [7.5, -3.5, 85, 108],
    art: '<path fill="$2" d="M52 -4C56 18 84 32 80 62A30 30 0 0 1 20 62C18 46 34 36 34 18C42 24 52 14 52 -4Z"/><path fill="$4" d="M50 32C54 44 68 50 66 68A16 18 0 0 1 34 68C33 58 44 52 50 32Z"/><path fill="$1" d="M50 60C54 66 58 70 56 78A7 7 0 0 1 44 78C43 72 48 70 50 60Z"/><g transform="rotate(16 50 88)"><rect fill="$3" x="6" y="82" width="88" height="12" rx="6"/><circle fill="$4" cx="12" cy="88" r="4"/></g><g transform="rotate(-16 50 88)"><rect fill="$3" x="6" y="82" width="88" height="12" rx="6"/><circle fill="$4" cx="88" cy="88" r="4"/></g>',
  },
  catapult: {
    box: [8, -10, 84, 110],
    art: '<g fill="$2"><circle cx="26" cy="88" r="12"/><circle cx="78" cy="88" r="12"/></g><g fill="$1"><circle cx="26" cy="88" r="4"/><circle cx="78" cy="88" r="4"/></g><g fill="$3"><path d="M10 72H92V82H10Z"/><path d="M52 74L64 34L72 36L76 74Z"/></g><path fill="none" stroke="$2" stroke-width="6" d="M80 70L28 14" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M10 18A17 17 0 0 0 38 4L30 0Z"/><circle fill="$4" cx="20" cy="2" r="12"/><path fill="none" stroke="$4" stroke-width="3" d="M44 2Q60 -4 72 8" stroke-dasharray="4 5" stroke-linecap="round"/>',
  },
  'choice-gates': {
    box: [-10, 2, 120, 98],
    art: '<path fill="$3" d="M22 100L42 30H58L78 100Z"/><path fill="none" stroke="$4" stroke-width="3" d="M50 96V84M50 76V67M50 60V54"/><rect fill="$2" x="-6" y="34" width="50" height="40" rx="3"/><rect fill="$4" x="56" y="34" width="50" height="40" rx="3"/><g fill="$3"><rect x="-10" y="26" width="6" height="74"/><rect x="41" y="26" width="6" height="74"/><rect x="53" y="26" width="6" height="74"/><rect x="104" y="26" width="6" height="74"/></g><path fill="none" stroke="$1" stroke-width="5" d="M12 47L26 61M26 47L12 61M73 54H89M81 46V62" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M50 2L58 14V24H42V14Z"/><circle fill="$4" cx="50" cy="16" r="4"/>',
  },
  'corner-flag': {
    box: [0.5, 2, 89.5, 98],
    art: '<rect fill="$3" x="30" y="2" width="5" height="98" rx="2"/><path fill="$2" d="M35 4L88 22L35 44Z"/><path fill="$3" d="M35 24L88 22L35 44Z"/><circle fill="$4" cx="72" cy="82" r="18"/><path fill="$1" d="M72 74L75.8 76.8L79.6 79.5L78.1 84L76.7 88.5L72 88.4L67.3 88.5L65.9 84L64.4 79.5L68.2 76.8Z"/><g fill="none"><path stroke="$1" stroke-width="2.6" d="M72 74V65M64.4 79.5L56 77M79.6 79.5L88 77M67.3 88.5L62 95.5M76.7 88.5L82 95.5"/><path stroke="$4" stroke-width="3" d="M2 100A32 32 0 0 1 32 72"/></g>',
  },
  'd20-gate': {
    box: [2, -6, 96, 106],
    art: '<path fill="$3" d="M2 100V40A48 46 0 0 1 98 40V100H84V42A34 34 0 0 0 16 42V100Z"/><path fill="$2" d="M50 22L82 40V78L50 96L18 78V40Z"/><path fill="$4" d="M50 38L68 70H32Z"/><path fill="none" stroke="$1" stroke-width="2" d="M50 22V38M18 40L50 38L82 40M18 40L32 70L18 78M82 40L68 70L82 78M32 70L50 96L68 70Z M50 38L68 70"/>',
  },
  doorstep: {
    box: [-1, 0, 85, 100],
    art: '<path fill="$3" d="M22 100V26A28 26 0 0 1 78 26V100Z"/><path fill="$2" d="M30 100V28A20 20 0 0 1 70 28V100Z"/><path fill="$1" d="M37 44V30A13 13 0 0 1 63 30V44Z"/><path fill="none" stroke="$2" stroke-width="2" d="M50 16V44"/><g fill="$4"><circle cx="64" cy="64" r="3"/><rect x="42" y="72" width="42" height="28"/></g><rect fill="$1" x="58" y="72" width="9" height="12"/><g fill="$3"><rect x="72" y="92" width="8" height="3"/><path d="M6 100V80H18V100Z"/></g><circle fill="$4" cx="12" cy="70" r="13"/>',
  },
  easel: {
    box: [8, 3.5, 84, 99],
    art: '<path fill="none" stroke="$3" stroke-width="5" d="M30 6L12 100M70 6L88 100M50 60V100" stroke-linecap="round" stroke-linejoin="round"/><rect fill="$3" x="8" y="74" width="84" height="6" rx="2"/><rect fill="$4" x="12" y="12" width="76" height="62" rx="3"/><circle fill="$2" cx="38" cy="42" r="20"/><path fill="$3" d="M50 66L66 30L82 66Z"/><rect fill="$1" x="22" y="56" width="28" height="10"/>',
  },
  'golden-tree': {
    box: [8, -4, 84, 108],
    art: '<circle fill="none" stroke="$3" stroke-width="4" cx="50" cy="38" r="40"/><g fill="$2"><path d="M44 100C48 78 48 66 30 54L34 50C44 54 48 58 50 64C52 58 56 54 66 50L70 54C52 66 52 78 56 100L72 104H28Z"/><circle cx="50" cy="20" r="17"/></g><circle fill="$4" cx="30" cy="34" r="15"/><circle fill="$2" cx="70" cy="34" r="15"/><circle fill="$4" cx="18" cy="50" r="8"/><circle fill="$2" cx="82" cy="50" r="8"/><circle fill="$4" cx="50" cy="42" r="12"/><g fill="$3"><circle cx="40" cy="16" r="2.4"/><circle cx="58" cy="28" r="2.4"/><circle cx="28" cy="30" r="2.4"/><circle cx="72" cy="40" r="2.4"/><circle cx="48" cy="46" r="2.4"/></g>',
  },
  lighthouse: {
    box: [-30, 2, 160, 98],
    art: '<path fill="$4" d="M50 22L-30 4V40ZM50 22L130 4V40Z"/><path fill="$2" d="M40 36H60L68 100H32Z"/><g fill="$3"><path d="M38.5 48H61.5L63 60H37ZM35.6 72H64.4L66 84H34Z"/><rect x="34" y="32" width="32" height="5" rx="2"/></g><rect fill="$4" x="42" y="14" width="16" height="18"/><path fill="$2" d="M38 14L50 2L62 14Z"/>',
  },
  'market-parasol': {
    box: [-0.5, 4, 101, 96],
    art: '<rect fill="$3" x="48" y="30" width="5" height="70"/><path fill="$2" d="M50 8Q-15 14 4 44A9.2 8 0 0 0 22.4 44Q11 14 50 8Z"/><path fill="$4" d="M50 8Q11 14 22.4 44A9.2 8 0 0 0 40.8 44Q37 14 50 8Z"/><path fill="$2" d="M50 8Q37 14 40.8 44A9.2 8 0 0 0 59.2 44Q63 14 50 8Z"/><path fill="$4" d="M50 8Q63 14 59.2 44A9.2 8 0 0 0 77.6 44Q89 14 50 8Z"/><path fill="$2" d="M50 8Q89 14 77.6 44A9.2 8 0 0 0 96 44Q115 14 50 8Z"/><circle fill="$3" cx="50" cy="8" r="4"/><circle fill="$4" cx="20" cy="76" r="7"/><circle fill="$2" cx="34" cy="75" r="8"/><circle fill="$4" cx="66" cy="76" r="8"/><g fill="$2"><circle cx="80" cy="77" r="7"/><circle cx="73" cy="70" r="6"/></g><g fill="$3"><rect x="8" y="80" width="36" height="20" rx="2"/><rect x="56" y="80" width="36" height="20" rx="2"/></g><path fill="none" stroke="$1" stroke-width="2" d="M8 90H44M56 90H92"/>',
  },
  'one-pin': {
    box: [20, -2, 60, 105],
    art: '<ellipse fill="$3" cx="50" cy="98" rx="30" ry="5"/><path fill="$2" d="M50 -2C62 -2 66 10 62 22C58 34 72 50 72 68C72 84 66 98 62 100H38C34 98 28 84 28 68C28 50 42 34 38 22C34 10 38 -2 50 -2Z"/><path fill="$4" d="M39 26H61L62.5 32H37.5ZM37 36H63L65 42H35Z"/><path fill="$3" d="M58 2C66 8 64 18 62 22C58 34 72 50 72 68C72 84 66 98 62 100H54C60 84 60 60 56 44C52 28 60 16 58 2Z"/>',
  },
  'pixel-cup': {
    box: [0, 1, 100, 99],
    art: '<g shape-rendering="crispEdges"><rect fill="$3" x="0" y="82" width="100" height="18"/><g fill="$2"><rect x="0" y="91" width="9" height="9"/><rect x="18" y="82" width="9" height="9"/><rect x="46" y="91" width="9" height="9"/><rect x="73" y="82" width="9" height="9"/><rect x="91" y="91" width="9" height="9"/><rect x="27" y="82" width="9" height="9"/><rect x="64" y="82" width="9" height="9"/><rect x="18" y="37" width="54" height="45"/></g><rect fill="$4" x="18" y="37" width="54" height="9"/><rect fill="$3" x="63" y="46" width="9" height="36"/><g fill="$2"><rect x="72" y="46" width="18" height="9"/><rect x="81" y="55" width="9" height="9"/><rect x="72" y="64" width="18" height="9"/></g><g fill="$4"><rect x="27" y="19" width="9" height="9"/><rect x="36" y="10" width="9" height="9"/><rect x="45" y="19" width="9" height="9"/><rect x="54" y="10" width="9" height="9"/><rect x="27" y="1" width="9" height="9"/><rect x="45" y="1" width="9" height="9"/></g></g>',
  },
  pylon: {
    box: [-12.5, 2, 125, 98.5],
    art: '<path fill="none" stroke="$2" stroke-width="4" d="M32 100L46 30V4H54V30L68 100M36 80L64 80L42 54H58L36 80M64 80L58 54L46 32H54L42 54" stroke-linejoin="round"/><path fill="$2" d="M12 22L50 12L88 22V27H12ZM4 44L50 34L96 44V49H4Z"/><path fill="none" stroke="$3" stroke-width="2" d="M16 27C6 30 -4 30 -12 24M84 27C94 30 104 30 112 24M8 49Q-4 52 -12 48M92 49Q104 52 112 48"/><g fill="$4"><circle cx="16" cy="32" r="4"/><circle cx="84" cy="32" r="4"/><circle cx="8" cy="54" r="4"/><circle cx="92" cy="54" r="4"/><path d="M54 56L44 70H50L46 84L58 66H51Z"/></g>',
  },
  'rune-stone': {
    box: [-8, 0, 120, 100],
    art: '<path fill="$2" d="M10 100L20 30L38 6L62 0L76 20L90 100Z"/><path fill="$3" d="M62 0L76 20L90 100H66L56 26Z"/><path fill="none" stroke="$4" stroke-width="6" d="M40 28V86M40 30L28 46M40 30L52 46M26 62L54 76M54 62L26 76" stroke-linejoin="bevel"/><path fill="$3" d="M-8 100Q2 82 14 100ZM84 100Q96 76 112 100Z"/>',
  },
  sofa: {
    box: [2, 2, 100, 98],
    art: '<path fill="$3" d="M14 62V46A14 14 0 0 1 28 32H72A14 14 0 0 1 86 46V62Z"/><g fill="$2"><rect x="14" y="62" width="72" height="22" rx="4"/><rect x="2" y="52" width="18" height="38" rx="9"/><rect x="80" y="52" width="18" height="38" rx="9"/></g><rect fill="$4" x="28" y="44" width="20" height="20" rx="4"/><g fill="$3"><rect x="10" y="90" width="5" height="10"/><rect x="85" y="90" width="5" height="10"/></g><g fill="none"><path stroke="$1" stroke-width="2" d="M50 64V84"/><path stroke="$3" stroke-width="3" d="M92 52V10"/></g><path fill="$4" d="M82 18L86 2H98L102 18Z"/>',
  },
  'supply-crate': {
    box: [7.5, -3.5, 85, 109.5],
    art: '<path fill="$4" d="M50 44C34 40 26 26 36 16C28 4 44 -8 54 -2C66 -8 78 4 70 14C80 24 68 42 50 44Z"/><path fill="$3" d="M8 52L50 40L92 52L50 64Z"/><path fill="$2" d="M8 52L50 64V106L8 92Z"/><path fill="$3" d="M92 52L50 64V106L92 92Z"/><path fill="none" stroke="$1" stroke-width="3" d="M8 66L50 79L92 66M29 58V99M71 58V99"/><path fill="$4" d="M44 62L50 64L56 62V104L50 106L44 104Z"/>',
  },
  tank: {
    box: [-6, 14, 112, 86],
    art: '<rect fill="$3" x="54" y="28" width="52" height="7" rx="3"/><path fill="$2" d="M20 44L28 22H62L70 44Z"/><rect fill="$4" x="34" y="14" width="16" height="8" rx="2"/><path fill="$3" d="M4 48H96L90 62H10Z"/><path fill="$2" d="M14 60H86A20 20 0 0 1 86 100H14A20 20 0 0 1 14 60Z"/><circle fill="$1" cx="16" cy="80" r="7"/><circle fill="$4" cx="16" cy="80" r="2.6"/><circle fill="$1" cx="33" cy="80" r="7"/><circle fill="$4" cx="33" cy="80" r="2.6"/><circle fill="$1" cx="50" cy="80" r="7"/><circle fill="$4" cx="50" cy="80" r="2.6"/><circle fill="$1" cx="67" cy="80" r="7"/><circle fill="$4" cx="67" cy="80" r="2.6"/><circle fill="$1" cx="84" cy="80" r="7"/><circle fill="$4" cx="84" cy="80" r="2.6"/>',
  },
  'tent-keycap': {
    box: [2, 12, 96, 88],
    art: '<g fill="$3"><path d="M6 78L18 34H82L94 78Z"/><rect x="2" y="74" width="96" height="26" rx="8"/></g><rect fill="$2" x="12" y="22" width="76" height="54" rx="8"/><path fill="$4" d="M50 28L80 70H20Z"/><path fill="$1" d="M50 42L62 70H38Z"/><path fill="none" stroke="$4" stroke-width="2.5" d="M50 30V18"/><path fill="$3" d="M50 12L64 17L50 22Z"/>',
  },
  throne: {
    box: [9, 0, 82, 102],
    art: '<path fill="$3" d="M22 76V16L36 0L50 12L64 0L78 16V76Z"/><path fill="$2" d="M30 76V22L37 13L50 24L63 13L70 22V76Z"/><circle fill="$4" cx="50" cy="38" r="8"/><g fill="$3"><rect x="12" y="50" width="15" height="38" rx="5"/><rect x="73" y="50" width="15" height="38" rx="5"/></g><g fill="$4"><rect x="9" y="46" width="21" height="10" rx="5"/><rect x="70" y="46" width="21" height="10" rx="5"/><rect x="26" y="62" width="48" height="12" rx="4"/></g><g fill="$2"><rect x="24" y="74" width="52" height="16"/><path d="M12 86H27V102H12ZM73 86H88V102H73Z"/></g><rect fill="$4" x="24" y="88" width="52" height="12"/>',
  },
  'toy-blocks': {
    box: [8, 8, 84, 92],
    art: '<rect fill="$2" x="8" y="70" width="30" height="30"/><rect fill="$3" x="62" y="70" width="30" height="30"/><rect fill="$4" x="38" y="88" width="24" height="12"/><path fill="$3" d="M8 70V56H92V70H66A16 14 0 0 0 34 70Z"/><rect fill="$4" x="22" y="30" width="18" height="26"/><g fill="$2"><rect x="60" y="30" width="18" height="26"/><path d="M18 30L31 8L44 30Z"/></g><path fill="$4" d="M56 30A13 16 0 0 1 82 30Z"/><g fill="$1"><circle cx="23" cy="85" r="6"/><circle cx="77" cy="85" r="6"/></g>',
  },
  turret: {
    box: [8.5, -13.5, 83, 115.5],
    art: '<path fill="$4" d="M50 -6L62 12L50 30L38 12Z"/><path fill="none" stroke="$4" stroke-width="3" d="M22 12H10M78 12H90M27 -4L20 -12M73 -4L80 -12" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M24 34H36V42H44V34H56V42H64V34H76V56L70 62V92H30V62L24 56Z"/><path fill="$3" d="M56 34V42H64V34H76V56L70 62V92H58V42Z" fill-opacity=".55"/><g fill="$1"><path d="M43 92V76A7 8 0 0 1 57 76V92Z"/><rect x="47" y="52" width="6" height="14" rx="3"/></g><rect fill="$2" x="20" y="90" width="60" height="12" rx="2"/>',
  },
  watchtower: {
    box: [-50, 4, 130, 102],
    art: '<path fill="$4" d="M50 33L-60 78V100H40Z"/><path fill="none" stroke="$2" stroke-width="4" d="M36 46L28 104M64 46L72 104M33 66L70 86M67 66L30 86M31 88L72 104"/><rect fill="$3" x="24" y="42" width="52" height="6" rx="2"/><rect fill="$2" x="28" y="24" width="44" height="20"/><rect fill="$4" x="34" y="28" width="32" height="9"/><path fill="$3" d="M20 24L50 4L80 24Z"/>',
  },
  'winter-cabin': {
    box: [-10, 8, 121.5, 92],
    art: '<circle fill="$4" cx="80" cy="16" r="8"/><rect fill="$3" x="62" y="18" width="12" height="26"/><rect fill="$2" x="18" y="52" width="64" height="48"/><path fill="$4" d="M50 14L98 56Q90 64 82 56Q74 64 66 56Q58 64 50 56Q42 64 34 56Q26 64 18 56Q10 64 2 56Z"/><g fill="$3"><rect x="60" y="66" width="14" height="14"/><rect x="30" y="66" width="20" height="34"/></g><g fill="$4"><circle cx="45" cy="84" r="2"/><path d="M-10 100Q6 84 22 96Q36 88 48 100ZM56 100Q76 84 112 100Z"/></g>',
  },
} as const satisfies Record<string, MotifData>
