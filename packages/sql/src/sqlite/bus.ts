import { embeddedBus, type EmbeddedBus } from '../bus/bus.ts'
import { fixedClock } from '../internal/clock.ts'
import type { Storage } from './inbox.ts'

export interface SqliteBusOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

export function sqliteBus(
  { commits, kysely, bodyEvents, schema, vault, bodies }: Storage,
  { now = Date.now }: SqliteBusOptions = {},
): EmbeddedBus {
  return embeddedBus({
    kysely,
    clock: fixedClock(now),
    bodyEvents,
    schema,
    vault,
    bodies,
    append: (events, bytes) => commits.run('publish', { at: now(), events }, { bytes }),
  })
}
