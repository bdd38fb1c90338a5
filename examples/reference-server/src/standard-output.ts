import type { Writable } from 'node:stream'

/** Where lines go that somebody reads, or does not. */
export interface Output {
  /** Takes whole lines over; never waits for their reader. */
  write(lines: string): void
  /** Resolves once all lines are written, or after so long, in milliseconds. */
  flush(patienceMs: number): Promise<void>
}

export interface OutputOptions {
  /** Characters that may wait for a slow reader; past it, lines are left out. @default 16 MiB */
  readonly waiting?: number
  /** Told how many lines were left out, when there is room again. */
  readonly onOmitted?: (lines: number) => void
}

/**
 * Writes lines to a stream without ever waiting for it: whoever reads a log slowly, or not at all, is not to stop
 * deliveries from being taken. The lines of one turn of the event loop are written at once.
 *
 * What a turn has not written yet is lost when the process is killed, and written when it exits.
 */
export function outputTo(stream: Writable, options: OutputOptions = {}): Output {
  const { waiting = 16 * 1024 * 1024, onOmitted } = options
  let omitted = 0
  let isCorked = false

  function uncork(): void {
    isCorked = false
    stream.uncork()
  }
  process.on('exit', uncork)
  // A reader who has gone reads nothing of this either.
  stream.on('error', () => undefined)

  return {
    write(lines) {
      if (stream.destroyed) return
      if (stream.writableLength > waiting) {
        omitted++
        return
      }
      if (omitted > 0) {
        const count = omitted
        omitted = 0
        onOmitted?.(count)
      }
      if (!isCorked) {
        isCorked = true
        stream.cork()
        setImmediate(uncork)
      }
      stream.write(lines)
    },

    async flush(patienceMs) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise((resolve) => (timer = setTimeout(resolve, patienceMs)))
      const written = new Promise((resolve) => stream.write('', resolve))
      uncork()
      await Promise.race([written, patience])
      clearTimeout(timer)
    },
  }
}
