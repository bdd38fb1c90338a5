import { z } from 'zod'
import { describeStartUp, logStartUp } from '../src/banner.ts'
import { loadConfig } from '../src/config/load-config.ts'
import type { Config, ConfigResult } from '../src/config/config.ts'
import { createLog } from '../src/logging/log.ts'
import { startServer } from '../src/server.ts'

export interface LocalServer extends AsyncDisposable {
  readonly base: string
  readonly config: Config
  /** The lines of the log. */
  readonly output: () => string
  /** Stops the server as SIGTERM does. */
  readonly stop: () => Promise<void>
}

/**
 * Runs the whole server in the process of the test.
 *
 * @param write receives the lines of the log
 */
export async function startInProcess(
  environment: Readonly<Record<string, string>>,
  write: (line: string) => void = () => undefined,
): Promise<LocalServer> {
  const result = await load({ PORT: '0', HOST: '127.0.0.1', ...environment })
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  const { config } = result
  let output = ''
  const destination = {
    write(line: string) {
      output += line
      write(line)
    },
  }
  const server = await startServer(config, createLog(config.settings.LOG_LEVEL, destination))
  logStartUp(describeStartUp(config, server), destination)
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= server.stop())
  return {
    base: `http://127.0.0.1:${server.port}`,
    config,
    output: () => output,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The lines with which the server refuses to start; empty for a usable configuration. */
export async function startProblems(
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const result = await load(environment)
  return 'problems' in result ? result.problems : []
}

/** Loads a configuration and keeps the compiler of schemas, which the server turns off for good. */
async function load(environment: Readonly<Record<string, string>>): Promise<ConfigResult> {
  const { postProcessor } = z.config()
  try {
    return await loadConfig({ PATH: process.env['PATH'], ...environment })
  } finally {
    z.config({ postProcessor })
  }
}
