/**
 * What people call countries and regions besides the names that dictionaries give them: abbreviations, older names and, for the
 * largest, adjectives. By region code; read in every language.
 */
export const PLACE_WORDS: Readonly<Record<string, readonly string[]>> = {
  ae: ['UAE', 'Emirates', 'Dubai', 'Emirate', 'ОАЭ', 'إماراتي', '阿联酋', '阿聯酋'],
  cd: ['Congo Kinshasa', 'DRC', 'RDC'],
  ci: ['Ivory Coast'],
  cn: ['PRC'],
  cz: ['Czech Republic'],
  de: ['German'],
  eu: ['EU', 'Euro', 'Eurozone', 'Европа', 'ЕС'],
  gb: ['UK', 'Britain', 'Great Britain', 'England', 'Англия', 'Inggris', 'بريطانيا'],
  global: ['Worldwide', 'International'],
  jp: ['Japanese'],
  kr: ['Korea', 'Korean', 'Corea', 'Corée', 'Корея', '한국'],
  latam: ['LATAM'],
  mena: ['MENA', 'الشرق الأوسط'],
  mm: ['Burma'],
  nl: ['Holland', 'Голландия'],
  ph: ['Pinas', 'Pilipinas'],
  pl: ['Polska'],
  ru: ['РФ'],
  sa: ['KSA', 'Saudi', 'سعودي'],
  sea: ['SEA', 'Asia'],
  tr: ['Turkey', 'Turkish', 'Türkei', 'Turkiye', 'TL', 'تركي', '터키'],
  ua: ['Україна'],
  us: [
    'USA', 'America', 'American', 'Amerika', 'Amérique', 'EEUU', 'EUA', 'Mỹ', 'США', 'Америка', 'أمريكا', 'أمريكي', 'アメリカ', 'อเมริกา', '美区', '美區',
  ],
  vn: ['Viet Nam'],
  za: ['RSA'],
}
