import { readFileSync } from 'node:fs'
import type { Browser } from '@playwright/test'

export interface Picture {
  readonly file: string
  readonly label: string
}

/** Pictures beside each other on one, each cut at the same height, so that one look compares them. */
export async function layOut(
  browser: Browser,
  {
    pictures,
    columns,
    width,
    height,
    file,
  }: {
    readonly pictures: readonly Picture[]
    readonly columns: number
    /** Of each on the sheet. */
    readonly width: number
    readonly height: number
    readonly file: string
  },
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: columns * (width + 8) + 8, height: 200 },
  })
  const cells = pictures.map(
    ({ file: source, label }) =>
      `<figure><figcaption>${label}</figcaption><div><img src="data:image/png;base64,${readFileSync(source).toString('base64')}"></div></figure>`,
  )
  await page.setContent(
    `<style>body{margin:8px;background:#888;display:grid;grid-template-columns:repeat(${columns},${width}px);gap:8px;align-items:start}figure{margin:0}figcaption{font:11px sans-serif;color:#fff}div{max-height:${height}px;overflow:hidden}img{width:${width}px;display:block}</style>${cells.join('')}`,
  )
  await page.screenshot({ path: file, fullPage: true })
  await page.close()
}
