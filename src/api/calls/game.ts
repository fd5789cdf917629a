import { z } from 'zod'
import { findGame, listGames, onlyKnown } from '#features/goods/browse/queries.ts'
import { readGameQuery } from '#features/goods/browse/schema.ts'
import { gameDetail } from '#features/goods/browse/view/detail.ts'
import { gameCardShape, gameDetailShape } from '#features/goods/browse/view/shapes.ts'
import { gameCard } from '#features/goods/browse/views.ts'
import { AppError } from '#kernel/error.ts'
import { mapPerhapsInTurns } from '#platform/turns.ts'
import { readingCall } from '../call.ts'
import { codeParameter, keywordsParameter, listParameters, pagedShape } from '../parameters.ts'

export const gameIndex = readingCall({
  path: 'game/index',
  summary: 'List games',
  description:
    'Games with goods on sale, by match where there are keywords, else by popularity, or as `sort` says. A game fits where one of its goods has the region, the price and the stock asked for; it is sorted by the price of its cheapest goods.',
  query: z.object({ keywords: keywordsParameter, ...listParameters }),
  data: pagedShape(gameCardShape).meta({ id: 'GamePage' }),
  mayMiss: false,
  example: { page: 1, limit: 10 },
  read: (params, view) => onlyKnown(view.shop, readGameQuery(params, view.currency), 'game'),
  isFreeText: ({ keywords }) => keywords !== '',
  answer: (view, query) => {
    const page = listGames(view.shop, query, view.language, view.currency)
    const list = mapPerhapsInTurns(page.list, (game) => gameCard(view, game))
    return list instanceof Promise
      ? list.then((made) => ({ ...page, list: made }))
      : { ...page, list }
  },
})

export const gameDetailCall = readingCall({
  path: 'game/detail',
  summary: 'Show one game',
  description: 'Its top-ups, cards and keys, and the news about it.',
  query: z.object({ code: codeParameter('Code of a game') }),
  data: gameDetailShape,
  mayMiss: true,
  example: { code: 'mobile-legends' },
  read: (params) => ({ code: params.get('code') ?? '' }),
  answer: (view, { code }) => {
    const game = findGame(view.shop, code)
    if (!game) throw new AppError('not_found')
    return gameDetail(view, game, view.timeZone)
  },
})
