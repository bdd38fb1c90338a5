import { describeStartUp, logStartUp, toLines } from './banner.ts'
import { loadConfig } from './config/load-config.ts'
import { createLog, createPrettyStream } from './logging/log.ts'
import { reencrypt } from './endpoints/reencrypt.ts'
import { startServer, type RunningServer } from './server.ts'
import { createOutput } from './logging/standard-output.ts'

/** `EX_CONFIG` of sysexits.h. */
const badConfiguration = 78

/** The time for a slow reader of the log at the end of the process. */
const flushMs = 1000

/**
 * Starts the server that the environment describes, and stops it on SIGTERM or SIGINT.
 *
 * @param command `reencrypt` encrypts the secrets of endpoints and the keys of stored values instead. @default a server
 */
export async function serve(
  environment: Readonly<Record<string, string | undefined>>,
  command?: string,
): Promise<void> {
  const result = await loadConfig(environment)
  if ('problems' in result) {
    for (const problem of result.problems) process.stderr.write(`${problem}\n`)
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
      process.stdout.write(await reencrypt(config, log))
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
  const startUp = describeStartUp(config, server)
  if (isWatched) output.write(`${toLines(startUp).join('\n')}\n`)
  else logStartUp(startUp, output)
}
