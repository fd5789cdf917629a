export { readEffect, type Effect } from './read/effect.ts'
