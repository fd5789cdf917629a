import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { ADDRESS_LENGTH_MAX, type AddressInput } from '../rules.ts'
import { checkAddress } from './check.ts'
import * as data from './countries.ts'
import { addressForm } from './form.ts'
import { fitPostalCode, westernDigits } from './postal-code.ts'

const { countries } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'catalogue/countries.json'), 'utf8'),
) as { countries: { code: string; on_sale: boolean }[] }
const shopCountries = new Map(countries.map(({ code, on_sale }) => [code, { isOnSale: on_sale }]))
const sold = countries.filter((country) => country.on_sale).map((country) => country.code)

const address = (changes: Partial<AddressInput> = {}): AddressInput => ({
  country: 'ID',
  region: 'Jawa Barat',
  first_name: 'Rizky',
  surname: 'Pratama',
  address: 'Jalan Braga 10, Bandung',
  postal_code: '40111',
  ...changes,
})
const check = (changes: Partial<AddressInput>) => checkAddress(address(changes), shopCountries)
const kept = (changes: Partial<AddressInput>) => {
  const checked = check(changes)
  return 'address' in checked ? checked.address : checked.problems
}
const reasons = (changes: Partial<AddressInput>) => {
  const checked = check(changes)
  return 'problems' in checked
    ? Object.fromEntries(checked.problems.map(({ field, reason }) => [field, reason]))
    : {}
}

describe('the table of countries', () => {
  test('every country the shop sells to is in exactly one list of postal codes', () => {
    for (const code of sold) {
      const lists = [
        data.POSTAL_CODES.has(code),
        data.WITHOUT_POSTAL_CODE.has(code),
        data.OPEN_POSTAL_CODE.has(code),
      ]
      expect([code, lists.filter(Boolean).length]).toEqual([code, 1])
    }
  })

  test('every example is written as its country writes it and fits on its line', () => {
    for (const [code, [example, ...forms]] of data.POSTAL_CODES) {
      expect([code, fitPostalCode(code, example, forms)]).toEqual([code, example])
      for (const form of forms) expect(form).toMatch(/^[#@*A-Z0-9 -]{3,12}$/)
    }
  })

  test('lists name known countries, and no country has two names for its region', () => {
    const known = new Set(countries.map(({ code }) => code))
    const regions = Object.values(data.REGION_NAMES)
    const required = [data.POSTAL_CODE_REQUIRED, data.REGION_REQUIRED]
    const lists = [
      ...regions,
      ...required,
      ...Object.values(data.POSTAL_CODE_NAMES),
      data.WITHOUT_POSTAL_CODE,
      data.OPEN_POSTAL_CODE,
      data.SURNAME_FIRST,
      data.LARGE_TO_SMALL,
      data.POSTAL_CODE_BEFORE_TOWN,
    ]
    for (const list of lists) for (const code of list) expect(known.has(code), code).toBe(true)
    for (const code of known)
      expect(regions.filter((list) => list.has(code)).length, code).toBeLessThanOrEqual(1)
    for (const code of data.POSTAL_CODE_REQUIRED)
      expect(data.POSTAL_CODES.has(code), code).toBe(true)
    for (const code of data.REGION_REQUIRED)
      expect(
        regions.some((list) => list.has(code)),
        code,
      ).toBe(true)
  })
})

describe('forms', () => {
  test('ask in the order and with the names of the country', () => {
    expect(addressForm('US')).toEqual({
      country: 'US',
      fields: ['country', 'first_name', 'surname', 'address', 'region', 'postal_code'],
      region: { name: 'state', isRequired: true },
      postalCode: { name: 'zip', isRequired: true, example: '95014', isDigitsOnly: false },
    })
    expect(addressForm('JP').fields).toEqual([
      'country',
      'surname',
      'first_name',
      'postal_code',
      'region',
      'address',
    ])
    expect(addressForm('DE').fields).toEqual([
      'country',
      'first_name',
      'surname',
      'address',
      'postal_code',
    ])
    expect(addressForm('HU').fields).toEqual([
      'country',
      'surname',
      'first_name',
      'address',
      'postal_code',
    ])
    expect(addressForm('AE')).toMatchObject({
      region: { name: 'emirate', isRequired: true },
      postalCode: null,
    })
    expect(addressForm('IN').postalCode).toEqual({
      name: 'pin',
      isRequired: true,
      example: '110001',
      isDigitsOnly: true,
    })
    expect(addressForm('HK').fields).toEqual([
      'country',
      'surname',
      'first_name',
      'address',
      'region',
    ])
  })

  test('a country the table does not know is asked for everything and nothing is insisted on', () => {
    for (const code of ['AQ', 'toString', '__proto__']) {
      expect(addressForm(code)).toMatchObject({
        region: { name: 'region', isRequired: false },
        postalCode: { isRequired: false, example: '' },
      })
    }
  })
})

describe('postal codes', () => {
  test.each([
    ['US', '95014', '95014'],
    ['US', '950141234', '95014-1234'],
    ['US', ' 95014 - 1234 ', '95014-1234'],
    ['CA', 'k1a0b1', 'K1A 0B1'],
    ['GB', 'sw1a1aa', 'SW1A 1AA'],
    ['GB', 'm1 1ae', 'M1 1AE'],
    ['GB', 'GIR0AA', 'GIR 0AA'],
    ['JP', '1000001', '100-0001'],
    ['JP', '〒１００－０００１', '100-0001'],
    ['JP', '100ー0001', '100-0001'],
    ['NL', '1012js', '1012 JS'],
    ['DE', 'D-10115', '10115'],
    ['DE', 'DE 10115', '10115'],
    ['SE', 'SE-11122', '111 22'],
    ['CZ', '11000', '110 00'],
    ['LV', '1050', 'LV-1050'],
    ['LV', 'lv1050', 'LV-1050'],
    ['AD', '500', 'AD500'],
    ['PL', '00 001', '00-001'],
    ['PT', '1100148', '1100-148'],
    ['BR', '40301110', '40301-110'],
    ['IE', 'd6wxh02', 'D6W XH02'],
    ['EG', '١١٥١١', '11511'],
    ['IN', '११०००१', '110001'],
    ['MM', '၁၁၁၈၁', '11181'],
    ['TH', '๑๐๒๐๐', '10200'],
    ['SA', '\u200f11564\u200f', '11564'],
    ['BD', '১৩৪০', '1340'],
  ])('in %s %j is written %j', (country, typed, written) => {
    expect(kept({ country, region: 'Somewhere', postal_code: typed })).toMatchObject({
      postal_code: written,
    })
  })

  test.each([
    ['US', '9501'],
    ['US', 'ABCDE'],
    ['DE', '1011'],
    ['DE', 'XX10115'],
    ['GB', '1 1AA'],
    ['CA', 'K1A 0B'],
    ['JP', '100'],
    ['SG', '12345'],
    ['MC', '75001'],
    ['LY', '<b>'],
    ['FR', "75001' or 1=1"],
  ])('in %s %j is refused with an example', (country, typed) => {
    expect(check({ country, region: 'Somewhere', postal_code: typed })).toEqual({
      problems: [
        {
          field: 'postal_code',
          reason: 'postal_code',
          params: { example: addressForm(country).postalCode?.example || '10000' },
        },
      ],
    })
  })

  test('are asked for where an address is not complete without, and left empty where there are none', () => {
    expect(reasons({ country: 'DE', postal_code: '' })).toEqual({ postal_code: 'required' })
    expect(reasons({ country: 'DE', postal_code: ' - ' })).toEqual({ postal_code: 'required' })
    expect(kept({ country: 'CO', postal_code: '-' })).toMatchObject({ postal_code: '' })
    expect(kept({ country: 'AE', region: 'Dubai', postal_code: '00000' })).toMatchObject({
      postal_code: '',
    })
    expect(kept({ country: 'DE', postal_code: '10115', region: 'Berlin' })).toMatchObject({
      region: '',
    })
  })

  test('digits of every script mean the same', () => {
    expect(
      westernDigits(
        '٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ०१२३४५६७८९ ０１２３４５６７８９ 𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗 ႐႑႒ ၀၁၂၃၄၅၆၇၈၉',
      ),
    ).toBe('0123456789 0123456789 0123456789 0123456789 0123456789 012 0123456789')
  })
})

describe('an address', () => {
  test('is kept trimmed and composed, with pasted lines made one', () => {
    expect(
      kept({
        first_name: ' Re\u0301my ',
        surname: 'van\u00a0der  Berg',
        address: '10 Rue X\r\n  2e étage\n75001 Paris ',
      }),
    ).toMatchObject({
      first_name: 'Rémy',
      surname: 'van der Berg',
      address: '10 Rue X, 2e étage, 75001 Paris',
    })
    expect(kept({ country: ' id ' })).toMatchObject({ country: 'ID' })
  })

  test('takes names of every script', () => {
    for (const name of [
      'محمد',
      '山田',
      'Nguyễn',
      "O'Brien",
      'रवि‍',
      'มานี',
      'J.',
      '𠮷田',
      'Müller-Lüdenscheidt',
    ])
      expect(kept({ first_name: name, surname: name })).toMatchObject({ first_name: name })
  })

  test('says at each field what is wrong with it', () => {
    expect(
      reasons({
        country: 'US',
        region: '',
        first_name: ' ',
        surname: '...',
        address: '',
        postal_code: '',
      }),
    ).toEqual({
      region: 'required',
      first_name: 'required',
      surname: 'required',
      address: 'required',
      postal_code: 'required',
    })
    expect(
      reasons({
        first_name: 'a'.repeat(101),
        address: '𠮷'.repeat(301),
        region: 'r'.repeat(101),
        postal_code: '1'.repeat(21),
      }),
    ).toEqual({
      first_name: 'too_long',
      address: 'too_long',
      region: 'too_long',
      postal_code: 'too_long',
    })
    expect(reasons({ address: '𠮷'.repeat(300) })).toEqual({})
    expect(check({ surname: 'a'.repeat(101) })).toEqual({
      problems: [{ field: 'surname', reason: 'too_long', params: { max: 100 } }],
    })
  })

  test('refuses control characters, turned text and broken characters', () => {
    for (const char of [
      '\0',
      '\u0007',
      '\u001b',
      '\u007f',
      '\u202e',
      '\u2066',
      '\ud800',
      '\ufeffx',
      '\ufffd',
      '\ue000',
    ])
      expect(reasons({ surname: `Pra${char}tama` })).toEqual({ surname: 'hidden_characters' })
  })

  test('belongs to a country the shop sells to', () => {
    expect(reasons({ country: '' })).toEqual({ country: 'required' })
    for (const country of ['XX', 'AQ', 'Indonesia', '__proto__', '\0', 'KP'])
      expect(reasons({ country })).toEqual({ country: 'country_unknown' })
  })

  test('whatever is typed, what is kept fits its columns and is kept again as it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 320 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string(),
      fc.constantFrom('10115', 'SW1A 1AA', '１２３', ''),
    )
    fc.assert(
      fc.property(
        fc.record({
          country: fc.oneof(fc.constantFrom(...sold), text),
          region: text,
          first_name: text,
          surname: text,
          address: text,
          postal_code: text,
        }),
        (input) => {
          const checked = checkAddress(input, shopCountries)
          if ('problems' in checked) {
            expect(checked.problems).not.toEqual([])
            return
          }
          for (const [field, max] of Object.entries(ADDRESS_LENGTH_MAX)) {
            const value = checked.address[field as keyof typeof ADDRESS_LENGTH_MAX]
            expect([...value].length).toBeLessThanOrEqual(max)
            expect(value).not.toMatch(/[\0\r\n]/)
          }
          expect(checkAddress(checked.address, shopCountries)).toEqual(checked)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
