import { normaliseText } from './normalise.ts'
import { isClusterStart, type Token, tokenise } from './tokenise.ts'

/** What people call the goods and what they want with them, in every language of the shop: "carte cadeau amazon", "beli pulsa axis". */
const WORDS = {
  en: 'gift card giftcard voucher code card pin wallet balance credit prepaid top up topup subscription membership recharge reload refill airtime currency pass key cd buy cheap online price instant',
  ar: 'بطاقة بطاقات كرت كود قسيمة رصيد هدية هدايا اشتراك شحن جواهر عملات الماس تعبئة نقاط باقة شراء رخيص سعر مفتاح لعبة',
  de: 'Karte Guthaben Gutschein Geschenkkarte Guthabenkarte Gutscheincode Abo aufladen Aufladung Handyguthaben Diamanten Münzen Punkte kaufen günstig Schlüssel',
  es: 'tarjeta tarjetas de regalo código vale saldo recarga recargar suscripción diamantes gemas monedas puntos pase prepago comprar barato precio clave juego',
  fr: "carte cadeau prépayée prépayé bon chèque d'achat recharge recharger abonnement diamants gemmes pièces crédits crédit forfait acheter pas cher prix clé jeu",
  hi: 'गिफ्ट कार्ड वाउचर कोड रिचार्ज टॉप अप टॉपअप डायमंड सिक्के प्रीपेड खरीदें सस्ता',
  id: 'kartu hadiah vocer kode saldo isi ulang langganan diamond dm koin permata pulsa kuota paket beli murah harga',
  it: 'carta regalo buono codice ricarica ricaricare credito abbonamento diamanti gemme monete crediti punti acquista comprare economico chiave gioco',
  ja: 'ギフトカード ギフト カード ギフト券 コード プリペイドカード プリペイド チャージ 残高 課金 ダイヤ コイン 購入 買う 安い キー',
  ko: '기프트카드 카드 상품권 코드 충전 선불카드 기프티콘 이용권 다이아 보석 코인 현질 과금 선불 구매 구입 할인',
  ms: 'kad hadiah baucar kod tambah nilai langganan berlian syiling prabayar kredit beli murah harga',
  my: 'ကတ် လက်ဆောင်ကတ် ကုဒ် ငွေဖြည့် စိန် ဖုန်းဘေလ် ဘေလ် ဝယ်',
  nl: 'kaart cadeaukaart cadeaubon tegoed beltegoed abonnement opwaarderen diamanten munten punten kopen goedkoop sleutel',
  pt: 'cartão presente vale código saldo recarga recarregar assinatura diamantes dima gemas moedas pontos passe crédito créditos comprar barato preço chave',
  ro: 'cadou cod credit abonament reîncărcare încărcare cartelă diamante monede puncte cumpără ieftin preț cheie',
  ru: 'карта карты подарочная код ваучер сертификат пополнение пополнить баланс кошелек подписка донат задонатить алмазы монеты голда очки купить дешево цена ключ',
  th: 'บัตร บัตรของขวัญ บัตรเติมเงิน โค้ด เติมเงิน เติมเกม เติม กิฟการ์ด เพชร เหรียญ ซื้อ ราคา',
  tl: 'load eload dias bili bumili mura',
  vi: 'thẻ quà tặng mã nạp game tiền kim cương xu ngọc cào mua rẻ giá',
  zh: '礼品卡 充值卡 点卡 代码 充值 代充 会员 卡密 钱包 钻石 点券 金币 话费 购买 便宜 激活码 卡',
  'zh-tw': '禮品卡 儲值卡 點數卡 點數 點卡 序號 儲值 代儲 會員 鑽石 點券 金幣 預付卡 購買 便宜',
} as const

const TOKENS = Object.values(WORDS)
  .flatMap((words) => words.split(' '))
  .flatMap((word) => tokenise(normaliseText(word)))
const TERMS: ReadonlySet<string> = new Set(TOKENS.map((token) => token.term))
const RUNS = [
  ...new Set(TOKENS.filter((token) => token.script === 'dense').map((token) => token.source)),
].sort((a, b) => b.length - a.length)
const SHORTEST_BEGINNING = 4

/**
 * The words of a query that say which goods, without those that say what kind of thing; undefined where that changes nothing or
 * leaves nothing. The last word may be unfinished ("amazon gutsch").
 */
export function withoutGoodsWords(tokens: readonly Token[]): readonly Token[] | undefined {
  const kept = tokens.flatMap((token, i) => {
    if (TERMS.has(token.term) || (i > 0 && i === tokens.length - 1 && beginsGoodsWord(token.term)))
      return []
    return [token.script === 'dense' ? stripRun(token) : token]
  })
  const changed = kept.length !== tokens.length || kept.some((token, i) => token !== tokens[i])
  return changed && kept.length > 0 ? kept : undefined
}

function beginsGoodsWord(term: string): boolean {
  return term.length >= SHORTEST_BEGINNING && TOKENS.some((token) => token.term.startsWith(term))
}

/** An unspaced run without the word for the goods before or behind it: 原神充值 → 原神. */
function stripRun(token: Token): Token {
  const { source } = token
  for (const run of RUNS) {
    const rest = source.endsWith(run)
      ? source.slice(0, -run.length)
      : source.startsWith(run)
        ? source.slice(run.length)
        : ''
    const cut = source.endsWith(run) ? rest.length : run.length
    if (rest !== '' && isClusterStart(source, cut))
      return { term: rest, source: rest, script: 'dense' }
  }
  return token
}
