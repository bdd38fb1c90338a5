import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** The content of a file, or the problems of a changed file. */
export type ReadContent<Content> =
  | { readonly content: Content; readonly problems?: never }
  | { readonly problems: readonly string[]; readonly content?: never }

export interface FollowedFile<Content> {
  /** Returns the last valid content. */
  readonly get: () => Content
  /** The problems of a changed file, whose last valid content stays in use. */
  readonly problems: () => readonly string[]
  readonly close: () => void
}

interface FollowOptions<Content> {
  /** The content at the start, and the stamp of the file from before it was read. */
  readonly first: Content
  readonly stamp: string | undefined
  readonly read: () => Promise<ReadContent<Content>>
  readonly intervalMs: number
  readonly onChange: (content: Content) => void
  /** Called at each check while the file has problems. */
  readonly onError: ((error: Error) => void) | undefined
}

/** How long a file stays as it is before it is read, in milliseconds. */
const settledMs = 100

/** Reads a file again when it changes. A file with a problem leaves the last valid content in use. */
export function followFile<Content>(path: string, options: FollowOptions<Content>): FollowedFile<Content> {
  const { read, intervalMs, onChange, onError } = options
  let { first: content, stamp } = options
  let problems: readonly string[] = []

  async function refresh(): Promise<void> {
    const present = await readStamp(path)
    if (present === stamp) {
      problems = []
      return
    }
    // The start of a file that is being written can be valid. The next check reads it.
    await sleep(settledMs)
    if ((await readStamp(path)) !== present) return
    const next = await read()
    problems = next.problems ?? []
    if (next.problems) {
      // The stamp stays, so that a store of secrets that is available again is read.
      onError?.(new Error(problems.join('; ')))
      return
    }
    content = next.content
    stamp = present
    onChange(content)
  }

  let refreshing: Promise<void> | undefined
  const timer = setInterval(() => {
    refreshing ??= refresh().finally(() => (refreshing = undefined))
  }, intervalMs).unref()
  return {
    get: () => content,
    problems: () => problems,
    close() {
      clearInterval(timer)
    },
  }
}

/** Returns a text that differs after a change; undefined without a file. A mounted ConfigMap replaces a symbolic link. */
export async function readStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return undefined
  }
}
