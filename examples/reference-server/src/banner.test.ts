import { builtInProviders } from '@sallyport/providers'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { describeStartUp, toLines } from './banner.ts'
import { readConfig } from './config/config.ts'

function describeLines(environment: Readonly<Record<string, string>>): readonly string[] {
  const secrets = { JWT_SECRET: 'x'.repeat(32), WEBHOOK_SECRET_CODEHOST: 'secret' }
  const engines = { DATABASE_URL: 'postgres://user:secret@db/sallyport', BUS_URL: 'redis://bus' }
  const result = readConfig({ ...secrets, ...engines, ...environment }, builtInProviders)
  if ('problems' in result) throw new Error(result.problems.join())
  return toLines(describeStartUp(result.config, { port: 3111, metricsPort: 9464 }))
}

const production = { NODE_ENV: 'production' }

it('describes all roles for a terminal', () => {
  expect(describeLines(production)).toEqual([
    'Sallyport listens on http://localhost:3111',
    '  role       all',
    '  webhooks   POST http://localhost:3111/webhooks/:provider (codehost)',
    '  api        http://localhost:3111/api/v1, documents at http://localhost:3111/api/docs',
    '  console    http://localhost:3111/console',
    '  data       PostgreSQL at db/sallyport',
    '  bus        redis://bus',
    '  metrics    http://127.0.0.1:9464/metrics',
    '  left out   tasks, messaging, deploy: no secret (WEBHOOK_SECRET_<PROVIDER>)',
  ])
})

it('describes only the connections of a dispatcher', () => {
  const settings = { ...production, PUBLIC_URL: 'https://hooks.example.com', ROLE: 'dispatcher,drainer' }
  expect(describeLines(settings)).toEqual([
    'Sallyport listens on http://localhost:3111',
    '  role       dispatcher, drainer',
    '  data       PostgreSQL at db/sallyport',
    '  bus        redis://bus',
    '  metrics    http://127.0.0.1:9464/metrics',
  ])
})

it('suggests a first delivery in development with the role gateway only', async () => {
  await using data = await temporaryDirectory()
  const hint = '  npx sallyport send codehost workflow_run.completed'
  expect(describeLines({ DATA_DIR: data.path }).at(-1)).toBe(hint)
  expect(describeLines({ DATA_DIR: data.path, ROLE: 'dispatcher' })).not.toContain(hint)
})
