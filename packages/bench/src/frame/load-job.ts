import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Sample } from './benchmark.ts'

export interface LoadRequest {
  /** Path and query. */
  readonly path: string
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Makes every request a different delivery: a unique number and `tail` follow `body`, and `x-hub-signature-256` signs
   * the result.
   */
  readonly numbered?: {
    readonly secret: string
    readonly tail: string
    /** Appends `/e0` to `/e<endpoints - 1>` to the path, in turn. @default the path is unchanged */
    readonly endpoints?: number
  }
}

export interface LoadJob {
  readonly url: string
  /** The requests that each connection repeats in order. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly durationMs: number
  /** Number of requests to send, instead of a duration. */
  readonly amount?: number
  /** Maximum requests per second over all connections. @default unlimited */
  readonly rate?: number
}

export interface LoadReport extends Required<Pick<Sample, 'value' | 'latency'>> {
  /** Number of answered requests. */
  readonly answered: number
  /** Number of requests without a 2xx response. */
  readonly failures: number
}

/**
 * Loads a server from a separate process.
 *
 * @throws Error if any request failed
 */
export async function load(job: LoadJob): Promise<Omit<LoadReport, 'failures'>> {
  const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)), { execArgv: [] })
  const { failures, ...report } = await new Promise<LoadReport>((resolve, reject) => {
    child.once('message', (report) => {
      resolve(report as LoadReport)
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      reject(new Error(`The load generator ended with ${String(code)} before it had a result`))
    })
    child.send(job)
  })
  if (failures > 0) throw new Error(`${failures} requests to ${job.url} failed`)
  return report
}
