import { followFile, readStamp } from '@sallyport/internal/followed-file'
import type { DestinationSource } from '@sallyport/webhooks'
import type { HttpDestination } from '../http/index.ts'
import type { OpenedDestinations } from './open.ts'

/** The destinations of a file that is read again when it changes. */
interface FollowedDestinations extends DestinationSource {
  /** The problems of a changed file, for operators. */
  readonly notices: () => readonly string[]
  readonly close: () => Promise<void>
}

interface FollowOptions {
  /** The destinations of the file at the start. */
  readonly first: readonly HttpDestination[]
  /** Reads the file again. Unchanged destinations stay the same objects. */
  readonly read: () => OpenedDestinations
  /** The name of the file in messages. */
  readonly name: string
  /** The interval between two checks of the file, in milliseconds. @default 2000 */
  readonly intervalMs?: number
  /** Called with the number of destinations after a change. */
  readonly onChange?: (destinations: number) => void
  /** Called at each check while the file has problems. The message contains no secret and no address. */
  readonly onError?: (error: Error) => void
}

/** Running requests and their answers end within this time. In milliseconds. */
const closedAfterMs = 60_000

/**
 * Follows the destinations of a file, for the option `destinations` of `createWebhooks`. A file with a problem leaves the last
 * valid destinations in use.
 *
 * @param path undefined for destinations that do not change
 */
export async function followDestinations(
  path: string | undefined,
  { first, read, name, intervalMs = 2000, onChange, onError }: FollowOptions,
): Promise<FollowedDestinations> {
  const closeAll = async (some: readonly HttpDestination[]) => {
    await Promise.allSettled(some.map((one) => one.close()))
  }
  if (path === undefined)
    return { list: () => first, onChange: () => undefined, notices: () => [], close: () => closeAll(first) }
  const listeners = new Set<() => void>()
  let current = first
  const file = followFile(path, {
    ...{ first, intervalMs, onError, stamp: await readStamp(path) },
    read: () => {
      const { destinations, problems } = read()
      return Promise.resolve(problems.length > 0 ? { problems } : { content: destinations })
    },
    onChange(destinations) {
      const replaced = current.filter((one) => !destinations.includes(one))
      current = destinations
      for (const listener of listeners) listener()
      onChange?.(destinations.length)
      setTimeout(() => void closeAll(replaced), closedAfterMs).unref()
    },
  })
  return {
    list: file.get,
    onChange(listener) {
      listeners.add(listener)
    },
    notices() {
      const problems = file.problems()
      return problems.length === 0
        ? []
        : [`${name} has problems, and its last valid destinations stay in use: ${problems.join('; ')}`]
    },
    async close() {
      file.close()
      await closeAll(current)
    },
  }
}
