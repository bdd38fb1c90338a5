import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningSide } from '../frame/http.ts'
import { startServer } from '../frame/server-process.ts'
import { createDatabase } from '../server/postgres.ts'
import { secret } from './delivery.ts'

export type InboxKind = 'memory' | 'sqlite' | 'postgres'

/** Temporary storage of a benchmark. */
export interface Stage {
  readonly directory: string
  /** Creates an empty database and returns its URL. */
  readonly databaseUrl: () => Promise<string>
  readonly close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const drops: (() => Promise<void>)[] = []
  return {
    directory,
    async databaseUrl() {
      const { url, drop } = await createDatabase()
      drops.push(drop)
      return url
    },
    async close() {
      for (const drop of drops) await drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Starts one of the servers in the folder `servers`. */
export function startPeer(
  name: 'bare' | 'durable' | 'express' | 'floor' | 'gateway' | 'octokit',
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSide> {
  const file = new URL(`./servers/${name}.ts`, import.meta.url)
  return startServer(file, { WEBHOOK_SECRET_CODEHOST: secret, ...environment })
}

/** Starts a gateway with a new inbox. */
export async function startGateway(
  { directory, databaseUrl }: Stage,
  inbox: InboxKind,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSide> {
  const data = await mkdtemp(join(directory, 'gateway-'))
  const where = inbox === 'postgres' ? { DATABASE_URL: await databaseUrl() } : { DATA_DIR: data }
  return startPeer('gateway', { INBOX: inbox, ...where, ...environment })
}

/** Reads the outcome of a delivery from a response body. */
export const readOutcome = (body: unknown): unknown => (body as { data?: { status?: unknown } }).data?.status
