import type { PostalCodeName, RegionName } from '../rules.ts'

/**
 * How addresses are written, country by country. Facts of the Universal Postal Union's addressing sheets ("Postal addressing
 * systems") and the Unicode CLDR's postal code data, with the changes posts have announced since (Ireland 2015, Korea 2015,
 * Vietnam 2018, Cambodia 2021 …). Countries are ISO 3166-1 alpha-2.
 *
 * Forms of postal codes: `#` a digit, `@` a letter, `*` either; all else stands for itself. Blanks and hyphens are where the
 * post writes them; people may leave them out.
 */

/** Country → an example, then its forms. */
export const POSTAL_CODES: ReadonlyMap<string, readonly [example: string, ...forms: string[]]> =
  new Map(
    Object.entries<[string, ...string[]]>({
      AD: ['AD500', 'AD###'],
      AF: ['1001', '####'],
      AI: ['AI-2640', 'AI-####'],
      AL: ['1001', '####'],
      AM: ['0010', '####'],
      AR: ['C1070AAM', '@####@@@', '####'],
      AS: ['96799', '96799', '96799-####'],
      AT: ['1010', '####'],
      AU: ['2060', '####'],
      AX: ['22100', '22###'],
      AZ: ['AZ1000', 'AZ####'],
      BA: ['71000', '#####'],
      BB: ['BB11000', 'BB#####'],
      BD: ['1340', '####'],
      BE: ['1000', '####'],
      BG: ['1000', '####'],
      BH: ['317', '###', '####'],
      BL: ['97133', '97###'],
      BM: ['HM 12', '@@ **'],
      BN: ['BS8675', '@@####'],
      BR: ['40301-110', '#####-###'],
      BT: ['11001', '#####'],
      BY: ['220030', '######'],
      CA: ['K1A 0B1', '@#@ #@#'],
      CC: ['6799', '6799'],
      CH: ['8001', '####'],
      CL: ['8340457', '#######'],
      CN: ['100005', '######'],
      CO: ['110111', '######'],
      CR: ['10101', '#####'],
      CV: ['7600', '####'],
      CX: ['6798', '6798'],
      CY: ['1010', '####'],
      CZ: ['110 00', '### ##'],
      DE: ['10115', '#####'],
      DK: ['1050', '####'],
      DO: ['10101', '#####'],
      DZ: ['16000', '#####'],
      EC: ['170150', '######'],
      EE: ['10111', '#####'],
      EG: ['11511', '#####', '#######'],
      ES: ['28013', '#####'],
      ET: ['1000', '####'],
      FI: ['00100', '#####'],
      FK: ['FIQQ 1ZZ', 'FIQQ 1ZZ'],
      FM: ['96941', '9694#', '9694#-####'],
      FO: ['100', '###'],
      FR: ['75001', '#####'],
      GB: [
        'SW1A 1AA',
        '@# #@@',
        '@## #@@',
        '@@# #@@',
        '@@## #@@',
        '@#@ #@@',
        '@@#@ #@@',
        'GIR 0AA',
        'BFPO #',
        'BFPO ##',
        'BFPO ###',
        'BFPO ####',
      ],
      GE: ['0105', '####'],
      GF: ['97300', '973##'],
      GG: ['GY1 1AA', 'GY# #@@', 'GY## #@@'],
      GH: ['GA-144-1234', '@@-###-####', '@@-####-####', '@#-####-####'],
      GI: ['GX11 1AA', 'GX11 1AA'],
      GL: ['3900', '39##'],
      GN: ['001', '###'],
      GP: ['97100', '971##'],
      GR: ['105 57', '### ##'],
      GT: ['01001', '#####'],
      GU: ['96910', '969##', '969##-####'],
      GW: ['1000', '####'],
      HN: ['11101', '#####'],
      HR: ['10000', '#####'],
      HT: ['6110', '####'],
      HU: ['1051', '####'],
      ID: ['10110', '#####'],
      IE: ['A65 F4E2', '@#* ****'],
      IL: ['9614303', '#######', '#####'],
      IM: ['IM1 1AA', 'IM# #@@', 'IM## #@@'],
      IN: ['110001', '######'],
      IQ: ['10001', '#####'],
      IS: ['101', '###'],
      IT: ['00144', '#####'],
      JE: ['JE1 1AA', 'JE# #@@', 'JE## #@@'],
      JO: ['11118', '#####'],
      JP: ['100-0001', '###-####'],
      KE: ['00100', '#####'],
      KG: ['720001', '######'],
      KH: ['120101', '######', '#####'],
      KN: ['KN0101', 'KN####'],
      KR: ['03051', '#####'],
      KW: ['13009', '#####'],
      KY: ['KY1-1100', 'KY#-####'],
      KZ: ['010000', '######', '@##@#@#'],
      LA: ['01000', '#####'],
      LB: ['1107 2810', '#### ####', '####'],
      LC: ['LC04 101', 'LC## ###'],
      LI: ['9490', '94##'],
      LK: ['00100', '#####'],
      LR: ['1000', '####'],
      LS: ['100', '###'],
      LT: ['01103', '#####'],
      LU: ['1009', '####'],
      LV: ['LV-1050', 'LV-####'],
      MA: ['10000', '#####'],
      MC: ['98000', '980##'],
      MD: ['2001', '####'],
      ME: ['81000', '8####'],
      MF: ['97150', '97###'],
      MG: ['101', '###'],
      MH: ['96960', '969##', '969##-####'],
      MK: ['1000', '####'],
      MM: ['11181', '#####', '#######'],
      MN: ['14200', '#####', '######'],
      MP: ['96950', '9695#', '9695#-####'],
      MQ: ['97200', '972##'],
      MS: ['MSR1110', 'MSR####'],
      MT: ['VLT 1117', '@@@ ####'],
      MU: ['11328', '#####'],
      MV: ['20026', '#####'],
      MX: ['06000', '#####'],
      MY: ['50050', '#####'],
      MZ: ['1100', '####'],
      NA: ['10001', '#####'],
      NC: ['98800', '988##'],
      NE: ['8001', '####'],
      NF: ['2899', '2899'],
      NG: ['100001', '######'],
      NI: ['11001', '#####'],
      NL: ['1012 JS', '#### @@'],
      NO: ['0150', '####'],
      NP: ['44600', '#####'],
      NR: ['NRU68', 'NRU68'],
      NZ: ['6011', '####'],
      OM: ['100', '###'],
      PA: ['0801', '####'],
      PE: ['15001', '#####'],
      PF: ['98714', '987##'],
      PG: ['111', '###'],
      PH: ['1000', '####'],
      PK: ['44000', '#####'],
      PL: ['00-001', '##-###'],
      PM: ['97500', '97500'],
      PR: ['00901', '00###', '00###-####'],
      PT: ['1100-148', '####-###'],
      PW: ['96940', '96940', '96940-####'],
      PY: ['1209', '####', '######'],
      RE: ['97400', '974##'],
      RO: ['010011', '######'],
      RS: ['11000', '#####', '######'],
      RU: ['101000', '######'],
      SA: ['11564', '#####', '#####-####'],
      SD: ['11111', '#####'],
      SE: ['111 22', '### ##'],
      SG: ['018956', '######'],
      SH: ['STHL 1ZZ', 'STHL 1ZZ', 'ASCN 1ZZ', 'TDCU 1ZZ'],
      SI: ['1000', '####'],
      SJ: ['9170', '####'],
      SK: ['811 01', '### ##'],
      SM: ['47890', '4789#'],
      SN: ['12500', '#####'],
      SO: ['BN 03040', '@@ #####'],
      SV: ['1101', '####'],
      SZ: ['H100', '@###'],
      TC: ['TKCA 1ZZ', 'TKCA 1ZZ'],
      TH: ['10200', '#####'],
      TJ: ['734025', '######'],
      TM: ['744000', '######'],
      TN: ['1000', '####'],
      TR: ['06101', '#####'],
      TT: ['100101', '######'],
      TW: ['100', '###', '#####', '######'],
      TZ: ['11101', '#####'],
      UA: ['01001', '#####'],
      US: ['95014', '#####', '#####-####'],
      UY: ['11000', '#####'],
      UZ: ['100000', '######'],
      VA: ['00120', '00120'],
      VC: ['VC0100', 'VC####'],
      VE: ['1010', '####', '####-@'],
      VG: ['VG1110', 'VG####'],
      VI: ['00802', '008##', '008##-####'],
      VN: ['10000', '#####', '######'],
      WF: ['98600', '986##'],
      WS: ['WS1382', 'WS####'],
      YT: ['97600', '976##'],
      ZA: ['0001', '####'],
      ZM: ['10101', '#####'],
    }),
  )

/** Without postal codes, or with ones that nobody writes. */
export const WITHOUT_POSTAL_CODE = countries(
  'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK JM KI KM ML MO MR MW NU QA RW SB SC SL SR ST SX TD TG TK TO TV UG VU YE ZW',
)

/** Where postal codes exist but their form is not settled: any is taken. */
export const OPEN_POSTAL_CODE = countries('LY PS SS TL')

/** An address is not complete without its postal code. */
export const POSTAL_CODE_REQUIRED = countries(
  'AS AT AU AX BE BG BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GU HR HU IM IN IT JE JP KR LI LT LU LV MC MF MH MP MQ MX MY NC NL NO NZ ' +
    'PL PM PR PT PW RE RO RU SE SG SI SJ SK SM TC TH TR TW UA US VI WF YT ZA',
)

/** What the postal code is called where it has a name of its own. */
export const POSTAL_CODE_NAMES: Readonly<
  Record<Exclude<PostalCodeName, 'postal'>, ReadonlySet<string>>
> = {
  zip: countries('AS FM GU MH MP PH PR PW US VI'),
  pin: countries('IN'),
  eircode: countries('IE'),
}

/** The part of the country an address names; countries in none of these lists name none. */
export const REGION_NAMES: Readonly<Record<RegionName, ReadonlySet<string>>> = {
  state: countries('AU BR IN MM MX MY NG SD SS US VE'),
  province: countries(
    'AF AO AR CA CD CN CR DO DZ EC ES GQ ID IT KE KG KH KR LA LK MG MN MZ NP PA PG PH PK RW SA SB TH TJ TM TR VN VU ZA ZM ZW',
  ),
  prefecture: countries('JP'),
  emirate: countries('AE'),
  county: countries('GB IE LR TW'),
  region: countries('BY CL CM ET GE GH GN KZ MA NA PE RU SN SO TG TZ UA UG UZ'),
  department: countries('BO CO GT HN HT NI PY SV UY'),
  parish: countries('BB GD JM'),
  island: countries('BS CV KI KN KY PF SC TV'),
  district: countries('BD BZ NR SR'),
  governorate: countries('BH EG IQ JO KW LB OM PS TN YE'),
  area: countries('HK'),
}

/** An address is not complete without its region. */
export const REGION_REQUIRED = countries('AE AU BR CA CN IN JP KR MX US')

/** The surname is written and asked for first. */
export const SURNAME_FIRST = countries('CN HK HU JP KH KR MO TW VN')

/** Addresses go from the large to the small: postal code, region, street. */
export const LARGE_TO_SMALL = countries('CN JP KR TW')

/** The postal code stands before the town, so that it is asked for before the region. */
export const POSTAL_CODE_BEFORE_TOWN = countries(
  'AD AR AT AX AZ BA BE BG BL BY CH CL CR CV CY CZ DE DK DO DZ EC EE ES ET FI FO FR GE GF GL GN GP GR GT GW HR HT IL IS IT KW LA LI LR LT LU MA MC MD ME MF MG MK ' +
    'MQ MX MY MZ NC NE NI NL NO OM PF PL PM PT PY RE RO RS SE SI SJ SK SM SN SV TJ TM TN TR UY UZ VA WF YT ZM',
)

function countries(codes: string): ReadonlySet<string> {
  return new Set(codes.split(' '))
}
