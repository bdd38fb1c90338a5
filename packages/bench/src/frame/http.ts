import { requireAgreement } from './agree.ts'
import { alternate } from './alternate.ts'
import {
  checkDeclaration,
  type Benchmark,
  type Declaration,
  type Sample,
  type Side,
  type Unit,
} from './benchmark.ts'
import { load, type LoadRequest } from './load-job.ts'
import { numberedDeliveries } from './numbered.ts'

/** A running server. */
export interface RunningSide {
  /** The origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** The process id, if the server has a separate process. */
  readonly pid?: number
  readonly stop: () => Promise<void>
}

export interface HttpSide<Shared> extends Side {
  /** Starts the server in a separate process; see `startServer`. */
  readonly start: (shared: Shared) => Promise<RunningSide>
  /** Overrides the number of connections. */
  readonly connections?: number
  /** Overrides the requests. */
  readonly requests?: (shared: Shared) => readonly LoadRequest[]
}

export interface HttpOptions<Shared> extends Declaration<HttpSide<Shared>> {
  /** @default 'requests/s' */
  readonly unit?: Unit
  /** Prepares what all sides share. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Releases what `prepare` returned. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** The requests, the same for all sides. */
  readonly requests: (shared: Shared) => readonly LoadRequest[]
  /** @default 32 */
  readonly connections?: number
  /** The load as a fraction of the maximum rate of each side, such as 0.7. @default the maximum */
  readonly share?: number
  /** Extracts the part of each response body that must be equal for all sides. */
  readonly agree: (body: unknown) => unknown
  /** @default 7 */
  readonly rounds?: number
}

/** Long enough for a shared machine; longer turns do not improve the result. */
const defaultTurnMs = 3000

/**
 * Declares a comparison of servers under load. All servers run for the whole measurement and are loaded in turn, each turn
 * from a new process with keep-alive connections. A failed request fails the benchmark.
 *
 * @throws TypeError for an invalid declaration
 */
export function defineHttp<Shared>(options: HttpOptions<Shared>): Benchmark {
  checkDeclaration(options)
  const { sides, prepare, release, agree, share, unit = 'requests/s', rounds: usual = 5 } = options
  return {
    ...options,
    unit,
    async measure({ rounds = usual, turnMs = defaultTurnMs }) {
      const shared = await prepare()
      const running: { side: HttpSide<Shared>; server: RunningSide; rate?: number }[] = []
      try {
        for (const side of sides) running.push({ side, server: await side.start(shared) })
        const getRequests = (side: HttpSide<Shared>) => (side.requests ?? options.requests)(shared)
        const results = []
        for (const { side, server } of running) {
          const result = []
          for (const loadRequest of getRequests(side))
            result.push(agree(await request(server.url, loadRequest)))
          results.push({ side: side.name, result })
        }
        requireAgreement(results)

        const turn = ({ side, server, rate }: (typeof running)[number]): Promise<Sample> =>
          load({
            url: server.url,
            requests: getRequests(side),
            connections: side.connections ?? options.connections ?? 32,
            durationMs: turnMs,
            ...(rate !== undefined && { rate }),
          })
        // The first turn warms up the JIT compiler and is not counted.
        await alternate(running, 1, turn)
        if (share === undefined) return await alternate(running, rounds, turn)

        const full = await alternate(running, 1, turn)
        const paced = running.map((one, index) => ({ ...one, rate: (full[index]?.[0]?.value ?? 1) * share }))
        return await alternate(paced, rounds, turn)
      } finally {
        for (const { server } of running) await server.stop()
        await release?.(shared)
      }
    },
  }
}

async function request(url: string, loadRequest: LoadRequest): Promise<unknown> {
  const { method = 'GET' } = loadRequest
  const {
    path,
    headers = {},
    body = null,
  } = loadRequest.numbered ? numberedDeliveries(loadRequest)() : loadRequest
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returns ${response.status} from ${url}`)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
