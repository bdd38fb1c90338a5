import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DestinationStream } from 'pino'
import type { Config } from './config/config.ts'
import { roles, type Role } from './config/setting-types.ts'
import { secretsFile } from './config/development-secrets.ts'
import { formatUrlOrigin } from '@sallyport/buses'
import { formatAuthority } from './http/authority.ts'
import { createLog } from './logging/log.ts'
import type { RunningServer } from './server.ts'

/** Describes the storage: the data directory, or the database without its credentials. */
function describeDatabase({ DATABASE_URL, DATA_DIR }: Config['settings']): string {
  if (DATABASE_URL === undefined) return resolve(DATA_DIR)
  const { host, pathname } = new URL(DATABASE_URL)
  return `PostgreSQL at ${host}${pathname}`
}

const describeBus = (url: string | undefined): string =>
  url === undefined ? 'database' : formatUrlOrigin(url)

/** The description of a started server for its operator. */
export interface StartUp {
  readonly title: string
  readonly port: number
  /** The services and settings of the process by name, in the order of the lines. */
  readonly facts: Readonly<Record<string, string>>
  /** The command that sends a first delivery; empty in production and without the role gateway. */
  readonly hint: readonly string[]
}

/** Describes a server that listens: its roles, and the services of these roles. */
export function describeStartUp(
  config: Config,
  { port, metricsPort }: Pick<RunningServer, 'port' | 'metricsPort'>,
): StartUp {
  const { settings, providers, replaced, leftOut, undecided, production, usesDevelopmentSecrets } = config
  const { ROLE: role, PUBLIC_URL, BUS_URL, QUEUE_URL, METRICS_HOST, OPERATOR_URL, DATA_DIR } = settings
  const names = providers.map(({ name }) => name)
  const isAny = (...some: readonly Role[]) => some.some((one) => role.has(one))
  // The public address leads to the processes that serve requests, not to a dispatcher.
  const base = (isAny('gateway', 'api') ? PUBLIC_URL : undefined) ?? `http://localhost:${port}`

  const facts: Record<string, string> = {
    role: roles.every((one) => role.has(one)) ? 'all' : [...role].join(', '),
  }
  if (isAny('gateway')) {
    const served = names.length > 0 ? names.join(', ') : 'no provider has a secret'
    facts['webhooks'] = `POST ${base}/webhooks/:provider (${served})`
  }
  if (settings.INBOUND_QUEUE_URL !== undefined && isAny('gateway'))
    facts['inbound'] = formatUrlOrigin(settings.INBOUND_QUEUE_URL)
  if (isAny('api')) facts['api'] = `${base}/api/v1, documents at ${base}/api/docs`
  if (isAny('api') && settings.CONSOLE) facts['console'] = `${base}/console`
  facts['data'] = describeDatabase(settings)
  const addresses = config.routes.length > 0 ? config.routes.map(({ url }) => url) : [BUS_URL]
  if (addresses.some((url) => url !== undefined) && isAny('dispatcher', 'drainer'))
    facts['bus'] = [...new Set(addresses.map(describeBus))].join(', ')
  if (config.destinations.length > 0 && isAny('dispatcher'))
    facts['destinations'] = config.destinations.map(({ name }) => name).join(', ')
  if (QUEUE_URL !== undefined && isAny('dispatcher', 'drainer')) facts['queue'] = formatUrlOrigin(QUEUE_URL)
  if (metricsPort !== undefined)
    facts['metrics'] = `http://${formatAuthority(METRICS_HOST, metricsPort)}/metrics`
  if (OPERATOR_URL !== undefined && isAny('dispatcher')) {
    facts['operators'] = `messages go to ${new URL(OPERATOR_URL).host}`
  }
  if (settings.ALERT_URLS !== undefined && isAny('dispatcher'))
    facts['alerts'] = settings.ALERT_URLS.map(({ service }) => service).join(', ')
  if (replaced.length > 0 && isAny('gateway')) {
    facts['replaced'] = `${replaced.join(', ')}: PROVIDER_MODULES replaces the built-in provider`
  }
  if (leftOut.length > 0 && isAny('gateway')) {
    facts['left_out'] = `${leftOut.join(', ')}: no secret (WEBHOOK_SECRET_<PROVIDER>)`
  }
  if (undecided.length > 0 && isAny('gateway')) {
    facts['waiting'] =
      `${undecided.join(', ')}: SECRETS_COMMAND failed, deliveries are answered with 503 until it works`
  }
  const generated = resolve(secretsFile(DATA_DIR))
  if (usesDevelopmentSecrets && existsSync(generated)) {
    facts['secrets'] = `${generated} (generated for development, not for production)`
  }
  const isFirst = !production && isAny('gateway') && names.includes('codehost')
  const hint = [
    'Send a first delivery, from another terminal:',
    '  npx sallyport send codehost workflow_run.completed',
  ]
  return { title: `Sallyport listens on ${base}`, port, facts, hint: isFirst ? hint : [] }
}

/** Formats the description as lines for a terminal. */
export function toLines({ title, facts, hint }: StartUp): readonly string[] {
  const lines = Object.entries(facts).map(([name, text]) => `  ${name.replace('_', ' ').padEnd(10)} ${text}`)
  return [title, ...lines, ...(hint.length > 0 ? ['', ...hint] : [])]
}

/** Writes the description as one line of the log, at every LOG_LEVEL. */
export function logStartUp({ title, port, facts }: StartUp, destination: DestinationStream): void {
  createLog('info', destination).info({ port, ...facts }, title)
}
