import { waitAtMost } from '@sallyport/internal/deadline'
import type { Writable } from 'node:stream'

/** Buffered output of log lines. */
export interface Output {
  /** Buffers whole lines; never blocks. */
  write(lines: string): void
  /** Resolves when all lines are written, or after a timeout in milliseconds. */
  flush(timeoutMs: number): Promise<void>
}

export interface OutputOptions {
  /** The largest number of buffered characters; over it, lines are dropped. @default 16 MiB */
  readonly waiting?: number
  /** Called with the number of dropped lines when the buffer has room again. */
  readonly onOmitted?: (lines: number) => void
}

/**
 * Writes lines to a stream without blocking, so that a slow reader of the log does not delay deliveries. The lines of one
 * turn of the event loop are written together.
 * Buffered lines are written when the process exits, and lost when it is killed.
 */
export function createOutput(stream: Writable, options: OutputOptions = {}): Output {
  const { waiting = 16 * 1024 * 1024, onOmitted } = options
  let omitted = 0
  let isCorked = false

  function uncork(): void {
    isCorked = false
    stream.uncork()
  }
  process.on('exit', uncork)
  // The reader has closed the stream.
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

    async flush(timeoutMs) {
      const written = new Promise((resolve) => stream.write('', resolve))
      uncork()
      await waitAtMost(timeoutMs, written)
    },
  }
}
