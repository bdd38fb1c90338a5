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
   * Makes every request another delivery: at the end of its body, behind `body`, come a number that no other has and
   * `tail`, and `x-hub-signature-256` signs it all.
   */
  readonly numbered?: { readonly secret: string; readonly tail: string }
}

export interface LoadJob {
  readonly url: string
  /** Sent by each connection in turn, over and over. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly durationMs: number
  /** Sends so many requests instead, however long it takes. */
  readonly amount?: number
  /** Requests a second at most, over all connections. @default as many as are answered */
  readonly rate?: number
}

export interface LoadReport extends Required<Pick<Sample, 'value' | 'latency'>> {
  /** Requests that were answered. */
  readonly answered: number
  /** Requests without an answer, or with one that is not 2xx. */
  readonly failures: number
}

/**
 * Loads a server from another process, and tells how it went.
 *
 * @throws Error when a single request failed: how fast somebody refuses is no figure
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
