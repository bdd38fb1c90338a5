import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { documentedFetch } from './documented.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

it('publishes acknowledged deliveries after it is killed and restarted', async () => {
  await using data = await temporaryDirectory()
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round++) {
    await using server = await startServerProcess({ DATA_DIR: data.path, LOG_LEVEL: 'silent' })
    const secret = (await getSecrets(data.path))['WEBHOOK_SECRET_CODEHOST']!
    const sending = Array.from({ length: 20 }, async (_, index) => {
      const { status, data: answer } = await sendWorkflowRun(server.base, secret, run(round * 100 + index))
      if (status === 200) acknowledged.push(...answer.events.map(({ id }) => id))
      // The first acknowledgement kills the server while the others are still under way.
      if (index === round) server.child.kill('SIGKILL')
    })
    await Promise.allSettled(sending)
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(4)

  await using server = await startServerProcess({ DATA_DIR: data.path })
  const token = await adminToken(server.base, await getSecrets(data.path))
  // The lease of the killed process ends 15 seconds after the record; then the event is claimed again.
  await expect
    .poll(
      async () => {
        const published = (await publishedEvents(server.base, token)).map(({ id }) => id)
        expect(new Set(published).size).toBe(published.length)
        return acknowledged.filter((id) => !published.includes(id))
      },
      { interval: 500 },
    )
    .toEqual([])
})

it('loses at most the statistics of the last seconds when it is killed', async () => {
  await using data = await temporaryDirectory()
  const settings = { DATA_DIR: data.path }
  const secrets: Record<string, string> = {}
  {
    await using server = await startServerProcess(settings)
    Object.assign(secrets, await getSecrets(data.path))
    await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(1))
    // Longer than the interval of the writes.
    await sleep(6000)
    await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(2))
    await server.end('SIGKILL')
  }
  await using server = await startServerProcess(settings)
  const response = await documentedFetch(`${server.base}/api/v1/statistics`, {
    headers: { authorization: `Bearer ${await adminToken(server.base, secrets)}` },
  })
  const { data: statistics } = (await response.json()) as { data: { totals: { accepted: number } } }
  expect(statistics.totals.accepted).toBeGreaterThanOrEqual(1)
  expect(statistics.totals.accepted).toBeLessThanOrEqual(2)
})
