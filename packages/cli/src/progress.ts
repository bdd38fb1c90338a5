import type { Io } from './io.ts'

/** A progress bar in the last line of a terminal. */
export interface Progress {
  readonly show: (done: number, total: number) => void
  /** Removes the bar. */
  readonly end: () => void
}

const afterMs = 2000
const width = 20

/** Creates a progress bar, which appears after two seconds. Without a terminal, it shows nothing. */
export function createProgress(title: string, { now, status }: Pick<Io, 'now' | 'status'>): Progress {
  const startedAt = now()
  return {
    show(done, total) {
      if (status === undefined || now() - startedAt < afterMs) return
      const part = total === 0 ? 0 : Math.min(done / total, 1)
      const filled = Math.round(part * width)
      const bar = '#'.repeat(filled) + '-'.repeat(width - filled)
      status(`${title} [${bar}] ${Math.floor(part * 100)} %, ${done} of ${total}`)
    },
    end() {
      status?.(undefined)
    },
  }
}
