import { requireAgreement } from './agree.ts'
import { alternate } from './alternate.ts'
import { checkDeclaration, type Benchmark, type Declaration, type Side } from './benchmark.ts'
import { load, type LoadRequest } from './load-job.ts'

/** A server that answers, until it is stopped. */
export interface RunningSide {
  /** Its origin, such as `http://127.0.0.1:3000`. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export interface HttpSide<Shared> extends Side {
  /** Starts it, in a process of its own: see `startServer`. */
  readonly start: (shared: Shared) => Promise<RunningSide>
}

export interface HttpOptions<Shared> extends Declaration<HttpSide<Shared>> {
  /** Makes what all sides use. */
  readonly prepare: () => Shared | Promise<Shared>
  /** Takes it away again. */
  readonly release?: (shared: Shared) => void | Promise<void>
  /** The same for all sides. */
  readonly requests: (shared: Shared) => readonly LoadRequest[]
  /** @default 32 */
  readonly connections?: number
  /** What all sides have to agree on, of the body of each answer. */
  readonly agree: (body: unknown) => unknown
}

/** A second is lost in the noise of a shared machine, and a minute makes nothing clearer. */
const defaultTurnMs = 4000
const defaultRounds = 7

/**
 * Declares a comparison of servers under load: they run all the while, and are loaded one after the other, each turn
 * from a fresh process that keeps its connections open. A request that fails fails the benchmark.
 *
 * @throws TypeError for a declaration that contradicts itself
 */
export function defineHttp<Shared>(options: HttpOptions<Shared>): Benchmark {
  checkDeclaration(options)
  const { sides, prepare, release, connections = 32, agree } = options
  return {
    ...options,
    unit: 'requests',
    async measure({ rounds = defaultRounds, turnMs = defaultTurnMs }) {
      const shared = await prepare()
      const running: RunningSide[] = []
      try {
        for (const { start } of sides) running.push(await start(shared))
        const requests = options.requests(shared)
        const results = []
        for (const [index, { url }] of running.entries()) {
          const result = []
          for (const request of requests) result.push(agree(await ask(url, request)))
          results.push({ side: sides[index]?.name ?? '', result })
        }
        requireAgreement(results)

        const turn = ({ url }: RunningSide) => load({ url, requests, connections, durationMs: turnMs })
        // The first turn compiles what is called, and counts for nobody.
        await alternate(running, 1, turn)
        return await alternate(running, rounds, turn)
      } finally {
        for (const { stop } of running) await stop()
        await release?.(shared)
      }
    },
  }
}

async function ask(url: string, request: LoadRequest): Promise<unknown> {
  const { path, method = 'GET', headers = {}, body = null } = request
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status} by ${url}`)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
