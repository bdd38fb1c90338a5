import { keptForMs } from '@sallyport/internal/kept-heartbeats'
import type { ProcessReport, ProcessStore } from './store.ts'

interface Row {
  readonly report: ProcessReport
  readonly seenAt: number
  readonly aliveUntil: number
}

/**
 * Creates a store in memory, for a single process.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemoryProcessStore(now: () => number = Date.now): ProcessStore {
  const rows = new Map<string, Row>()

  function deleteExpired(at: number): void {
    const alive = [...rows.values()].filter(({ aliveUntil }) => aliveUntil > at)
    const covered = new Set(alive.map(({ report }) => report.roles.join()))
    for (const [id, { report, aliveUntil }] of rows) {
      const isReplaced = covered.has(report.roles.join())
      if (aliveUntil + keptForMs[isReplaced ? 'replaced' : 'unreplaced'] < at) rows.delete(id)
    }
  }

  return {
    save(report, aliveForMs) {
      const at = now()
      rows.set(report.id, { report, seenAt: at, aliveUntil: at + aliveForMs })
      deleteExpired(at)
      return Promise.resolve()
    },
    list() {
      const at = now()
      const states = [...rows.values()].map(({ report, seenAt, aliveUntil }) => {
        return { ...report, seenAt, isDead: aliveUntil <= at }
      })
      return Promise.resolve(
        states.sort((one, other) =>
          one.host === other.host ? one.startedAt - other.startedAt : one.host < other.host ? -1 : 1,
        ),
      )
    },
    remove(id) {
      rows.delete(id)
      return Promise.resolve()
    },
  }
}
