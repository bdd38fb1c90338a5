import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoadRequest } from '../frame/load-job.ts'
import { numberedDeliveries } from '../frame/numbered.ts'
import { startServer } from '../frame/server-process.ts'
import { defineTrial } from '../frame/trial.ts'
import { createEnvironment } from '../server/environment.ts'
import { buildCheckout } from './built-checkout.ts'
import { createRunLoad, secret } from './delivery.ts'
import { openStage, readOutcome, type Stage } from './stage.ts'

interface Built extends Stage {
  /** The built server. */
  readonly main: URL
  /** A data directory with a migrated database. */
  readonly migrated: string
}

const names = {
  express: 'Express 5 with express.raw',
  first: 'reference server, first start',
  again: 'reference server, second start',
}

const request: LoadRequest = createRunLoad()

/** Measures the time from the start of a process to its first response, in milliseconds. */
async function firstAccepted(file: URL, environment: Readonly<Record<string, string>>): Promise<number> {
  const { headers, body } = numberedDeliveries(request)()
  const startedAt = performance.now()
  const server = await startServer(file, { WEBHOOK_SECRET_CODEHOST: secret, ...environment })
  try {
    const response = await fetch(server.url + request.path, { method: 'POST', headers, body })
    if (readOutcome(await response.json()) !== 'accepted') throw new Error('The delivery is not accepted')
    return performance.now() - startedAt
  } finally {
    await server.stop()
  }
}

async function firstStart({ main, directory }: Built): Promise<{ value: number; data: string }> {
  const data = await mkdtemp(join(directory, 'server-'))
  return { data, value: await firstAccepted(main, createEnvironment(data)) }
}

export default defineTrial<Built>({
  name: 'start',
  what: 'Time from the start of the process to the response to a delivery of 21 KB.',
  unit: 'ms',
  base: names.express,
  ratio: 'value',
  target: { side: names.again, atMost: 3 },
  async prepare() {
    const stage = await openStage()
    try {
      const built = { ...stage, main: pathToFileURL(await buildCheckout(stage.directory)), migrated: '' }
      return { ...built, migrated: (await firstStart(built)).data }
    } catch (error) {
      await stage.close()
      throw error
    }
  },
  release: ({ close }) => close(),
  sides: [
    {
      name: names.express,
      does: 'Express, express.raw and @octokit/webhooks-methods without storage. Runs from one small source file.',
      turn: async () => ({
        value: await firstAccepted(new URL('./servers/express.ts', import.meta.url), {}),
      }),
    },
    {
      name: names.first,
      does: 'The built server on an empty directory: creates and migrates the database, and hashes the password of the first admin.',
      turn: async (built) => ({ value: (await firstStart(built)).value }),
    },
    {
      name: names.again,
      does: 'The built server on an existing database.',
      turn: async ({ main, migrated }) => ({ value: await firstAccepted(main, createEnvironment(migrated)) }),
    },
  ],
})
