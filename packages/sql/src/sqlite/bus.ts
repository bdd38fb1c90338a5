import type { Kysely } from 'kysely'
import { embeddedBus, type EmbeddedBus } from '../bus/bus.ts'
import { fixedClock } from '../internal/clock.ts'
import type { InboxTables } from '../internal/tables.ts'
import type { CommitQueue } from './commit-queue.ts'

export interface SqliteBusOptions {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

export function sqliteBus(
  { commits, kysely }: { readonly commits: CommitQueue; readonly kysely: Kysely<InboxTables> },
  { now = Date.now }: SqliteBusOptions = {},
): EmbeddedBus {
  return embeddedBus(kysely, fixedClock(now), (events, bytes) =>
    commits.run('publish', { at: now(), events }, { bytes }),
  )
}
