import type { MotifData } from '../motif.ts'

/** Objects with a full outline. */
export const objectsAToG = {
  'bang-burst': {
    box: [-1.5, -3.5, 106, 111],
    art: '<path fill="$3" d="M66.3 12.7L71.3 33.1L90.6 24.7L83.7 44.6L104.5 47.9L88 61L103.6 75L82.7 77L88.3 97.3L69.6 87.7L63.3 107.7L52.8 89.5L36.7 103L37.6 82L16.8 84.7L29 67.5L10 58.5L29.5 50.6L18.5 32.8L39.1 36.7L39.5 15.7L54.7 30.2Z"/><path fill="$2" d="M46 -4L53.5 16L70 2.4L66.5 23.5L87.6 20L74 36.5L94 44L74 51.5L87.6 68L66.5 64.5L70 85.6L53.5 72L46 92L38.5 72L22 85.6L25.5 64.5L4.4 68L18 51.5L-2 44L18 36.5L4.4 20L25.5 23.5L22 2.4L38.5 16Z"/><path fill="$4" d="M51.6 17.6L53.5 31L66.1 25.9L59.7 37.9L72.9 41.2L60.7 47.1L69.4 57.5L56 55.1L57 68.7L47.6 58.9L40.4 70.4L38.5 57L25.9 62.1L32.3 50.1L19.1 46.8L31.3 40.9L22.6 30.5L36 32.9L35 19.3L44.4 29.1Z"/><circle fill="$1" cx="46" cy="44" r="6"/>',
  },
  binoculars: {
    box: [1, 12, 98, 65],
    art: '<g fill="$2"><circle cx="28" cy="50" r="27"/><circle cx="72" cy="50" r="27"/><rect x="28" y="36" width="44" height="28"/></g><g fill="$4"><circle cx="28" cy="50" r="21"/><circle cx="72" cy="50" r="21"/></g><path fill="$3" d="M7.5 54L22 44L34 56L48 52A21 21 0 0 1 8 55ZM52 56L66 48L78 58L92.5 53A21 21 0 0 1 52.5 58Z"/><path fill="none" stroke="$1" stroke-width="2" d="M28 30V40M28 60V70M8 50H18M38 50H48M72 30V40M72 60V70M52 50H62M82 50H92"/><g fill="$2"><rect x="16" y="12" width="24" height="16" rx="4"/><rect x="60" y="12" width="24" height="16" rx="4"/></g>',
  },
  'blood-drop': {
    box: [16, -4, 68, 102],
    art: '<path fill="$2" d="M50 -4C64 24 84 42 84 64A34 34 0 0 1 16 64C16 42 36 24 50 -4Z"/><path fill="$3" d="M50 -4C64 24 84 42 84 64A34 34 0 0 1 50 98Z"/><path fill="$4" d="M64 30L34 64H48L38 90L68 54H53Z"/>',
  },
  'boxing-glove': {
    box: [8.5, -14, 101.5, 111.5],
    art: '<g transform="rotate(-20 50 50)"><path fill="$2" d="M20 34C20 8 82 0 88 30C90 44 84 62 78 70H30C22 60 20 46 20 34Z"/><path fill="$3" d="M20 40C6 34 4 54 14 60C22 66 36 62 44 54C50 46 44 42 38 44C30 46 26 42 20 40Z"/><rect fill="$4" x="28" y="72" width="52" height="22" rx="5"/><rect fill="$1" x="50" y="72" width="4" height="22"/><path fill="none" stroke="$1" stroke-width="3" d="M62 14C64 24 62 32 56 38" stroke-linecap="round" stroke-linejoin="round"/></g><path fill="none" stroke="$4" stroke-width="4" d="M92 4L98 -4M98 16L108 14M82 -4L84 -12" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  'bug-umbrella': {
    box: [-6, -4.5, 112, 104],
    art: '<path fill="$2" d="M4 52A46 46 0 0 1 96 52Q85 44 73 52Q62 44 50 52Q38 44 27 52Q15 44 4 52Z"/><path fill="$3" d="M50 6C62 10 73 26 73 52Q62 44 50 52Z"/><g fill="none"><path stroke="$3" stroke-width="5" d="M50 50V88A9 9 0 0 1 32 88" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$2" stroke-width="4" d="M50 6V-2" stroke-linecap="round" stroke-linejoin="round"/></g><g transform="translate(16 6) rotate(-20)"><ellipse fill="$4" cx="0" cy="0" rx="4" ry="6"/><path fill="none" stroke="$4" stroke-width="1.6" d="M-7 -4L7 4M-7 4L7 -4M-7 0H7"/></g><g transform="translate(84 2) rotate(20)"><ellipse fill="$4" cx="0" cy="0" rx="4" ry="6"/><path fill="none" stroke="$4" stroke-width="1.6" d="M-7 -4L7 4M-7 4L7 -4M-7 0H7"/></g><g transform="translate(98 26) rotate(50)"><ellipse fill="$4" cx="0" cy="0" rx="4" ry="6"/><path fill="none" stroke="$4" stroke-width="1.6" d="M-7 -4L7 4M-7 4L7 -4M-7 0H7"/></g><g transform="translate(2 28) rotate(-50)"><ellipse fill="$4" cx="0" cy="0" rx="4" ry="6"/><path fill="none" stroke="$4" stroke-width="1.6" d="M-7 -4L7 4M-7 4L7 -4M-7 0H7"/></g>',
  },
  bullseye: {
    box: [4, -2, 98, 100],
    art: '<circle fill="$2" cx="50" cy="52" r="46"/><circle fill="$4" cx="50" cy="52" r="35"/><circle fill="$2" cx="50" cy="52" r="24"/><circle fill="$3" cx="50" cy="52" r="13"/><circle fill="$1" cx="50" cy="52" r="5"/><g fill="none"><path stroke="$1" stroke-width="3" d="M50 52L56 60M50 52L42 56M50 52L52 42" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="4" d="M92 8L54 48"/></g><path fill="$3" d="M84 -2L90 10L102 16L92 22L82 14Z"/>',
  },
  candlesticks: {
    box: [6, -4, 89, 100],
    art: '<rect fill="$3" x="11" y="40" width="3" height="56" rx="1.5"/><rect fill="$2" x="6" y="52" width="13" height="32" rx="2.5"/><rect fill="$3" x="30" y="28" width="3" height="54" rx="1.5"/><rect fill="$2" x="25" y="40" width="13" height="30" rx="2.5"/><rect fill="$3" x="49" y="38" width="3" height="48" rx="1.5"/><rect fill="$4" x="44" y="50" width="13" height="24" rx="2.5"/><rect fill="$3" x="68" y="10" width="3" height="64" rx="1.5"/><rect fill="$2" x="63" y="22" width="13" height="40" rx="2.5"/><rect fill="$3" x="87" y="-4" width="3" height="68" rx="1.5"/><rect fill="$2" x="82" y="8" width="13" height="44" rx="2.5"/>',
  },
  'card-fan': {
    box: [-15.5, 15.5, 119, 81.5],
    art: '<g transform="rotate(-36 46 96)"><rect fill="$3" x="24" y="18" width="46" height="66" rx="6"/><rect fill="$1" x="28" y="22" width="4" height="58" rx="2"/></g><g transform="rotate(-14 46 96)"><rect fill="$2" x="24" y="18" width="46" height="66" rx="6"/><rect fill="$1" x="28" y="22" width="4" height="58" rx="2"/></g><g transform="rotate(8 46 96)"><rect fill="$3" x="24" y="18" width="46" height="66" rx="6"/><rect fill="$1" x="28" y="22" width="4" height="58" rx="2"/></g><g transform="rotate(30 46 96)"><rect fill="$4" x="24" y="18" width="46" height="66" rx="6"/><g fill="$1"><circle cx="47" cy="51" r="11"/><rect x="30" y="24" width="6" height="6" rx="3"/><rect x="58" y="72" width="6" height="6" rx="3"/></g></g>',
  },
  'castle-card': {
    box: [12.5, 0, 75, 100],
    art: '<rect fill="$2" x="14" y="0" width="72" height="100" rx="8"/><path fill="none" stroke="$1" stroke-width="7" d="M14 50Q26 44 38 50T62 50T86 50"/><rect fill="$4" x="45" y="42" width="10" height="16"/><g transform="rotate(0 50 50)"><path fill="$4" d="M24 42V20H31V26H38V14H44V20H56V14H62V26H69V20H76V42Z"/><path fill="$2" d="M44 42V36A6 6 0 0 1 56 36V42Z"/><circle fill="$4" cx="22" cy="9" r="4"/></g><g transform="rotate(180 50 50)"><path fill="$3" d="M24 42V20H31V26H38V14H44V20H56V14H62V26H69V20H76V42Z"/><path fill="$2" d="M44 42V36A6 6 0 0 1 56 36V42Z"/><circle fill="$3" cx="22" cy="9" r="4"/></g>',
  },
  'chain-links': {
    box: [3, 1.5, 95.5, 95.5],
    art: '<g transform="rotate(-45 50 50)"><g fill="none"><rect stroke="$2" stroke-width="11" x="-2" y="34" width="46" height="32" rx="16"/><rect stroke="$4" stroke-width="11" x="28" y="34" width="46" height="32" rx="16"/><rect stroke="$2" stroke-width="11" x="58" y="34" width="46" height="32" rx="16"/><path stroke="$2" stroke-width="11" d="M36 36Q44 40 44 50"/><path stroke="$4" stroke-width="11" d="M66 36Q74 40 74 50"/></g></g>',
  },
  'checker-globe': {
    box: [-6.5, 2.5, 113, 95],
    art: '<circle fill="$2" cx="50" cy="50" r="46"/><path fill="none" stroke="$3" stroke-width="3" d="M50 4C20 22 20 78 50 96M50 4C80 22 80 78 50 96M10 28H90M10 72H90"/><g transform="rotate(-22 50 50)"><path fill="$4" d="M-6 38H106V62H-6Z"/><g fill="$1"><rect x="-6" y="50" width="11.2" height="12"/><rect x="5.2" y="38" width="11.2" height="12"/><rect x="16.4" y="50" width="11.2" height="12"/><rect x="27.6" y="38" width="11.2" height="12"/><rect x="38.8" y="50" width="11.2" height="12"/><rect x="50" y="38" width="11.2" height="12"/><rect x="61.2" y="50" width="11.2" height="12"/><rect x="72.4" y="38" width="11.2" height="12"/><rect x="83.6" y="50" width="11.2" height="12"/><rect x="94.8" y="38" width="11.2" height="12"/></g></g>',
  },
  cherries: {
    box: [6, 2, 94, 96],
    art: '<path fill="none" stroke="$3" stroke-width="4" d="M28 66C30 36 46 16 72 8C64 30 66 46 72 60" stroke-linecap="round" stroke-linejoin="round"/><path fill="$4" d="M72 8C84 -4 98 4 100 20C86 24 76 18 72 8Z"/><circle fill="$2" cx="28" cy="76" r="22"/><circle fill="$3" cx="74" cy="74" r="22"/><path fill="$4" d="M14 72A14 14 0 0 1 24 62L26 67A9 9 0 0 0 19 73ZM60 70A14 14 0 0 1 70 60L72 65A9 9 0 0 0 65 71Z"/>',
  },
  'coin-slot': {
    box: [12, -1.5, 76, 99.5],
    art: '<rect fill="$2" x="12" y="20" width="76" height="78" rx="8"/><rect fill="$3" x="60" y="20" width="28" height="78" rx="8"/><rect fill="$1" x="30" y="44" width="40" height="44" rx="5"/><g fill="$4"><rect x="46" y="50" width="8" height="32" rx="4"/><ellipse cx="50" cy="18" rx="8" ry="18"/></g><ellipse fill="$2" cx="50" cy="18" rx="4" ry="12"/><path fill="none" stroke="$4" stroke-width="3" d="M24 8L28 14M76 8L72 14M30 0V2" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  'coin-tower': {
    box: [18, -12, 66, 109],
    art: '<rect fill="$2" x="22" y="84" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M31 87v7M39 87v7M47 87v7M55 87v7M63 87v7"/><rect fill="$3" x="28" y="71" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M37 74v7M45 74v7M53 74v7M61 74v7M69 74v7"/><rect fill="$2" x="18" y="58" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M27 61v7M35 61v7M43 61v7M51 61v7M59 61v7"/><rect fill="$3" x="26" y="45" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M35 48v7M43 48v7M51 48v7M59 48v7M67 48v7"/><rect fill="$2" x="34" y="32" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M43 35v7M51 35v7M59 35v7M67 35v7M75 35v7"/><rect fill="$3" x="24" y="19" width="50" height="13" rx="6.5"/><path fill="none" stroke="$1" stroke-width="2.4" d="M33 22v7M41 22v7M49 22v7M57 22v7M65 22v7"/><circle fill="$4" cx="56" cy="4" r="16"/><circle fill="none" stroke="$3" stroke-width="3.5" cx="56" cy="4" r="10"/><rect fill="$3" x="54" y="-1" width="4" height="10" rx="2"/>',
  },
  'crossed-torches': {
    box: [9, 5.5, 82, 98.5],
    art: '<g transform="rotate(-36 50 62)"><path fill="$3" d="M43 44H57L53 112H47Z"/><rect fill="$4" x="40" y="40" width="20" height="9" rx="2"/><path fill="$2" d="M50 -8C56 6 68 12 66 28A16 14 0 0 1 34 28C33 16 44 8 50 -8Z"/><path fill="$4" d="M50 14C54 20 58 24 57 30A7 7 0 0 1 43 30C43 24 48 20 50 14Z"/></g><g transform="rotate(36 50 62)"><path fill="$3" d="M43 44H57L53 112H47Z"/><rect fill="$4" x="40" y="40" width="20" height="9" rx="2"/><path fill="$2" d="M50 -8C56 6 68 12 66 28A16 14 0 0 1 34 28C33 16 44 8 50 -8Z"/><path fill="$4" d="M50 14C54 20 58 24 57 30A7 7 0 0 1 43 30C43 24 48 20 50 14Z"/></g>',
  },
  crosshair: {
    box: [0, 0, 100, 100],
    art: '<circle fill="none" stroke="$2" stroke-width="7" cx="50" cy="50" r="34"/><g fill="$4"><rect x="46" y="0" width="8" height="30" rx="2"/><rect x="46" y="70" width="8" height="30" rx="2"/><rect x="0" y="46" width="30" height="8" rx="2"/><rect x="70" y="46" width="30" height="8" rx="2"/></g><path fill="$3" d="M50 40L60 50L50 60L40 50Z"/>',
  },
  'crystal-spire': {
    box: [0, -2, 98, 104],
    art: '<path fill="$2" d="M50 -2L72 24V76L50 102L28 76V24Z"/><path fill="$3" d="M50 -2L72 24V76L50 102Z"/><path fill="$4" d="M50 -2L58 30L50 70L40 30Z"/><path fill="$3" d="M10 40L20 50V78L10 90L0 78V50Z"/><g fill="$2"><path d="M10 40L20 50V78L10 90Z"/><path d="M90 26L98 36V58L90 70L82 58V36Z"/></g><path fill="$4" d="M90 26L98 36V58L90 70Z"/>',
  },
  dandelion: {
    box: [7.5, 1.5, 99, 110.5],
    art: '<g fill="none"><path stroke="$3" stroke-width="3.5" d="M46 42C50 62 44 84 40 110" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$2" stroke-width="2" d="M46 40L14.1 51.6M46 40L12 38.8M46 40L14.9 26.2M46 40L22.4 15.5M46 40L33.3 8.5M46 40L46 6M46 40L58.7 8.5M46 40L69.6 15.5M46 40L77.1 26.2M46 40L80 38.8M46 40L77.9 51.6M46 40L71.3 62.8M46 40L60.9 70.6"/><path stroke="$2" stroke-width="9" d="M14.1 51.6h0M12 38.8h0M14.9 26.2h0M22.4 15.5h0M33.3 8.5h0M46 6h0M58.7 8.5h0M69.6 15.5h0M77.1 26.2h0M80 38.8h0M77.9 51.6h0M71.3 62.8h0M60.9 70.6h0" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="7" d="M27.7 45.2h0M27.9 34.1h0M34.3 25h0M44.7 21h0M55.5 23.5h0M63.1 31.7h0M64.8 42.6h0" stroke-linecap="round" stroke-linejoin="round"/></g><circle fill="$3" cx="46" cy="40" r="8"/><g fill="none"><path stroke="$4" stroke-width="2" d="M92 22L84 31M102 52L94 61M80 80L72 89" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="9" d="M92 22h0M102 52h0M80 80h0" stroke-linecap="round" stroke-linejoin="round"/></g><path fill="$3" d="M43 92Q62 74 76 96Q56 102 43 92Z"/>',
  },
  dice: {
    box: [-0.5, -3.5, 101.5, 96.5],
    art: '<g transform="rotate(-16 34 60)"><rect fill="$2" x="4" y="32" width="56" height="56" rx="10"/><g fill="$4"><circle cx="18" cy="46" r="5.4"/><circle cx="46" cy="46" r="5.4"/><circle cx="32" cy="60" r="5.4"/><circle cx="18" cy="74" r="5.4"/><circle cx="46" cy="74" r="5.4"/></g></g><g transform="rotate(20 70 30)"><rect fill="$3" x="50" y="4" width="46" height="46" rx="9"/><g fill="$4"><circle cx="62" cy="16" r="4.8"/><circle cx="84" cy="38" r="4.8"/><circle cx="73" cy="27" r="4.8"/></g></g><path fill="none" stroke="$4" stroke-width="3" d="M34 6L28 -2M20 14L10 10M88 62L94 70M78 72L80 82" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  dogtags: {
    box: [22, -7, 61.5, 104.5],
    art: '<path fill="none" stroke="$3" stroke-width="3" d="M42 40C10 20 30 -12 62 -4C94 4 84 40 58 46" stroke-dasharray="1 5" stroke-linecap="round"/><g transform="rotate(16 44 64)"><rect fill="$3" x="26" y="34" width="36" height="62" rx="18"/></g><g transform="rotate(-14 58 66)"><rect fill="$2" x="40" y="36" width="36" height="62" rx="18"/><circle fill="$1" cx="58" cy="46" r="4"/><g fill="$4"><rect x="48" y="58" width="20" height="4" rx="2"/><rect x="48" y="66" width="20" height="4" rx="2"/><rect x="48" y="74" width="12" height="4" rx="2"/></g></g>',
  },
  drone: {
    box: [0, 8, 100, 84],
    art: '<path fill="none" stroke="$3" stroke-width="5" d="M18 26L40 46M82 26L60 46M18 74L40 54M82 74L60 54"/><circle fill="$2" cx="18" cy="26" r="18"/><circle fill="none" stroke="$1" stroke-width="1.5" cx="18" cy="26" r="13"/><circle fill="$4" cx="18" cy="26" r="3.4"/><circle fill="$2" cx="82" cy="26" r="18"/><circle fill="none" stroke="$1" stroke-width="1.5" cx="82" cy="26" r="13"/><circle fill="$4" cx="82" cy="26" r="3.4"/><circle fill="$2" cx="18" cy="74" r="18"/><circle fill="none" stroke="$1" stroke-width="1.5" cx="18" cy="74" r="13"/><circle fill="$4" cx="18" cy="74" r="3.4"/><circle fill="$2" cx="82" cy="74" r="18"/><circle fill="none" stroke="$1" stroke-width="1.5" cx="82" cy="74" r="13"/><circle fill="$4" cx="82" cy="74" r="3.4"/><rect fill="$3" x="34" y="32" width="32" height="38" rx="12"/><circle fill="$4" cx="50" cy="46" r="8"/><circle fill="$1" cx="50" cy="46" r="3.4"/>',
  },
  'finger-tap': {
    box: [13, 3, 69.5, 97],
    art: '<g fill="none"><circle stroke="$3" stroke-width="4" cx="40" cy="30" r="14"/><circle stroke="$3" stroke-width="4" cx="40" cy="30" r="25"/></g><path fill="$2" d="M33 30A7 7 0 0 1 47 30V54L74 60Q84 62 82 72L76 98H42L22 70C18 62 26 58 31 64L33 66Z"/><g fill="$4"><circle cx="40" cy="30" r="4"/><path d="M40 92H80V100H40Z"/></g>',
  },
  'flip-cart': {
    box: [-0.5, 2.5, 96, 95.5],
    art: '<path fill="none" stroke="$3" stroke-width="4" d="M10 74A42 42 0 0 1 80 22" stroke-dasharray="7 6"/><path fill="$3" d="M74 14L92 20L80 34Z"/><g transform="rotate(162 50 58)"><path fill="none" stroke="$2" stroke-width="6" d="M12 38H24L34 78H78" stroke-linecap="round" stroke-linejoin="round"/><path fill="$2" d="M26 44H88L78 72H34Z"/><path fill="none" stroke="$1" stroke-width="3" d="M30 54H84M48 44L50 72M66 44V72"/><g fill="$4"><circle cx="40" cy="88" r="7"/><circle cx="70" cy="88" r="7"/></g></g><g fill="$4"><rect x="36" y="84" width="11" height="11" rx="2"/><circle cx="62" cy="92" r="6"/></g>',
  },
  floppy: {
    box: [4, 4, 92, 92],
    art: '<path fill="$2" d="M10 4H80L96 20V90A6 6 0 0 1 90 96H10A6 6 0 0 1 4 90V10A6 6 0 0 1 10 4Z"/><rect fill="$3" x="24" y="4" width="46" height="30" rx="2"/><rect fill="$2" x="54" y="9" width="9" height="20"/><rect fill="$4" x="18" y="50" width="64" height="46" rx="3"/><path fill="none" stroke="$2" stroke-width="4" d="M28 64H72M28 78H58"/>',
  },
  'fork-sausage': {
    box: [5.5, -13.5, 89, 117.5],
    art: '<g transform="rotate(30 50 50)"><path fill="$3" d="M40 -8V14Q40 24 46 26V110H54V26Q60 24 60 14V-8H56V12H52V-8H48V12H44V-8Z"/></g><g transform="rotate(-34 50 44)"><rect fill="$2" x="0" y="26" width="100" height="36" rx="18"/><g fill="none"><path stroke="$3" stroke-width="5" d="M22 30L34 58M44 28L56 60M66 30L78 58" stroke-linecap="round" stroke-linejoin="round"/><path stroke="$4" stroke-width="3" d="M12 38Q16 32 24 32" stroke-linecap="round" stroke-linejoin="round"/></g></g><path fill="none" stroke="$4" stroke-width="3" d="M20 6Q14 0 20 -8M34 2Q28 -4 34 -12" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  gamepad: {
    box: [1.5, 26, 97, 61],
    art: '<path fill="$2" d="M28 26H72C92 26 100 58 98 76C97 90 82 90 76 78L68 66H32L24 78C18 90 3 90 2 76C0 58 8 26 28 26Z"/><circle fill="$3" cx="30" cy="46" r="13"/><circle fill="$1" cx="30" cy="46" r="7"/><g fill="$4"><circle cx="70" cy="36" r="4.5"/><circle cx="70" cy="56" r="4.5"/><circle cx="60" cy="46" r="4.5"/><circle cx="80" cy="46" r="4.5"/></g><rect fill="$3" x="44" y="40" width="12" height="4" rx="2"/>',
  },
  'gift-bubble': {
    box: [4, 4.5, 92, 95.5],
    art: '<path fill="$2" d="M14 28H86A10 10 0 0 1 96 38V74A10 10 0 0 1 86 84H44L24 100V84H14A10 10 0 0 1 4 74V38A10 10 0 0 1 14 28Z"/><g fill="$3"><rect x="44" y="28" width="12" height="56"/><rect x="4" y="50" width="92" height="11"/></g><path fill="$4" d="M50 28C30 26 18 16 26 6C36 0 48 12 50 28C52 12 64 0 74 6C82 16 70 26 50 28Z"/><g fill="$1"><circle cx="33" cy="14" r="4"/><circle cx="67" cy="14" r="4"/></g>',
  },
} as const satisfies Record<string, MotifData>
