import { z } from 'zod'

/** What recurs in the shapes of goods, with its words in the published contract. */

export const code = (example: string) =>
  z.string().meta({
    description: 'Code in addresses: small letters, digits and hyphens',
    examples: [example],
  })
export const name = (example: string, description = "In the caller's language") =>
  z.string().meta({ description, examples: [example] })
export const picture = (example: string) =>
  z.string().meta({
    description: 'Address of the picture on this host; empty when there is none',
    examples: [example],
  })
export const path = (example: string) =>
  z.string().meta({
    description: 'Address of the page on this host, without language prefix',
    examples: [example],
  })
export const count = (description: string, example = 12) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })
export const percent = z
  .int()
  .min(0)
  .max(100)
  .meta({
    description: 'Whole percent off the compared price; 0 when there is none',
    examples: [10],
  })
