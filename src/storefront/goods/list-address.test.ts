import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedAddress,
  countFilters,
  formTarget,
  LIST_FAMILIES,
  listAddress,
  NO_FILTER,
  pageNumbers,
  type ListFilter,
} from './list-address.ts'

const { cards, topUp, product } = LIST_FAMILIES

describe('the address of a list', () => {
  it('is the hub when nothing is asked for', () => {
    expect(listAddress(cards, NO_FILTER)).toBe('/cards')
  })

  it('has a single category in its path', () => {
    expect(listAddress(topUp, { ...NO_FILTER, categories: ['pc-games'], platforms: ['pc'] })).toBe(
      '/top-up-category/pc-games?platform=pc',
    )
  })

  it('has a single platform in its path where there is such a path', () => {
    expect(listAddress(cards, { ...NO_FILTER, platforms: ['pc'] })).toBe('/card/platform/pc')
    expect(listAddress(topUp, { ...NO_FILTER, platforms: ['pc'] })).toBe('/top-up?platform=pc')
  })

  it('has several categories, and those of game products, in its query', () => {
    expect(listAddress(cards, { ...NO_FILTER, categories: ['music', 'streaming'] })).toBe(
      '/cards?category=music&category=streaming',
    )
    expect(listAddress(product, { ...NO_FILTER, categories: ['moba'] })).toBe(
      '/product?category=moba',
    )
  })

  it('keeps one order of parameters and leaves defaults out', () => {
    const filter: ListFilter = {
      categories: [],
      platforms: ['pc', 'web'],
      regions: ['us', 'eu'],
      priceMin: '1',
      priceMax: '20.50',
      inStock: true,
      sort: 'new',
      page: 3,
      limit: 96,
    }
    expect(listAddress(cards, filter)).toBe(
      '/cards?region=us&region=eu&platform=pc&platform=web&price_min=1&price_max=20.50&in_stock=1&sort=new&page=3&limit=96',
    )
  })

  it('starts at the first page when a filter changes', () => {
    expect(changedAddress(cards, { ...NO_FILTER, regions: ['us'], page: 4 }, { regions: [] })).toBe(
      '/cards',
    )
    expect(changedAddress(cards, { ...NO_FILTER, page: 4 }, { page: 5 })).toBe('/cards?page=5')
  })
})

describe('the filter form', () => {
  it('stays in the category of the path and carries those of the query', () => {
    expect(formTarget(cards, { ...NO_FILTER, categories: ['music'] })).toEqual({
      action: '/cards-category/music',
      hidden: [],
    })
    expect(formTarget(cards, { ...NO_FILTER, categories: ['music', 'home'], limit: 20 })).toEqual({
      action: '/cards',
      hidden: [
        ['category', 'music'],
        ['category', 'home'],
        ['limit', '20'],
      ],
    })
  })

  it('leaves a platform page for the hub, where its platform is a checkbox', () => {
    expect(formTarget(cards, { ...NO_FILTER, platforms: ['pc'] }).action).toBe('/cards')
  })

  it('counts each filter that is set', () => {
    expect(
      countFilters({
        ...NO_FILTER,
        categories: ['music'],
        platforms: ['pc'],
        regions: ['us', 'eu'],
        priceMax: '5',
        inStock: true,
      }),
    ).toBe(5)
  })
})

describe('the page numbers', () => {
  it('leave out what is far from the current page', () => {
    expect(pageNumbers(7, 20)).toEqual([1, null, 6, 7, 8, null, 20])
    expect(pageNumbers(1, 1)).toEqual([1])
    expect(pageNumbers(3, 5)).toEqual([1, 2, 3, 4, 5])
  })

  it('rise, begin with the first and end with the last, and never leave out a single page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (a, b) => {
        const [current, last] = [Math.min(a, b), Math.max(a, b)]
        const numbers = pageNumbers(current, last)
        expect(numbers[0]).toBe(1)
        expect(numbers.at(-1)).toBe(last)
        expect(numbers).toContain(current)
        numbers.forEach((page, index) => {
          if (page === null)
            expect((numbers[index + 1] ?? 0) - (numbers[index - 1] ?? 0)).toBeGreaterThan(2)
          else if (index > 0 && numbers[index - 1] !== null)
            expect(page).toBe((numbers[index - 1] ?? 0) + 1)
        })
      }),
    )
  })
})
