import { describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })
const publishedPackage = { type: 'package.published', payload: { package: 'left-pad' } }
const pilot = { QUEUE_PILOTS: 'codehost' }

/** Returns the name and route of each published event. */
const getRoutes = async ({ events }: TestApi) => (await events()).map(({ name, route }) => `${name} ${route}`)

describe('the queue pilot', () => {
  it('sends queueable events through the queue and publishes other events directly', async () => {
    await using api = await startApi(pilot)
    for (const payload of [run(1), run(1), publishedPackage]) await api.deliver(payload)
    await expect
      .poll(async () => (await getRoutes(api)).sort())
      .toEqual(['codehost/package.published direct', 'codehost/workflow_run.completed queue'])
  })

  it('is off by default', async () => {
    await using api = await startApi()
    await api.deliver(run(1))
    await expect.poll(() => getRoutes(api)).toEqual(['codehost/workflow_run.completed direct'])
  })

  it('prevents the start when a pilot is not registered', async () => {
    await using data = await temporaryDirectory()
    const problems = await startProblems({
      DATA_DIR: data.path,
      QUEUE_PILOTS: 'codehots, payments,codehost,codehots',
      BUS_TIMEOUT_MS: 'soon',
    })
    expect(problems).toEqual([
      expect.stringMatching(/^BUS_TIMEOUT_MS /),
      expect.stringMatching(/^QUEUE_PILOTS names "codehots", which is not among .*codehost/),
      'QUEUE_PILOTS names "payments", which is not registered: name it in PROVIDERS, with a secret',
    ])
  })

  it('does not start in production with a pilot that is left out', async () => {
    await using data = await temporaryDirectory()
    const problems = await startProblems({
      ...{ NODE_ENV: 'production', DATA_DIR: data.path, JWT_SECRET: 'x'.repeat(32) },
      ...pilot,
    })
    expect(problems).toEqual([expect.stringMatching(/^QUEUE_PILOTS names "codehost", which is not reg/)])
  })
})
