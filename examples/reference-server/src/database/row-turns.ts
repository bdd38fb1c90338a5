import { setTimeout } from 'node:timers/promises'
import { contended } from './contention.ts'

/** Does something when those who asked before with the same key have done theirs. */
export type RowTurns = <T>(key: string, act: () => Promise<T>) => Promise<T>

/**
 * Has those who change the same row in this process do it one after the other: of many at once, most would lose their race
 * again and again. Who has waited for long enough gives up.
 *
 * @param patienceMs in milliseconds; 10,000 by default
 */
export function createRowTurns(patienceMs = 10_000): RowTurns {
  const last = new Map<string, Promise<void>>()

  return async (key, act) => {
    const before = last.get(key)
    const { promise: done, resolve: end } = Promise.withResolvers<undefined>()
    // Whoever gives up lets nobody past those before it.
    const ended = (before ?? Promise.resolve()).then(() => done)
    last.set(key, ended)
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    try {
      if (before !== undefined && !(await endsWithin(before, patienceMs))) throw contended()
      return await act()
    } finally {
      end(undefined)
    }
  }
}

async function endsWithin(ended: Promise<void>, forMs: number): Promise<boolean> {
  const cancel = new AbortController()
  try {
    return await Promise.race([ended.then(() => true), setTimeout(forMs, false, cancel)])
  } finally {
    cancel.abort()
  }
}
