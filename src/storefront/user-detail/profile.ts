import { textIn } from '#features/goods/catalogue/rules.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { formatDate } from '#platform/i18n/format.ts'
import type { PersonalPageContext } from '../page.ts'
import { ownerOf } from '../user/area.ts'

export interface ProfileData {
  readonly step: 'phone' | null
  /** Address of the picture; null without one. */
  readonly picture: string | null
  readonly nickname: string
  readonly userName: string
  readonly email: string
  readonly language: string
  readonly languages: readonly {
    readonly code: string
    readonly tag: string
    readonly name: string
  }[]
  readonly uid: string
  readonly registered: string
  /** Null without a verified one. */
  readonly mobile: string | null
  /** A number can be added here, as text messages can be sent. */
  readonly canAddMobile: boolean
  /** Countries that numbers can be of, the visitor's own chosen; empty while no number is being added. */
  readonly dialCodes: readonly {
    readonly country: string
    readonly name: string
    readonly code: string
    readonly isChosen: boolean
  }[]
}

export function profileData(page: PersonalPageContext): ProfileData {
  const person = ownerOf(page)
  const step =
    page.query.get('do') === 'phone' && (page.offer.isSmsPossible || person.mobileVerified)
      ? 'phone'
      : null
  return {
    step,
    picture: person.avatar === null ? null : uploadAddress(person.avatar),
    nickname: person.nickname,
    userName: person.userName,
    email: person.email,
    language: person.language,
    languages: LANGUAGES.map(({ code, tag, nativeName }) => ({ code, tag, name: nativeName })),
    uid: person.uid,
    registered: formatDate(page.language.code, person.registeredAt, page.timeZone),
    mobile: person.mobileVerified ? person.mobile : null,
    canAddMobile: page.offer.isSmsPossible,
    dialCodes: step === null ? [] : dialCodes(page),
  }
}

function dialCodes({ shop, language, country }: PersonalPageContext): ProfileData['dialCodes'] {
  const byName = new Intl.Collator(language.intl)
  return shop.countries
    .flatMap(({ code, name, phone }) =>
      phone
        ? [
            {
              country: code,
              name: textIn(name, language.code),
              code: `+${phone.callingCode.replace(/\D/g, '')}`,
              isChosen: code === country,
            },
          ]
        : [],
    )
    .sort((a, b) => byName.compare(a.name, b.name))
}
