/** What a look cannot miss, found by measure: text that is cut, a page wider than its screen, English in another language. */
export interface Seen {
  readonly cut: readonly string[]
  readonly tooWide: number
  readonly texts: readonly string[]
}

/** Runs in the page. */
export function lookAtTexts(): Seen {
  const cut: string[] = []
  const texts = new Set<string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    const element = node.parentElement
    if (
      text === '' ||
      !element ||
      element.closest('script, style, noscript, template, option, [lang]:not(html)')
    )
      continue
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    texts.add(text)
    for (
      let box: HTMLElement | null = element;
      box && box !== document.body;
      box = box.parentElement
    ) {
      const style = getComputedStyle(box)
      if (style.clipPath !== 'none') break
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) break
      const range = document.createRange()
      range.selectNodeContents(node)
      const [own, room] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
      const beyond = Math.max(
        own.right - room.right,
        room.left - own.left,
        own.bottom - room.bottom,
        room.top - own.top,
      )
      // Lines of scripts with tall letters reach beyond their boxes without being cut.
      if (beyond > 8 && room.width > 2 && room.height > 2) cut.push(text.slice(0, 60))
      break
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement
  return { cut, tooWide: Math.max(0, scrollWidth - clientWidth), texts: [...texts] }
}

const english = new Map<string, Set<string>>()
const told = new Set<string>()

/** English comes first in the list of languages; names of goods and people are the same in all of them and are told once. */
export function report(where: string, language: string, { cut, tooWide, texts }: Seen): void {
  if (tooWide > 0) say(`too wide by ${tooWide}: ${where} ${language}`)
  for (const text of cut) once(`cut ${language} "${text}"`, where)
  if (language === 'en') {
    english.set(where, new Set(texts))
    return
  }
  for (const text of texts)
    if (english.get(where)?.has(text) && /[a-z]{3,}/.test(text))
      once(`as in English "${text}"`, `${where} ${language}`)
}

function once(what: string, where: string): void {
  if (told.has(what)) return
  told.add(what)
  say(`${what}: ${where}`)
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
