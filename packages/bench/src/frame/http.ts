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

/** A server that answers, until it is stopped. */
export interface RunningSide {
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** Its process, where it has one of its own. */
  readonly pid?: number
  readonly stop: () => Promise<void>
}

export interface HttpSide<Shared> extends Side {
  /** Starts it, in a process of its own: see `startServer`. */
  readonly start: (shared: Shared) => Promise<RunningSide>
  /** Where it is loaded otherwise than the others: by so many connections. */
  readonly connections?: number
  /** By these requests. */
  readonly requests?: (shared: Shared) => readonly LoadRequest[]
}

export interface HttpOptions<Shared> extends Declaration<HttpSide<Shared>> {
  /** @default 'requests/s' */
  readonly unit?: Unit
  /** Makes what all sides use. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Takes it away again. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** The same for all sides. */
  readonly requests: (shared: Shared) => readonly LoadRequest[]
  /** @default 32 */
  readonly connections?: number
  /** What part of the rate that saturates it each side is loaded with, such as 0.7. @default all that it takes */
  readonly share?: number
  /** What all sides have to agree on, of the body of each answer. */
  readonly agree: (body: unknown) => unknown
  /** @default 7 */
  readonly rounds?: number
}

/** A second is lost in the noise of a shared machine, and a minute makes nothing clearer. */
const defaultTurnMs = 3000

/**
 * Declares a comparison of servers under load: they run all the while, and are loaded one after the other, each turn
 * from a fresh process that keeps its connections open. A request that fails fails the benchmark.
 *
 * @throws TypeError for a declaration that contradicts itself
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
        const requestsOf = (side: HttpSide<Shared>) => (side.requests ?? options.requests)(shared)
        const results = []
        for (const { side, server } of running) {
          const result = []
          for (const request of requestsOf(side)) result.push(agree(await ask(server.url, request)))
          results.push({ side: side.name, result })
        }
        requireAgreement(results)

        const turn = ({ side, server, rate }: (typeof running)[number]): Promise<Sample> =>
          load({
            url: server.url,
            requests: requestsOf(side),
            connections: side.connections ?? options.connections ?? 32,
            durationMs: turnMs,
            ...(rate !== undefined && { rate }),
          })
        // The first turn compiles what is called, and counts for nobody.
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

async function ask(url: string, request: LoadRequest): Promise<unknown> {
  const { path, method = 'GET' } = request
  const { headers = {}, body = null } = request.numbered ? numberedDeliveries(request)() : request
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status} by ${url}`)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
