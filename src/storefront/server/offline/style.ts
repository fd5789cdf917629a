/** Written out, as the shop's stylesheet may be out of reach; colours as in `ui/tokens.css`. */
const LIGHT =
  '--paper:#f3f5f3;--surface:#fff;--ink:#121a18;--ink-2:#46524f;--line:#87938f;--focus:#0b5fd8;color-scheme:light'
const DARK =
  '--paper:#0c1110;--surface:#141a19;--ink:#eef3f1;--ink-2:#b4c0bc;--line:#687572;--focus:#86bcff;color-scheme:dark'

export const OFFLINE_STYLE = [
  `:root{${LIGHT}}`,
  `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${DARK}}}`,
  `:root[data-theme=dark]{${DARK}}`,
  '*{box-sizing:border-box}',
  'body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;line-break:strict;overflow-wrap:break-word}',
  ':lang(ko){word-break:keep-all}:lang(ja){word-break:auto-phrase}',
  'header{padding:.75rem max(1rem,calc(50% - 40rem));background:var(--surface)}',
  'header a{display:inline-flex;align-items:center;min-block-size:2.75rem;color:inherit;font-size:1.375rem;font-weight:800;text-decoration:none}',
  'main{display:grid;justify-items:center;gap:.75rem;max-inline-size:34rem;margin:auto;padding:clamp(2rem,8vw,5rem) 1rem;text-align:center}',
  'svg{max-inline-size:100%}main svg{inline-size:26rem;block-size:auto}',
  'h1{margin:0;font-size:clamp(1.625rem,1.2rem + 1.7vw,2.25rem);line-height:1.1;letter-spacing:-.022em;text-wrap:balance}',
  ':lang(ar) h1,:lang(hi) h1,:lang(th) h1,:lang(my) h1{line-height:1.4;letter-spacing:0}',
  'p{margin:0;text-wrap:pretty}[role=status]{min-block-size:1.5rem;font-weight:600}.note{color:var(--ink-2);font-size:.875rem}',
  'button{min-block-size:3rem;margin-block-start:.5rem;padding:.5rem 1.5rem;border:1.5px solid transparent;border-radius:.625rem;background:var(--ink);color:var(--surface);font:inherit;font-weight:700;cursor:pointer}',
  'button[aria-busy]{opacity:.7;cursor:progress}',
  ':focus-visible{outline:3px solid var(--focus);outline-offset:2px}',
  '.rail{stroke:var(--line);stroke-linecap:round}',
  '.card{fill:var(--surface);stroke:currentColor;stroke-width:3.5;stroke-linejoin:round}.tag{fill:#ffd21f}',
  '.ink{stroke:currentColor;stroke-width:4.5;stroke-linecap:round;stroke-linejoin:round}.dark{stroke:#171300}',
  '.gap{stroke:var(--line);stroke-width:2.5;stroke-dasharray:7 8}',
].join('')
