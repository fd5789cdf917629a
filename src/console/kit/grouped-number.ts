/** An order's number by fours, as it is read out. */
export const groupedNumber = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
