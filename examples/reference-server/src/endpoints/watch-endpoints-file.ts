import { stat } from 'node:fs/promises'
import type { GatewayEndpoint } from '@sallyport/webhooks'
import { type Logger, logOutage } from '../logging/log.ts'
import { readEndpointsFile, type EndpointsFileOptions } from './endpoints-file.ts'

/** The endpoints of a file that is read again when it changes. */
export interface DeclaredEndpoints {
  readonly get: (id: string) => GatewayEndpoint | undefined
  /** The current notices for the operator. */
  readonly notices: () => readonly string[]
  readonly stop: () => void
}

export interface WatchOptions extends EndpointsFileOptions {
  readonly log: Pick<Logger, 'info' | 'debug' | 'error'>
  /** In milliseconds. @default 2,000 */
  readonly intervalMs?: number
}

/**
 * Reads a file of endpoints, and reads it again after a change. A file with a problem leaves the last valid endpoints in use.
 *
 * @throws Error when the first read finds a problem
 */
export async function watchEndpointsFile({
  log,
  intervalMs = 2000,
  ...file
}: WatchOptions): Promise<DeclaredEndpoints> {
  const logProblem = logOutage(log, 'ENDPOINTS_FILE has problems: the last valid endpoints stay in use')
  let problems: readonly string[] = []
  let stamp = await readStamp(file.path)
  const first = await readEndpointsFile(file)
  if (first.problems) throw new Error(first.problems.join('\n'))
  let { endpoints, notices } = first

  async function refresh(): Promise<void> {
    const present = await readStamp(file.path)
    if (present === stamp) {
      problems = []
      return
    }
    const read = await readEndpointsFile(file)
    if (read.problems) {
      // The stamp stays, so that a store of secrets that is available again is read.
      problems = read.problems
      logProblem(problems.join('; '))
      return
    }
    ;({ endpoints, notices } = read)
    stamp = present
    problems = []
    log.info({ endpoints: endpoints.size }, 'ENDPOINTS_FILE has changed: its endpoints are in use')
  }

  let refreshing: Promise<void> | undefined
  const timer = setInterval(() => {
    refreshing ??= refresh().finally(() => (refreshing = undefined))
  }, intervalMs).unref()
  return {
    get: (id) => endpoints.get(id),
    notices: () => [
      ...notices,
      ...(problems.length === 0
        ? []
        : [`ENDPOINTS_FILE has problems, and its last valid endpoints stay in use: ${problems.join('; ')}`]),
    ],
    stop() {
      clearInterval(timer)
    },
  }
}

/** Returns a text that differs after a change; undefined without a file. A mounted ConfigMap replaces a symbolic link. */
async function readStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return undefined
  }
}
