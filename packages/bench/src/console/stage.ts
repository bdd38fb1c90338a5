import { createLog } from '@sallyport/reference-server/src/logging/log.ts'
import { openStorage } from '@sallyport/reference-server/src/database/storage.ts'
import { launch, requirement, visit, type Visit } from '@sallyport/reference-server/test/console/browser.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { RunningSide } from '../frame/http.ts'
import {
  adminEmail,
  createEnvironment,
  password,
  readValidConfig,
  startReference,
} from '../server/environment.ts'
import { secret } from '../webhooks/delivery.ts'
import { seedDeliveries } from '../webhooks/seed-deliveries.ts'

/** The reference server on a database with deliveries. */
export interface ConsoleServer {
  readonly server: RunningSide
  readonly close: () => Promise<void>
}

/** Starts the server on a SQLite file with deliveries. */
export async function openConsoleServer(deliveries: number): Promise<ConsoleServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const environment = { ...createEnvironment(directory), WEBHOOK_SECRET_CODEHOST: secret }
    if (deliveries > 0) {
      const log = createLog('silent', { write: () => undefined })
      const storage = await openStorage(readValidConfig(environment).settings, log)
      await seedDeliveries(storage.db as never, 'sqlite', deliveries)
      await storage.close()
    }
    const server = await startReference(environment)
    const close = async () => {
      await server.stop()
      await remove()
    }
    return { server, close }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Starts Chromium. @throws Error if it is not installed */
export function openBrowser(): Promise<Browser> {
  const path = requirement.find()
  if (path === undefined) throw new Error(`Chromium is missing: ${requirement.hint}`)
  return launch(path)
}

/** Opens a window in which the admin has logged in. */
export const visitAsAdmin = (browser: Browser, { url }: RunningSide): Promise<Visit> =>
  visit(browser, url, { operator: { email: adminEmail, password } })
