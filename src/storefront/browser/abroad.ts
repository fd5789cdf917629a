import { readBrowserCookie } from '../state/browser-cookies.ts'
import { client } from '../state/client.ts'
import { keep, readStored } from '../state/store.ts'

const KEY = 'abroad'

/**
 * Asks who seems to be in a country of another currency whether they want to see prices in it: once the page stands and the banner
 * is answered, until it is answered or a country was chosen. The pages themselves know no country: they are the same for everybody.
 */
export function offerOwnCurrency(currency: string): void {
  const strip = document.querySelector<HTMLFormElement>('[data-abroad]')
  if (!strip || readBrowserCookie('user_selection') !== null) return
  const ask = () => void offer(strip, currency)
  if (document.documentElement.dataset['consent'] === undefined) ask()
  else document.addEventListener('consent', ask, { once: true })
}

async function offer(strip: HTMLFormElement, currency: string): Promise<void> {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const settled = `${zone} ${currency}`
  if (readStored(KEY) === settled) return
  const settle = () => keep(KEY, settled)
  const { country } = (await client
    .get()
    ?.get('index/country', { zone }, { showCheckMsg: false })
    .catch(() => null)) ?? { country: null }
  if (country === null || country.currency_code === currency) return settle()
  const fill = (selector: string, text: string) => {
    const element = strip.querySelector(selector)
    if (element) element.textContent = element.textContent.replace('{0}', text)
  }
  const choose = (name: string, value: string) =>
    strip.querySelector(`[name=${name}]`)?.setAttribute('value', value)
  fill('p', country.name)
  fill('[type=submit]', country.currency_code)
  choose('country', country.code)
  choose('currency', country.currency_code)
  strip.querySelector('[type=button]')?.addEventListener('click', () => {
    settle()
    strip.hidden = true
  })
  strip.hidden = false
}
