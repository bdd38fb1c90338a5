import { unusedPort } from '@sallyport/test-support/services'
import { builtInProviders } from '@sallyport/providers'
import { readConfig } from '../../../examples/reference-server/src/config/config.ts'
import { createLog } from '../../../examples/reference-server/src/logging/log.ts'
import { startServer } from '../../../examples/reference-server/src/server.ts'

/** A reference server in this process. */
export interface ReferenceServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts the reference server with the environment on a port of localhost. */
export async function startReferenceServer(env: Readonly<Record<string, string>>): Promise<ReferenceServer> {
  // The port is part of the URL that services sign.
  const port = await unusedPort()
  const url = `http://localhost:${port}`
  const own = { PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url, ...env }
  const result = readConfig(own, builtInProviders)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  const server = await startServer(result.config, createLog('silent', { write: () => undefined }))
  return { url, stop: () => server.stop() }
}
