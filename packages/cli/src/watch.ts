import { success, type Io } from './io.ts'

export interface WatchOptions {
  /** Whether to print again every two seconds. @default false */
  readonly watch?: boolean
}

const intervalMs = 2000

/** Prints once, or with `watch` every two seconds until Ctrl-C; a terminal is cleared before. */
export async function printOrWatch(
  render: () => Promise<readonly string[]>,
  { watch = false }: WatchOptions,
  io: Io,
): Promise<number> {
  if (!watch) {
    for (const line of await render()) io.out(line)
    return success
  }
  const signal = io.catchInterrupt?.() ?? new AbortController().signal
  const clear = io.columns === undefined ? '' : '\u001b[H\u001b[2J'
  while (!signal.aborted) {
    io.out(clear + (await render()).join('\n'))
    await io.sleep(intervalMs, signal)
  }
  return success
}
