import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningSide } from '../frame/http.ts'
import { startServer } from '../frame/server-process.ts'
import { createDatabase } from '../server/postgres.ts'
import { secret } from './delivery.ts'

export type InboxKind = 'memory' | 'sqlite' | 'postgres'

/** Places that a benchmark keeps its data in; all of them go with it. */
export interface Stage {
  readonly directory: string
  /** Of a fresh database. */
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

/** One of the servers beside this file. */
export function startPeer(
  name: 'bare' | 'octokit' | 'express' | 'gateway',
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSide> {
  const file = new URL(`./servers/${name}.ts`, import.meta.url)
  return startServer(file, { WEBHOOK_SECRET_CODEHOST: secret, ...environment })
}

/** The gateway with an inbox of its own. */
export async function startGateway(
  { directory, databaseUrl }: Stage,
  inbox: InboxKind,
): Promise<RunningSide> {
  const data = await mkdtemp(join(directory, 'gateway-'))
  const where = inbox === 'postgres' ? { DATABASE_URL: await databaseUrl() } : { DATA_DIR: data }
  return startPeer('gateway', { INBOX: inbox, ...where })
}

/** What every side has to say of a delivery. */
export const outcomeOf = (body: unknown): unknown => (body as { data?: { status?: unknown } }).data?.status
