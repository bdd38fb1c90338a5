import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { secretsFile } from './config/secrets.ts'
import { placeOf } from './engines/engine-url.ts'
import type { Config } from './config/config.ts'
import { authorityOf } from './http/authority.ts'

/** The data directory, or the database without what is secret in its address. */
function placeOfData({ DATABASE_URL, DATA_DIR }: Config['settings']): string {
  if (DATABASE_URL === undefined) return resolve(DATA_DIR)
  const { host, pathname } = new URL(DATABASE_URL)
  return `PostgreSQL at ${host}${pathname}`
}

/** What a person needs to know once the server listens. */
export function startUpLines(config: Config, port: number, metricsPort?: number): readonly string[] {
  const { settings, providers, leftOut, undecided, production, usesDevelopmentSecrets } = config
  const base = settings.PUBLIC_URL ?? `http://localhost:${port}`
  const names = providers.map(({ name }) => name)
  const lines = [
    `Sallyport listens on ${base}`,
    `  webhooks   POST ${base}/webhooks/:provider (${names.length > 0 ? names.join(', ') : 'no provider has a secret'})`,
    `  API        ${base}/api/v1, documents at ${base}/api/docs`,
    `  data       ${placeOfData(settings)}`,
  ]
  const { BUS_URL, QUEUE_URL } = settings
  if (BUS_URL !== undefined) lines.push(`  bus        ${placeOf(BUS_URL)}`)
  if (QUEUE_URL !== undefined) lines.push(`  queue      ${placeOf(QUEUE_URL)}`)
  if (metricsPort !== undefined) {
    lines.push(`  metrics    http://${authorityOf(settings.METRICS_HOST, metricsPort)}/metrics`)
  }
  if (settings.OPERATOR_URL !== undefined) {
    lines.push(`  operators  messages go to ${new URL(settings.OPERATOR_URL).host}`)
  }
  if (leftOut.length > 0)
    lines.push(`  left out   ${leftOut.join(', ')}: no secret (WEBHOOK_SECRET_<PROVIDER>)`)
  if (undecided.length > 0)
    lines.push(
      `  waiting    ${undecided.join(', ')}: SECRETS_COMMAND failed, they are answered 503 until it works`,
    )
  const generated = resolve(secretsFile(settings.DATA_DIR))
  if (usesDevelopmentSecrets && existsSync(generated)) {
    lines.push(`  secrets    ${generated} (generated for development, not for production)`)
  }
  if (!production && names.includes('codehost')) {
    lines.push(
      '',
      'Send a first delivery, from another terminal:',
      '  npx sallyport send codehost workflow_run.completed',
    )
  }
  return lines
}
