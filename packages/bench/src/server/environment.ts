import { createPasswordHasher } from '@sallyport/auth/password'
import { builtInProviders } from '@sallyport/providers'
import { readConfig, type Config } from '@sallyport/reference-server/src/config/config.ts'
import { migrations, migrationTable } from '@sallyport/reference-server/src/database/migrations/index.ts'
import { createLog } from '@sallyport/reference-server/src/logging/log.ts'
import { openStorage } from '@sallyport/reference-server/src/database/storage.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../frame/server-process.ts'
import type { RunningSide } from '../frame/http.ts'
import type { LoadRequest } from '../frame/load-job.ts'
import { seedUsers, userAt } from './seed-users.ts'

/** Settings of the reference server and its peers. */
export type Environment = Readonly<Record<'DATA_DIR' | 'JWT_SECRET', string>> &
  Readonly<Record<string, string>>

/** A database with users, the reference server on it, and tokens of some users. */
export interface Stage {
  readonly environment: Environment
  readonly reference: RunningSide
  readonly tokens: readonly string[]
  readonly close: () => Promise<void>
}

const users = 10_000
const callers = 50
export const adminEmail = 'admin@example.com'
export const password = 'correct horse battery staple'

export function createEnvironment(directory: string): Environment {
  return {
    DATA_DIR: directory,
    JWT_SECRET: 'the-secret-of-the-benchmarks-32-bytes-long',
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: password,
    // The limits are at their maximum, so that no request is rejected.
    RATE_LIMIT: '1000000',
    RATE_LIMIT_AUTH: '1000000',
  }
}

/** @throws Error with the problems that the server finds in the environment */
export function readValidConfig(environment: Readonly<Record<string, string>>): Config {
  const result = readConfig({ NODE_ENV: 'production', ...environment }, builtInProviders)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.config
}

/** Migrates and fills a database, starts the server on it, and logs in as some users. */
export async function openStage(): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const environment = createEnvironment(directory)
    const storage = await openStorage(
      readValidConfig(environment).settings,
      createLog('silent', { write: () => undefined }),
    )
    await storage.migrate(migrations, { table: migrationTable })
    await seedUsers(storage.db, users, await createPasswordHasher().hash(password))
    await storage.close()

    const reference = await startReference(environment)
    const tokens: string[] = []
    for (let number = 1; number <= callers; number++) {
      // Every tenth user is suspended and cannot log in.
      if (number % 10 !== 0) tokens.push(await logIn(reference, userAt(number).email))
    }
    const close = async () => {
      await reference.stop()
      await remove()
    }
    return { environment, reference, tokens, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Creates GET requests for the paths of different users, by the callers in turn. */
export function createRequests(
  { tokens }: Stage,
  count: number,
  getPath: (user: { readonly id: string }) => string,
): LoadRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    path: getPath(userAt(1 + ((index * 97) % users))),
    headers: { authorization: `Bearer ${tokens[index % tokens.length] ?? ''}` },
  }))
}

/** Starts the reference server in a separate process. */
export function startReference(environment: Readonly<Record<string, string>>): Promise<RunningSide> {
  return startServer(new URL(import.meta.resolve('@sallyport/reference-server/src/main.ts')), environment)
}

/** Returns the server of a stage as a side. The stage stops the server. */
export function useReference({ reference }: { readonly reference: RunningSide }): Promise<RunningSide> {
  return Promise.resolve({ ...reference, stop: () => Promise.resolve() })
}

/** Logs in as a user with the common password and returns the access token. */
export async function logIn({ url }: RunningSide, email: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (response.status !== 201) throw new Error(`The login failed: ${await response.text()}`)
  const { data } = (await response.json()) as { data: { access_token: string } }
  return data.access_token
}
