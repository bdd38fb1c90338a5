import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from './config/config.ts'
import { roles, type Role } from './config/roles.ts'
import { secretsFile } from './config/secrets.ts'
import { placeOf } from './engines/engine-url.ts'
import { authorityOf } from './http/authority.ts'

/** The data directory, or the database without what is secret in its address. */
function placeOfData({ DATABASE_URL, DATA_DIR }: Config['settings']): string {
  if (DATABASE_URL === undefined) return resolve(DATA_DIR)
  const { host, pathname } = new URL(DATABASE_URL)
  return `PostgreSQL at ${host}${pathname}`
}

/** A started server, as an operator reads about it. */
export interface StartUp {
  readonly title: string
  /** What the roles of the process serve, by name, in the order of the lines. */
  readonly facts: Readonly<Record<string, string>>
  /** How to send a first delivery; none in production, and where the process takes none. */
  readonly hint: readonly string[]
}

/** Describes a server that listens: its roles, and only what these serve. */
export function describeStartUp(config: Config, port: number, metricsPort?: number): StartUp {
  const { settings, providers, leftOut, undecided, production, usesDevelopmentSecrets } = config
  const { ROLE: role, PUBLIC_URL, BUS_URL, QUEUE_URL, METRICS_HOST, OPERATOR_URL, DATA_DIR } = settings
  const base = PUBLIC_URL ?? `http://localhost:${port}`
  const names = providers.map(({ name }) => name)
  const isAny = (...some: readonly Role[]) => some.some((one) => role.has(one))

  const facts: Record<string, string> = {
    role: roles.every((one) => role.has(one)) ? 'all' : [...role].join(', '),
  }
  if (isAny('gateway')) {
    const served = names.length > 0 ? names.join(', ') : 'no provider has a secret'
    facts['webhooks'] = `POST ${base}/webhooks/:provider (${served})`
  }
  if (isAny('api')) facts['api'] = `${base}/api/v1, documents at ${base}/api/docs`
  facts['data'] = placeOfData(settings)
  if (BUS_URL !== undefined && isAny('dispatcher', 'drainer')) facts['bus'] = placeOf(BUS_URL)
  if (QUEUE_URL !== undefined && isAny('dispatcher', 'drainer')) facts['queue'] = placeOf(QUEUE_URL)
  if (metricsPort !== undefined) facts['metrics'] = `http://${authorityOf(METRICS_HOST, metricsPort)}/metrics`
  if (OPERATOR_URL !== undefined && isAny('dispatcher')) {
    facts['operators'] = `messages go to ${new URL(OPERATOR_URL).host}`
  }
  if (leftOut.length > 0 && isAny('gateway')) {
    facts['left_out'] = `${leftOut.join(', ')}: no secret (WEBHOOK_SECRET_<PROVIDER>)`
  }
  if (undecided.length > 0 && isAny('gateway')) {
    facts['waiting'] = `${undecided.join(', ')}: SECRETS_COMMAND failed, they are answered 503 until it works`
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
  return { title: `Sallyport listens on ${base}`, facts, hint: isFirst ? hint : [] }
}

/** Writes a start-up as lines for a terminal. */
export function toLines({ title, facts, hint }: StartUp): readonly string[] {
  const lines = Object.entries(facts).map(([name, text]) => `  ${name.replace('_', ' ').padEnd(10)} ${text}`)
  return [title, ...lines, ...(hint.length > 0 ? ['', ...hint] : [])]
}
