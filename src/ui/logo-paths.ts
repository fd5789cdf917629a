/** Whose name the lettering spells; every other shop has its name in type. */
export const LOGO_NAME = 'Lukado'
/** What the paths are drawn on: pages draw them as SVG, receipts in a PDF, mails show a picture of them. */
export const LOGO_SIZE = { width: 163, height: 32 } as const
/** The card hangs a little askew from its slot. */
export const LOGO_TILT = { degrees: -7, around: [13, 6] } as const
export const LOGO_CARD =
  'M6.5 1h14A4.5 4.5 0 0 1 25 5.5v21a4.5 4.5 0 0 1-4.5 4.5h-14A4.5 4.5 0 0 1 2 26.5v-21A4.5 4.5 0 0 1 6.5 1Zm2.3 4.3a1.8 1.8 0 0 0 0 3.6h9.4a1.8 1.8 0 0 0 0-3.6h-2.2a2.6 2.6 0 0 0-5 0Z'
export const LOGO_LINES = 'M7.5 20.5h12M7.5 25.5h7'
export const LOGO_LETTERS =
  'M37.3 6.3V25.8H47.8M57.1 6.3V19.3C57.1 22.8 60 25.8 63.5 25.8C67.1 25.8 70 22.8 70 19.3V6.3M79.2 6.3V25.8M92.4 6.3L82.5 16L92.4 25.8M79.2 16H82.5M101.6 25.8V12.7C101.6 9.2 104.5 6.3 108 6.3C111.6 6.3 114.5 9.2 114.5 12.7V25.8M101.6 18.4H114.5M123.7 6.3H130.2C133.7 6.3 136.6 9.2 136.6 12.7V19.3C136.6 22.8 133.7 25.8 130.2 25.8H123.7ZM145.8 12.7C145.8 9.2 148.8 6.3 152.3 6.3C155.8 6.3 158.8 9.2 158.8 12.7V19.3C158.8 22.8 155.8 25.8 152.3 25.8C148.8 25.8 145.8 22.8 145.8 19.3Z'
