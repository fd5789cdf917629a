/** What suppliers call themselves, in every language; the tests hold it against the services that the program knows. */
const NAMES: Readonly<Record<string, string>> = {
  reloadly: 'Reloadly',
  seagm: 'SEAGM',
  dtone: 'DT One',
  kinguin: 'Kinguin',
  unipin: 'UniPin',
  digiflazz: 'Digiflazz',
  hook: 'Hook',
  lukado: 'Lukado',
}

/** A supplier as people know it; one of an owner's own is called what they call it. */
export const supplierName = (code: string): string => NAMES[code] ?? code
