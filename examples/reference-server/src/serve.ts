import { builtInProviders } from '@sallyport/providers'
import { readGenericServices } from '@sallyport/providers/generic'
import { loadProviderModules } from '@sallyport/webhooks/node'
import { z } from 'zod'
import { describeStartUp, toLines } from './banner.ts'
import { readConfig, type Config } from './config/config.ts'
import { unusableSecretProblems } from './config/checks.ts'
import { createLog, createPrettyStream } from './logging/log.ts'
import { readEndpointsFile } from './endpoints/endpoints-file.ts'
import { reencryptEndpoints } from './endpoints/reencrypt.ts'
import { startServer, type RunningServer } from './server.ts'
import { createOutput } from './logging/standard-output.ts'

/** `EX_CONFIG` of sysexits.h. */
const badConfiguration = 78

/** The time for a slow reader of the log at the end of the process. */
const flushMs = 1000

/** Finds the problems of secrets and of ENDPOINTS_FILE. */
async function findProblems(config: Config): Promise<readonly string[]> {
  const { providers, secrets, settings } = config
  const unusable = await unusableSecretProblems(config)
  if (settings.ENDPOINTS_FILE === undefined) return unusable
  const { problems = [] } = await readEndpointsFile({ path: settings.ENDPOINTS_FILE, providers, secrets })
  return [...unusable, ...problems]
}

/**
 * Starts the server that the environment describes, and stops it on SIGTERM or SIGINT.
 *
 * @param command `reencrypt` encrypts the secrets of endpoints instead. @default a server
 */
export async function serve(
  environment: Readonly<Record<string, string | undefined>>,
  command?: string,
): Promise<void> {
  // Provider modules may bring another version of zod. It shares the global settings, but may not support the compiler.
  z.config({ postProcessor: undefined })
  const modules = await loadProviderModules(environment['PROVIDER_MODULES'], process.cwd())
  const generic = await readGenericServices(environment['GENERIC_PROVIDERS'])
  const result = readConfig(environment, builtInProviders, modules, generic)
  const problems = 'problems' in result ? result.problems : await findProblems(result.config)
  if ('problems' in result || problems.length > 0) {
    for (const problem of problems) process.stderr.write(`${problem}\n`)
    process.exitCode = badConfiguration
    return
  }
  const { config } = result
  const { LOG_LEVEL: level } = config.settings
  const isWatched = process.stdout.isTTY && !config.production
  const output = createOutput(process.stdout, {
    onOmitted: (lines) => {
      log.warn({ lines }, 'The reader of the log is too slow: lines were dropped')
    },
  })
  const log = createLog(level, isWatched ? await createPrettyStream() : output)

  if (command === 'reencrypt') {
    try {
      const count = await reencryptEndpoints(config, log)
      process.stdout.write(`Endpoints with newly encrypted secrets: ${count}\n`)
    } catch (error) {
      process.stderr.write(`The secrets cannot be encrypted: ${(error as Error).message}\n`)
      process.exitCode = 1
    }
    return
  }

  let server: RunningServer | undefined = undefined
  let stoppingSince: number | undefined
  const end = async (running: RunningServer, overdue: NodeJS.Timeout) => {
    const code = await running.stop().then(
      () => {
        log.info('Stopped')
        return 0
      },
      (error: unknown) => {
        log.error({ err: error }, 'The stop failed')
        return 1
      },
    )
    clearTimeout(overdue)
    await output.flush(flushMs)
    process.exit(code)
  }
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      // npm forwards a signal that the terminal has also sent to this process. A second Ctrl+C comes later.
      if (performance.now() - stoppingSince > 1000) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'Stopping')
    // No request has arrived yet, and migrations are transactional.
    if (server === undefined) process.exit(0)
    const overdue = setTimeout(() => {
      log.error('The stop took too long')
      process.exit(1)
    }, config.settings.SHUTDOWN_SECONDS * 1000)
    void end(server, overdue)
  }
  // The kernel ignores signals without a handler for the first process of a container.
  process.on('SIGTERM', stop).on('SIGINT', stop)

  server = await startServer(config, log).catch((error: unknown) => {
    log.fatal({ err: error }, 'The server cannot start')
    process.stderr.write(
      `The server cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return undefined
  })
  if (server === undefined) {
    // Open handles would keep the process alive.
    await output.flush(flushMs)
    process.exit(1)
  }

  // Written at every LOG_LEVEL.
  const startUp = describeStartUp(config, server.port, server.metricsPort)
  if (isWatched) output.write(`${toLines(startUp).join('\n')}\n`)
  else createLog('info', output).info({ port: server.port, ...startUp.facts }, startUp.title)
}
